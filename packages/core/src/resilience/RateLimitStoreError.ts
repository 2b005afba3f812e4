/**
 * The error of a rate limit's store.
 *
 * @since 0.2.0
 */
import * as Data from "effect/Data"

/**
 * What a `Resilience.RateLimitStore` fails with. A call fails with `ClientNetworkError`, `reason: "RateLimitStore"`, and has the
 * same cause.
 *
 * @example
 * ```ts
 * import { Resilience } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * const ask = <A>(send: () => Promise<A>) =>
 *   Effect.tryPromise({ try: send, catch: (cause) => new Resilience.RateLimitStoreError({ cause }) })
 *
 * export const storeOver = (db: { readonly take: () => Promise<number>; readonly hold: (millis: number) => Promise<void> }) =>
 *   Resilience.RateLimitStore.of({ take: () => ask(db.take), hold: (_, millis) => ask(() => db.hold(millis)) })
 * ```
 */
export class RateLimitStoreError
  extends /*#__PURE__*/ Data.TaggedError("RateLimitStoreError")<{
    /** What the database reported. */
    readonly cause: unknown
  }>
{
  override get message(): string {
    return String(this.cause)
  }
}
