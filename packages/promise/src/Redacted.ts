/**
 * Values that printing does not show.
 */
import { make, value } from "effect/Redacted"

/**
 * A value that printing does not show, for example a token. `Redacted.value` returns it.
 *
 * @example
 * ```ts
 * import { createCatalog, Redacted } from "catalog-client"
 *
 * const token = Redacted.make("my-access-token")
 * const catalog = createCatalog({ accessToken: token })
 *
 * console.log(`${token}`)
 * console.log(catalog.accessToken === Redacted.value(token))
 * ```
 *
 * ```text
 * <redacted>
 * true
 * ```
 */
export interface Redacted<out A = string> {
  toString(): string
  toJSON(): unknown
  readonly [redacted]: A
}
declare const redacted: unique symbol

export const Redacted: {
  /** Redacts a value. */
  readonly make: <A>(value: A) => Redacted<A>
  /** The value itself. */
  readonly value: <A>(redacted: Redacted<A>) => A
} = { make, value } as never
