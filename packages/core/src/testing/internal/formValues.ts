/** Values of the form that changes a list entry, validated as the service does. */
import * as Either from "effect/Either"
import { badRequest, type Refusal } from "./response.js"
import type { Entry } from "./store.js"

type Result<A> = Either.Either<A, Refusal>

const invalid = (name: string) => Either.left(badRequest(`invalid ${name}`))

const number = /^-?\d+(\.\d+)?$/

const numeric = (name: string, value: string): Result<number> => {
  const text = value.trim()
  return number.test(text) ? Either.right(Number(text)) : invalid(name)
}

/** Within a range, to the nearest whole number. */
export const rounded =
  (max: number) =>
  (value: string, name: string): Result<number> =>
    Either.flatMap(numeric(name, value), (amount) =>
      amount < 0 || amount > max ? invalid(name) : Either.right(Math.round(amount))
    )

/** A whole number within a range. */
export const whole =
  (max = Number.MAX_SAFE_INTEGER) =>
  (value: string, name: string): Result<number> =>
    Either.flatMap(numeric(name, value), (amount) =>
      Number.isInteger(amount) && amount >= 0 && amount <= max ? Either.right(amount) : invalid(name)
    )

/** Progress is limited to the number of episodes, chapters or volumes; 0 means that the number is unknown. */
export const progress = (value: string, name: string, total: number): Result<number> =>
  Either.map(numeric(name, value), (amount) =>
    Math.min(Math.max(Math.trunc(amount), 0), total === 0 ? Number.MAX_SAFE_INTEGER : total)
  )

export const flag = (value: string, name: string): Result<boolean> => {
  const word = value.trim().toLowerCase()
  return word === "true" || word === "1"
    ? Either.right(true)
    : word === "false" || word === "0"
      ? Either.right(false)
      : invalid(name)
}

export const word =
  (words: ReadonlyArray<string>) =>
  (value: string, name: string): Result<string> =>
    words.includes(value) ? Either.right(value) : invalid(name)

export const text = (value: string): Result<string> => Either.right(value)

export const tags = (value: string): Result<ReadonlyArray<string>> =>
  Either.right(
    value
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "")
  )

const datePattern = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/

/** The date with two digits for month and day; undefined if there is no such day. */
const isoDate = (value: string): string | undefined => {
  const parts = datePattern.exec(value)
  if (parts === null) return undefined
  const month = Number(parts[2] ?? 1)
  const day = Number(parts[3] ?? 1)
  const there = new Date(Date.UTC(Number(parts[1]), month - 1, day))
  if (there.getUTCMonth() !== month - 1 || there.getUTCDate() !== day) return undefined
  return parts
    .slice(1)
    .filter((part) => part !== undefined)
    .map((part) => part.padStart(2, "0"))
    .join("-")
}

/** A day, a month or a year, kept with two digits for month and day (`2020-1-1`); an empty value clears the date. */
export const date =
  <E extends Entry>(name: "start_date" | "finish_date") =>
  (value: string): Result<(entry: E) => E> => {
    const date = isoDate(value)
    return value !== "" && date === undefined
      ? invalid(name)
      : Either.right((entry) => {
          const { [name]: _, ...rest } = entry
          return (date === undefined ? rest : { ...rest, [name]: date }) as E
        })
  }

/** Fields whose valid value is kept as it is. */
export const keeping =
  <E extends Entry>() =>
  <Name extends keyof E & string>(
    name: Name,
    validate: (value: string, name: string) => Result<E[Name]>
  ): [string, (value: string) => Result<(entry: E) => E>] => [
    name,
    (value) => Either.map(validate(value, name), (kept) => (entry) => ({ ...entry, [name]: kept }))
  ]
