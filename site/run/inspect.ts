/** The width up to which Node prints an object on one line. */
const width = 72

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

const nameOf = (key: string): string => (/^[\w$]+$/.test(key) && !/^\d/.test(key) ? key : inspect(key))

/** What is shown at most of one value: levels, elements of an array as in Node, and values in all. */
const most = { levels: 20, elements: 100, values: 5_000 }

/** A member of an object. Getters are not called: they may throw. */
const memberOf = (object: object, key: string): { readonly value: unknown } | string => {
  const { value, ...rest } = Object.getOwnPropertyDescriptor(object, key) ?? {}
  const accessors = [rest.get && "Getter", rest.set && "Setter"].filter(Boolean)
  return accessors.length > 0 ? `[${accessors.join("/")}]` : { value: value as unknown }
}

/** The entries of an object or an array between its brackets, on one line if they fit. */
const bracketed = (brackets: "[]" | "{}", entries: ReadonlyArray<string>, indentation: number): string => {
  if (entries.length === 0) {
    return brackets
  }
  const [open, close] = brackets
  const length = entries.reduce((sum, entry) => sum + entry.length, 0) + 2 * entries.length + indentation
  const isShort = length <= width - 3 && !entries.some((entry) => entry.includes("\n"))
  const margin = " ".repeat(indentation)
  return isShort
    ? `${open} ${entries.join(", ")} ${close}`
    : `${open}\n${entries.map((entry) => `${margin}  ${entry}`).join(",\n")}\n${margin}${close}`
}

/**
 * A value as `console.log` of Node shows it, as far as programs of pages need it: data, and the message of an error. It never
 * throws, and what it shows is limited: a value can contain itself, throw where it is read, or be endless.
 */
export const inspect = (given: unknown): string => {
  let left = most.values
  const circular: Array<object> = []

  /** `within` are the objects around it. */
  const show = (value: unknown, within: ReadonlyArray<object>): string => {
    left--
    if (typeof value === "string") {
      const quote = ["'", '"', "`"].find((quote) => !value.includes(quote)) ?? "'"
      return quote + JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"') + quote
    }
    if (typeof value === "bigint") {
      return `${value}n`
    }
    if (typeof value !== "object" || value === null) {
      return typeof value === "function" ? `[Function: ${value.name}]` : String(value)
    }
    if (value instanceof Error) {
      return `${value.name}: ${value.message}`
    }
    if (value instanceof Date) {
      return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
    }
    if (!isPlain(value)) {
      return Object.prototype.toString.call(value)
    }
    if (within.includes(value)) {
      circular.push(...(circular.includes(value) ? [] : [value]))
      return `[Circular *${circular.indexOf(value) + 1}]`
    }
    const isArray = Array.isArray(value)
    if (within.length === most.levels || left < 0) {
      return isArray ? "[Array]" : "[Object]"
    }
    const keys = isArray ? Object.keys(value).slice(0, most.elements) : Object.keys(value)
    const entries = keys.slice(0, Math.max(left, 0)).map((key) => {
      const member = memberOf(value, key)
      const text = typeof member === "string" ? member : safe(member.value, [...within, value])
      return isArray ? text : `${nameOf(key)}: ${text}`
    })
    const rest = (isArray ? value.length : keys.length) - entries.length
    const more = rest > 0 ? [`... ${rest} more ${isArray ? "item" : "member"}${rest === 1 ? "" : "s"}`] : []
    const text = bracketed(isArray ? "[]" : "{}", [...entries, ...more], 2 * within.length)
    return circular.includes(value) ? `<ref *${circular.indexOf(value) + 1}> ${text}` : text
  }

  const safe = (value: unknown, within: ReadonlyArray<object>): string => {
    try {
      return show(value, within)
    } catch {
      return `[${typeof value} that cannot be shown]`
    }
  }
  return safe(given, [])
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** A cell of a table, in which an object has at most two members. */
const cellOf = (value: unknown): string =>
  isObject(value) && isPlain(value) && !Array.isArray(value) && Object.keys(value).length > 2
    ? "[Object]"
    : inspect(value).replaceAll(/\n\s*/g, " ")

const memberCell = (record: object, name: string): string => {
  const member = memberOf(record, name)
  return typeof member === "string" ? member : cellOf(member.value)
}

/** How many columns of a terminal a string takes: those of Chinese, Japanese and Korean are two wide. */
const widthOf = (text: string): number =>
  Array.from(text).length +
  (text.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60]/g) ?? []).length

const tableOf = (data: unknown, columns: unknown): string | undefined => {
  if (!isObject(data)) {
    return undefined
  }
  const records = Object.entries(data)
  const keys = new Set(records.flatMap(([, record]) => (isObject(record) ? Object.keys(record) : [])))
  const names: ReadonlyArray<string> = Array.isArray(columns) ? columns.map(String) : [...keys]
  const isAnyValue = records.some(([, record]) => !isObject(record))
  const rows = records.map(([index, record]) => [
    index,
    ...names.map((name) => (isObject(record) && name in record ? memberCell(record, name) : "")),
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

/** Records as `console.table` of Node shows them; undefined if there are none, or if they cannot be read. */
export const table = (data: unknown, columns?: unknown): string | undefined => {
  try {
    return tableOf(data, columns)
  } catch {
    return undefined
  }
}
