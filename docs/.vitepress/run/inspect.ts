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
