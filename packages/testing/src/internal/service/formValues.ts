/** Values of the form that changes a list entry, validated as the service does. */
import { type JsonType, word as typeOfWords } from "./jsonType.js"
import type { FormField } from "./kind.js"
import { badRequest } from "./response.js"
import type { Entry, Item } from "./store.js"

const invalid = (name: string) => badRequest(`invalid ${name}`)

const number = /^-?\d+(\.\d+)?$/

const numeric = (name: string, value: string): number => {
  const text = value.trim()
  if (!number.test(text)) {
    throw invalid(name)
  }
  return Number(text)
}

/** A kind of value: its type, and how it is read. */
interface Value<A> {
  readonly type: JsonType
  readonly read: (value: string, name: string) => A
}

const upTo = (max: number): JsonType => ({
  type: "integer",
  minimum: 0,
  ...(max < Number.MAX_SAFE_INTEGER && { maximum: max })
})

/** A number within a range, rounded to the nearest whole number. */
export const rounded = (max: number): Value<number> => ({
  type: { ...upTo(max), type: "number" },
  read: (value, name) => {
    const amount = numeric(name, value)
    if (amount < 0 || amount > max) {
      throw invalid(name)
    }
    return Math.round(amount)
  }
})

/** A whole number within a range. */
export const whole = (max = Number.MAX_SAFE_INTEGER): Value<number> => ({
  type: upTo(max),
  read: (value, name) => {
    const amount = numeric(name, value)
    if (!Number.isInteger(amount) || amount < 0 || amount > max) {
      throw invalid(name)
    }
    return amount
  }
})

/** Progress is limited to the number of episodes, chapters or volumes; 0 means that the number is unknown. */
export const progress = <I extends Item, E extends Entry>(
  name: string,
  total: (item: I) => number,
  change: (amount: number) => Partial<E>
): [string, FormField<I, E>] => [
  name,
  {
    type: { type: "integer", minimum: 0 },
    read: (value, item) => {
      const most = total(item) === 0 ? Number.MAX_SAFE_INTEGER : total(item)
      const kept = change(Math.min(Math.max(Math.trunc(numeric(name, value)), 0), most))
      return (entry) => ({ ...entry, ...kept })
    }
  }
]

const flags = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false]
])

export const flag: Value<boolean> = {
  type: { type: "boolean" },
  read: (value, name) => {
    const flag = flags.get(value.trim().toLowerCase())
    if (flag === undefined) {
      throw invalid(name)
    }
    return flag
  }
}

export const word = (words: ReadonlyArray<string>): Value<string> => ({
  type: typeOfWords(...words),
  read: (value, name) => {
    if (!words.includes(value)) {
      throw invalid(name)
    }
    return value
  }
})

export const text: Value<string> = { type: { type: "string" }, read: (value) => value }

export const tags: Value<ReadonlyArray<string>> = {
  type: { type: "string", description: "Separated by commas.", examples: ["baseball,school"] },
  read: (value) =>
    value
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "")
}

const datePattern = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/

/** The date with two digits for month and day; undefined if there is no such day. */
const isoDate = (value: string): string | undefined => {
  const parts = datePattern.exec(value)
  if (parts === null) {
    return undefined
  }
  const month = Number(parts[2] ?? 1)
  const day = Number(parts[3] ?? 1)
  const there = new Date(Date.UTC(Number(parts[1]), month - 1, day))
  if (there.getUTCMonth() !== month - 1 || there.getUTCDate() !== day) {
    return undefined
  }
  return parts
    .slice(1)
    .filter((part) => part !== undefined)
    .map((part) => part.padStart(2, "0"))
    .join("-")
}

/** A day, a month or a year, kept with two digits for month and day (`2020-1-1`); an empty value clears the date. */
export const date = <E extends Entry>(name: "start_date" | "finish_date"): [string, FormField<Item, E>] => [
  name,
  {
    type: {
      type: "string",
      description: "A day, a month or a year; empty for none.",
      examples: ["2020-01-31", "2020"]
    },
    read: (value) => {
      const date = isoDate(value)
      if (value !== "" && date === undefined) {
        throw invalid(name)
      }
      return (entry) => {
        const { [name]: _, ...rest } = entry
        return (date === undefined ? rest : { ...rest, [name]: date }) as E
      }
    }
  }
]

/** Fields whose valid value is kept unchanged. */
export const keeping =
  <E extends Entry>() =>
  <Name extends keyof E & string>(name: Name, { read, type }: Value<E[Name]>): [string, FormField<Item, E>] => [
    name,
    {
      type,
      read: (value) => {
        const kept = read(value, name)
        return (entry) => ({ ...entry, [name]: kept })
      }
    }
  ]
