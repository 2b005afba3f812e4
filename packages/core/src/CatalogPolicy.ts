/**
 * What may stand around an exchange.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"

/** What a policy knows of a call. */
export interface CatalogCall {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  readonly method: "GET" | "PATCH" | "DELETE"
  /** The whole URL, query included: together with `credentials` it tells two reads apart. */
  readonly url: string
  /** What was given to the operation. */
  readonly params: object
  /** The credentials that are sent. `Equal.equals` compares what they hold; printing shows nothing. */
  readonly credentials: {
    readonly accessToken: Option.Option<Redacted.Redacted<string>>
    readonly clientId: Option.Option<Redacted.Redacted<string>>
  }
  /** Whether making the exchange twice has the effect of making it once. */
  readonly idempotent: boolean
}

/**
 * A function from a call and its attempt to an Effect with the same reply and errors.
 *
 * The attempt is one exchange: headers, body, judgement, under the call's timeout. It can be run never, once or more often.
 */
export interface Policy {
  <A, R>(
    call: CatalogCall,
    attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  ): Effect.Effect<A, ClientRestError | ClientNetworkError, R>
}

const identity: Policy = (_, attempt) => attempt

/**
 * The policy around every exchange; by default there is none: one call is one exchange.
 *
 * It is applied after the rules and the credentials, and inside the call's `signal`: retries, caches and limiters have
 * their place here and not around `HttpClient`, which ends at the headers and knows no operation.
 *
 * @example
 * ```ts
 * import { CatalogPolicy } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const logged = CatalogPolicy.layer((call, attempt) =>
 *   Effect.tapError(attempt, (error) => Effect.logDebug(`${call.operation}: ${error._tag}`))
 * )
 * ```
 */
export class CatalogPolicy extends Context.Reference<CatalogPolicy>()("@catalog-client/core/CatalogPolicy", {
  defaultValue: () => identity
}) {
  /** Puts a policy around every exchange, in place of the one that is there. */
  static layer(policy: Policy): Layer.Layer<never> {
    return Layer.succeed(CatalogPolicy, policy)
  }
}
