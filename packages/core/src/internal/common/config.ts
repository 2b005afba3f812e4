/**
 * Reads options from Effect's `Config`.
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { hasProperties } from "./mistakes.js"
import { refuse } from "./refuse.js"

type Check = (value: unknown) => unknown

export const optionalConfig = <A>(config: Config.Config<A>): Config.Config<A | undefined> =>
  Config.withDefault(config, undefined)

/** A value is validated as soon as it is read, so that the error names its variables. */
const readOne = (given: unknown, check: Check): Effect.Effect<unknown, ConfigError> =>
  Config.isConfig(given)
    ? Effect.flatMap(given, (value) => {
        try {
          check(value)
          return Effect.succeed(value)
        } catch (cause) {
          return refuse(given, cause)
        }
      })
    : Effect.succeed(given)

/**
 * Reads each member by itself, as an Effect: combining them into one `Config` would make the bundle larger. `check` gets
 * options with only the member that was read. The members named in `nested` are objects of members.
 */
export const readMembers = (
  given: unknown,
  check: Check,
  nested: ReadonlyArray<string> = []
): Effect.Effect<unknown, ConfigError> =>
  Config.isConfig(given) || !hasProperties(given)
    ? readOne(given, check)
    : Effect.map(
        Effect.forEach(Object.entries(given), ([name, value]) => {
          const read = nested.includes(name) ? readMembers : readOne
          return Effect.map(
            read(value, (value) => check({ [name]: value })),
            (value) => [name, value]
          )
        }),
        Object.fromEntries
      )

/**
 * Options for `layerConfig`: a plain value or a `Config` for each option, or one `Config` for all of them. Like
 * `Config.Wrap`, but plain values are allowed too.
 */
export type FromConfig<O> =
  | Config.Config<O>
  | {
      readonly [K in keyof O]:
        | O[K]
        | Config.Config<O[K]>
        // A nested object.
        | (K extends "headers" ? FromConfig<NonNullable<O[K]>> : never)
    }
