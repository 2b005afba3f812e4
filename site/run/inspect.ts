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

/** Entries between brackets, on one line if they fit and may be, after what has them: `Map(1) { … }`. */
const bracketed = (
  before: string,
  brackets: "[]" | "{}",
  entries: ReadonlyArray<string>,
  indentation: number,
  isOneLine: boolean
): string => {
  if (entries.length === 0) {
    return before + brackets
  }
  const [open, close] = brackets
  const length =
    entries.reduce((sum, entry) => sum + entry.length, 0) + 2 * entries.length + indentation + before.length
  const isShort = isOneLine && length <= width - 3 && !entries.some((entry) => entry.includes("\n"))
  const margin = " ".repeat(indentation)
  return isShort
    ? `${before}${open} ${entries.join(", ")} ${close}`
    : `${before}${open}\n${entries.map((entry) => `${margin}  ${entry}`).join(",\n")}\n${margin}${close}`
}

/** What an object is, where its brackets do not say it. Of an error, its message. */
const kindOf = (value: object): string => {
  if (value instanceof Error) {
    return `${Error.prototype.toString.call(value)} `
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) {
    return "[Object: null prototype] "
  }
  const size = value instanceof Map || value instanceof Set ? `(${value.size})` : ""
  return isPlain(value) ? "" : `${value.constructor.name}${size} `
}

/** The parts of an address, in the order of Node. */
const ofAddress = "href origin protocol username password host hostname port pathname search searchParams hash".split(
  " "
)

/** The keys of an error's members. Its message has some, and one of Effect has functions. */
const keysOfError = (error: Error): ReadonlyArray<string> =>
  Object.keys(error).filter(
    (key) =>
      !["name", "message", "stack"].includes(key) &&
      typeof Object.getOwnPropertyDescriptor(error, key)?.value !== "function"
  )

/** The parts of an object, each shown when it is called. */
const partsOf = (object: object, show: (value: unknown) => string): ReadonlyArray<() => string> => {
  const textOf = (key: string) => {
    const member = memberOf(object, key)
    return typeof member === "string" ? member : show(member.value)
  }
  const named = (key: string) => () => `${nameOf(key)}: ${textOf(key)}`
  if (Array.isArray(object)) {
    return Object.keys(object)
      .slice(0, most.elements)
      .map((key) => () => textOf(key))
  }
  if (object instanceof Set) {
    return Array.from(object, (element) => () => show(element))
  }
  if (object instanceof Map || object instanceof URLSearchParams) {
    return Array.from<readonly [unknown, unknown], () => string>(
      object,
      ([key, value]) =>
        () =>
          `${show(key)} => ${show(value)}`
    )
  }
  if (object instanceof URL) {
    return ofAddress.map((name) => () => `${name}: ${show(Reflect.get(object, name))}`)
  }
  return object instanceof Error
    ? [
        ...keysOfError(object).map(named),
        ...["cause", "errors"]
          .filter((key) => Object.getOwnPropertyDescriptor(object, key)?.enumerable === false)
          .map((key) => () => `[${key}]: ${textOf(key)}`)
      ]
    : Object.keys(object).map(named)
}

/** The classes whose parts are shown as Node shows them. */
const known = [Error, Map, Set, URL, URLSearchParams]

/** What values such as an `Option` of Effect bring for a console. */
const custom = Symbol.for("nodejs.util.inspect.custom")

/**
 * A value as `console.log` of Node shows it, as far as programs of pages need it; of an error, without its stack. It never throws, and
 * what it shows is limited: a value can contain itself, throw where it is read, or be endless.
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
    if (typeof value === "function") {
      return value.name === "" ? "[Function (anonymous)]" : `[Function: ${value.name}]`
    }
    if (typeof value !== "object" || value === null || value instanceof RegExp) {
      return String(value)
    }
    if (value instanceof Date) {
      return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
    }
    if (within.includes(value)) {
      circular.push(...(circular.includes(value) ? [] : [value]))
      return `[Circular *${circular.indexOf(value) + 1}]`
    }
    const isArray = Array.isArray(value)
    if (within.length === most.levels || left < 0) {
      return isArray ? "[Array]" : "[Object]"
    }
    const isKnown = isArray || known.some((type) => value instanceof type)
    const own: unknown = isKnown ? undefined : Reflect.get(value, custom)
    const shown: unknown = typeof own === "function" ? own.call(value) : value
    if (shown !== value) {
      return typeof shown === "string" ? shown : show(shown, within)
    }
    const isError = value instanceof Error
    const parts = partsOf(value, (part) => safe(part, [...within, value]))
    const kind = kindOf(value)
    if (parts.length === 0 && isError) {
      return kind.trimEnd()
    }
    const tag = isKnown ? "[object Object]" : Object.prototype.toString.call(value)
    // A response, or a promise that the program does not await.
    if (parts.length === 0 && tag !== "[object Object]") {
      return tag
    }
    const isList = isArray || value instanceof Map || value instanceof Set
    const room = Math.max(left, 0)
    const entries = parts.slice(0, isList ? Math.min(most.elements, room) : room).map((part) => part())
    const rest = (isArray ? value.length : parts.length) - entries.length
    const more = rest > 0 ? [`... ${rest} more ${isList ? "item" : "member"}${rest === 1 ? "" : "s"}`] : []
    const text = bracketed(kind, isArray ? "[]" : "{}", [...entries, ...more], 2 * within.length, !isError)
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
