/**
 * Reports what was left out of a reply: to the log once, and each time to metrics, spans and hooks.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallEvent, MismatchEvent } from "../../CatalogHooks.js"
import * as Client from "../../platform/httpClient.js"
import type { Call } from "../call/call.js"
import { contextOf, withFiber } from "../common/fiber.js"
import { memoize } from "../common/memoize.js"
import { notify } from "./hooks.js"
import * as Meters from "./meters.js"

/** What was left out of a reply at one path. */
export type Mismatch = Omit<MismatchEvent, keyof CallEvent>

/** The paths that were warned of, for each client. */
const warned = /*#__PURE__*/ memoize((_client: object) => new Set<string>())

/** How many paths are remembered, and so the most warnings. */
const most = 256

/** Reports the mismatches of a reply. */
export const report = (call: Call, mismatches: ReadonlyArray<Mismatch>): Effect.Effect<void> =>
  withFiber((fiber) => {
    const { operation } = call
    // Views and layers of one program share the client.
    const paths = warned(Context.unsafeGet(contextOf(fiber), Client.HttpClient))
    return Effect.forEach(
      mismatches,
      (mismatch) => {
        Meters.mismatched(fiber, operation.name, mismatch)
        const { expected, found, path } = mismatch
        const about = `${operation.name}: ${path} of the reply`
        const notified = notify(call, "onMismatch", mismatch)
        if (paths.has(about) || paths.size === most) {
          return notified
        }
        paths.add(about)
        return Effect.zipRight(
          Effect.logWarning(
            `${about} was omitted (logged once): expected ${expected}, found ${found}. The service may have changed: look for a newer version of this client.`
          ),
          notified
        )
      },
      { discard: true }
    )
  })
