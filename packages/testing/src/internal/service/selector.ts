/** The selector in `fields`, as the service reads it. */

/** A parsed selector: names, each with the selector in its braces. */
export interface Selection extends ReadonlyMap<string, Selection> {}

interface Growing extends Map<string, Growing> {}

const growing = (): Growing => new Map<string, Growing>()

/**
 * Reads `a,b{c,d}`. Unknown names are no error, and neither are unbalanced braces:
 * one too many is ignored, a missing one is added at the end.
 */
export const parseSelector = (text: string | undefined): Selection | undefined => {
  const root = growing()
  const above: Array<Growing> = []
  let level = root
  let from = 0
  const add = (to: number): Growing => {
    const name = (text ?? "").slice(from, to).trim()
    from = to + 1
    // Braces without a name before them select nothing.
    if (name === "") {
      return growing()
    }
    const inner = level.get(name) ?? growing()
    level.set(name, inner)
    return inner
  }
  for (let at = 0; text !== undefined && at < text.length; at++) {
    const sign = text[at]
    if (sign === ",") {
      add(at)
    } else if (sign === "{") {
      above.push(level)
      level = add(at)
    } else if (sign === "}") {
      add(at)
      level = above.pop() ?? root
    }
  }
  if (text !== undefined) {
    add(text.length)
  }
  return root.size === 0 ? undefined : root
}

/** The members of an edge other than its `node`. */
const ofEdge = new Set(["relation_type", "relation_type_formatted", "num_recommendations", "role"])

/**
 * The selector for the `node` of an edge: `authors{first_name}` and `authors{node{first_name}}` mean the same, and
 * `authors{node,role}` selects nothing in it.
 */
export const ofNode = (selection: Selection | undefined): Selection | undefined => {
  if (selection === undefined) {
    return undefined
  }
  const named = [...selection].filter(([name]) => name !== "node" && !ofEdge.has(name))
  const all = new Map([...named, ...(selection.get("node") ?? [])])
  return all.size === 0 ? undefined : all
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** A plain record with the members requested in its braces; without braces it is complete. `id` always stays. */
export const narrow = (value: unknown, selection: Selection | undefined): unknown => {
  if (selection === undefined || selection.size === 0 || !isRecord(value)) {
    return value
  }
  if (Array.isArray(value)) {
    return value.map((each) => narrow(each, selection))
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = selection.get(name)
      return inner !== undefined ? [[name, narrow(member, inner)]] : name === "id" ? [[name, member]] : []
    })
  )
}
