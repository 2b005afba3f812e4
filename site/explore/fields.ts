// The type of a reply for the fields that are chosen.

/** The member of a reply that a field becomes: `studios` for `studios{name}`. */
export const memberOfReply = (field: string): string => field.replace(/\{.*/, "")

/** Fields as a call names them, and their types in a reply. */
export type FieldTypes = Readonly<Record<string, string>>

/**
 * The type of an anime or manga with fields.
 *
 * @param isEntry whether it is the `node` of an entry of a list
 */
export const typeOf = (types: FieldTypes, fields: ReadonlyArray<string>, isEntry = false): string => {
  const chosen = fields.map((field) => `readonly ${memberOfReply(field)}?: ${types[field]}`)
  // Without fields, the service sends these.
  const members = ["readonly id: number", "readonly title: string"].concat(
    fields.length === 0 ? ["readonly main_picture?: Picture"] : chosen
  )
  const indent = isEntry ? "    " : "  "
  const lines = members.map((member) => `${indent}${member}\n`).join("")
  return isEntry ? `{\n  readonly node: {\n${lines}  }\n}` : `{\n${lines}}`
}
