/**
 * The names that many works share, and values that are made from a number.
 *
 * @since 0.2.0
 */
import type { Named } from "../Dataset.js"
import { genres } from "./sample.js"

/** The value that a row names. A test finds a name that is missing. */
export const named = <A>(all: Readonly<Record<string, A>>, name: string): A => {
  const value = all[name]
  if (value === undefined) {
    throw new RangeError(`the sample has no ${name}`)
  }
  return value
}

/** Genres, themes and demographics of a kind, by the names in its rows. */
export const genresOf = (kind: "anime" | "manga"): Readonly<Record<string, Named>> => ({
  ...genres.both,
  ...genres[kind]
})

/** The cover of a work, on a host that does not exist. */
export const pictureOf = (
  kind: "anime" | "manga",
  id: number
): { readonly medium: string; readonly large: string } => ({
  medium: `https://images.example/${kind}/${id}.jpg`,
  large: `https://images.example/${kind}/${id}l.jpg`
})

/** Seconds since 1970 in the service's time format. */
export const moment = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`

/** When a record was created and last updated: any times, as long as they stay the same. */
export const stampsOf = (id: number): { readonly created_at: string; readonly updated_at: string } => ({
  created_at: moment(1_136_073_600 + (id % 65_521) * 9_000),
  updated_at: moment(1_735_689_600 + ((id * 7_919) % 33_000_000))
})

/** The season of a day; `undefined` if the date has no month. */
export const seasonOf = (
  date: string
): { readonly year: number; readonly season: "winter" | "spring" | "summer" | "fall" } | undefined => {
  const month = Number(date.slice(5, 7))
  if (month === 0) {
    return undefined
  }
  const season = month < 4 ? "winter" : month < 7 ? "spring" : month < 10 ? "summer" : "fall"
  return { year: Number(date.slice(0, 4)), season }
}
