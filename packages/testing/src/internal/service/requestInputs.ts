/** Inputs of a request, as the service reads and validates them. */
import { badRequest } from "./response.js"

/** The parameters of a query, by their names; of a repeated one, the last counts. */
export type Query<Names extends string> = { readonly [Name in Names]?: string | undefined }

/** The parameters of lists of works. */
export type Works = "limit" | "offset" | "fields" | "nsfw"

const digits = /^\d{1,15}$/

/** A number from the path; anything else matches no item. */
export const idOf = (text: string): number | undefined => (digits.test(text) ? Number(text) : undefined)

/** A whole number within its range; a number out of range is refused and not clamped, so that a client sees its mistake. */
export const whole = <Otherwise>(
  text: string | undefined,
  name: string,
  otherwise: Otherwise,
  min = 0,
  max = Number.MAX_SAFE_INTEGER
): number | Otherwise => {
  if (text === undefined) {
    return otherwise
  }
  const number = idOf(text)
  if (number === undefined || number < min || number > max) {
    throw badRequest(`invalid ${name}`)
  }
  return number
}

/** The meaning of a known word; any other is refused. */
export const oneOf = <A, Otherwise>(
  word: string | undefined,
  name: string,
  words: ReadonlyMap<string, A>,
  otherwise: Otherwise
): A | Otherwise => {
  if (word === undefined) {
    return otherwise
  }
  const meaning = words.get(word)
  if (meaning === undefined) {
    throw badRequest(`invalid ${name}`)
  }
  return meaning
}

/** Whether works marked gray or black are shown. */
export const showsAll = ({ nsfw }: Query<"nsfw">): boolean => /^(true|1)$/i.test(nsfw ?? "")
