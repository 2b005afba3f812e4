/**
 * The embedded service on a port of this machine.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Served, type ServeOptions, start } from "#testing/node/server.js"
import { asyncDispose } from "./internal/dispose.js"

/** A service on a port, which keeps the process alive until it is closed. */
export interface ServedCatalog extends Served, AsyncDisposable {
  /** Closes the port and every connection, with calls in flight. Closing twice is fine. */
  readonly close: () => Promise<void>
}

/**
 * Starts the embedded service on a port, until it is closed. It rejects with an `Error` if it cannot listen, for
 * example because the port is in use, and with a `TypeError` if an option is invalid.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 * import { serve } from "catalog-client/testing"
 *
 * await using service = await serve()
 * const { accessToken, clientId, profile } = service
 * await using catalog = createCatalog({ profile, clientId, accessToken })
 * console.log((await catalog.user.me()).name)
 * ```
 *
 * ```text
 * sample_reader
 * ```
 */
export const serve = async (options: ServeOptions = {}): Promise<ServedCatalog> => {
  const scope = await Effect.runPromise(Scope.make())
  const started = Effect.catchAll(Scope.extend(start(options), scope), ({ cause }) => Effect.die(cause))
  const exit = await Effect.runPromiseExit(started)
  if (Exit.isFailure(exit)) {
    await Effect.runPromise(Scope.close(scope, exit))
    throw Cause.squash(exit.cause)
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= Effect.runPromise(Scope.close(scope, Exit.void)))
  return { ...exit.value, close, [asyncDispose]: close }
}
