/** Inputs of a request, as the service reads and validates them. */
import * as Either from "effect/Either"
import { badRequest, type Refusal } from "./response.js"

/** A parameter as the declaration has it: if it is repeated, the last one counts. */
export type Input = string | ReadonlyArray<string> | undefined

/** The parameters of a query, by their names. */
export type Query<Names extends string> = { readonly [Name in Names]?: Input }

export const last = (input: Input): string | undefined => (typeof input === "object" ? input.at(-1) : input)

const digits = /^\d{1,15}$/

/** A number from the path; anything else matches no item. */
export const idOf = (text: string): number | undefined => (digits.test(text) ? Number(text) : undefined)

/** A whole number within its range; a number out of range is refused and not clamped, so that a client sees its mistake. */
export const whole = <Otherwise>(
  input: Input,
  name: string,
  otherwise: Otherwise,
  min = 0,
  max = Number.MAX_SAFE_INTEGER
): Either.Either<number | Otherwise, Refusal> => {
  const text = last(input)
  if (text === undefined) {
    return Either.right(otherwise)
  }
  const number = idOf(text)
  return number !== undefined && number >= min && number <= max
    ? Either.right(number)
    : Either.left(badRequest(`invalid ${name}`))
}

/** The meaning of a known word; any other is refused. */
export const oneOf = <A, Otherwise>(
  input: Input,
  name: string,
  words: ReadonlyMap<string, A>,
  otherwise: Otherwise
): Either.Either<A | Otherwise, Refusal> => {
  const word = last(input)
  if (word === undefined) {
    return Either.right(otherwise)
  }
  const meaning = words.get(word)
  return meaning === undefined ? Either.left(badRequest(`invalid ${name}`)) : Either.right(meaning)
}

export type Works = Query<"limit" | "offset" | "fields" | "nsfw">

/** Whether works marked gray or black are shown. */
export const showsAll = ({ nsfw }: Works): boolean => {
  const word = last(nsfw)?.toLowerCase()
  return word === "true" || word === "1"
}
