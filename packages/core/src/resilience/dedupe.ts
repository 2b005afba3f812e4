/**
 * Asking once for what several callers want at the same time.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../CatalogPolicy.js"
import { requestOf, settle, thenForget } from "./reading.js"

type Attempt = Effect.Effect<unknown, ClientRestError | ClientNetworkError>

/** A read as it is asked for, equal to every other with which it can share. */
class Reading implements Equal.Equal {
  constructor(
    readonly sharing: unknown,
    readonly attempt: Attempt
  ) {}

  [Equal.symbol](that: unknown): boolean {
    return that instanceof Reading && Equal.equals(this.sharing, that.sharing)
  }

  [Hash.symbol](): number {
    return Hash.hash(this.sharing)
  }
}

/**
 * Lets equal reads that are in flight share one exchange: same URL, same credentials and headers, same `timeout`. Nothing is
 * kept when it has ended.
 *
 * The exchange is that of the first caller, with the policies inside of it and the span around it. Whoever cancels, or is
 * out of `totalTimeout`, leaves it to the others; with the last one it ends. A read that begins after a write has ended does
 * not share what began before. The reply is one object for all: it is frozen.
 *
 * The value holds the state: catalogs that are given the same one share it, and should live as long as each other.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "@catalog-client/core"
 *
 * const catalog = createCatalog({ fetch, policies: [Resilience.dedupe()] })
 *
 * // Two parts of a page, and one request.
 * export const both = () => Promise.all([catalog.anime.get({ id: 30230 }), catalog.anime.get({ id: 30230 })])
 * ```
 */
export const dedupe = (): Policy => {
  // Made where nothing can end it: what is in it ends with its last caller.
  const inFlight = Effect.runSync(
    Effect.flatMap(Scope.make(), (scope) =>
      Scope.extend(RcMap.make({ lookup: ({ attempt }: Reading) => Effect.tap(attempt, settle) }), scope)
    )
  )

  /** Writes that have ended: what is read after one is not what was asked for before. */
  let writes = 0
  const written = Effect.sync(() => {
    writes++
  })

  const policy: Policy = <A, R>(
    call: CatalogCall,
    attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  ) =>
    call.method === "GET"
      ? Effect.scoped(
          Effect.flatMap(requestOf(call), (request) => {
            const sharing = Data.tuple(request, call.timeout, writes)
            // What the first one requires is in its context; of equal requests the replies are of one type.
            return RcMap.get(inFlight, new Reading(sharing, attempt as Attempt)) as typeof attempt
          })
        )
      : thenForget(attempt, written)
  return Object.assign(policy, { stage: "dedupe" as const })
}
