/** The width up to which Node prints an object on one line. */
const width = 72

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

const nameOf = (key: string): string => (/^[\w$]+$/.test(key) && !/^\d/.test(key) ? key : inspect(key))

/** A value as `console.log` of Node shows it, as far as programs of pages need it: data, and the message of an error. */
export const inspect = (value: unknown, indentation = 0): string => {
  if (typeof value === "string") {
    const quote = ["'", '"', "`"].find((quote) => !value.includes(quote)) ?? "'"
    return quote + JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"') + quote
  }
  if (typeof value === "bigint") {
    return `${value}n`
  }
  if (typeof value === "function") {
    return `[Function: ${value.name}]`
  }
  if (typeof value !== "object" || value === null) {
    return String(value)
  }
  if (value instanceof Error) {
    return `${value.name}: ${value.message}`
  }
  if (value instanceof Date) {
    return value.toISOString()
  }
  if (!isPlain(value)) {
    return Object.prototype.toString.call(value)
  }
  const entries = Array.isArray(value)
    ? value.map((item) => inspect(item, indentation + 2))
    : Object.entries(value).map(([key, item]) => `${nameOf(key)}: ${inspect(item, indentation + 2)}`)
  const [open, close] = Array.isArray(value) ? "[]" : "{}"
  if (entries.length === 0) {
    return `${open}${close}`
  }
  const length = entries.reduce((sum, entry) => sum + entry.length, 0) + 2 * entries.length + indentation
  const isShort = length <= width - 3 && !entries.some((entry) => entry.includes("\n"))
  const margin = " ".repeat(indentation)
  return isShort
    ? `${open} ${entries.join(", ")} ${close}`
    : `${open}\n${entries.map((entry) => `${margin}  ${entry}`).join(",\n")}\n${margin}${close}`
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** A cell of a table, in which an object has at most two members. */
const cellOf = (value: unknown): string =>
  isObject(value) && isPlain(value) && !Array.isArray(value) && Object.keys(value).length > 2
    ? "[Object]"
    : inspect(value).replaceAll(/\n\s*/g, " ")

/** How many columns of a terminal a string takes: those of Chinese, Japanese and Korean are two wide. */
const widthOf = (text: string): number =>
  Array.from(text).length +
  (text.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60]/g) ?? []).length

/** Records as `console.table` of Node shows them; undefined if there are none. */
export const table = (data: unknown, columns?: unknown): string | undefined => {
  if (!isObject(data)) {
    return undefined
  }
  const records = Object.entries(data)
  const keys = new Set(records.flatMap(([, record]) => (isObject(record) ? Object.keys(record) : [])))
  const names: ReadonlyArray<string> = Array.isArray(columns) ? columns.map(String) : [...keys]
  const isAnyValue = records.some(([, record]) => !isObject(record))
  const rows = records.map(([index, record]) => [
    index,
    ...names.map((name) => (isObject(record) && name in record ? cellOf(Reflect.get(record, name)) : "")),
    ...(isAnyValue ? [isObject(record) ? "" : cellOf(record)] : [])
  ])
  const head = ["(index)", ...names, ...(isAnyValue ? ["Values"] : [])]
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => widthOf(row[at] ?? ""))))
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((width) => "─".repeat(width + 2)).join(middle) + right
  const lineOf = (row: ReadonlyArray<string>) =>
    `│ ${row.map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - widthOf(cell))).join(" │ ")} │`
  return [rule("┌", "┬", "┐"), lineOf(head), rule("├", "┼", "┤"), ...rows.map(lineOf), rule("└", "┴", "┘")].join("\n")
}
