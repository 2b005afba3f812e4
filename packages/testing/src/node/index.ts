/**
 * The embedded catalog service on a port of this machine, recordings in files, and all of `@catalog-client/testing`.
 *
 * @since 0.2.0
 */
import type { ServeError } from "@effect/platform/HttpServerError"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { RecordingStore } from "../index.js"
import { type Served, type ServeOptions, start } from "./server.js"

export * from "../index.js"
export type { Served, ServeOptions } from "./server.js"

/**
 * The embedded service on a port, as an Effect service.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
 * import * as CatalogNode from "@catalog-client/node"
 * import { EmbeddedServer } from "@catalog-client/testing/node"
 * import { Effect } from "effect"
 *
 * export const anime = Effect.flatMap(EmbeddedServer, ({ url }) =>
 *   Catalog.anime.get({ id: 30230 }).pipe(CatalogConfig.with({ baseUrl: url }))
 * ).pipe(Effect.provide([EmbeddedServer.layer(), Credentials.none, CatalogNode.layer]))
 * ```
 */
export class EmbeddedServer extends Context.Tag("@catalog-client/testing/EmbeddedServer")<EmbeddedServer, Served>() {
  /**
   * Starts the service and stops it with the scope. Its time is that of the `Clock` of the fiber that starts it. Fails with a
   * `ServeError` if it cannot listen on the port; an invalid option is a `TypeError` and a defect.
   */
  static make(options: ServeOptions = {}): Effect.Effect<Served, ServeError, Scope.Scope> {
    return start(options)
  }

  /** The same as a Layer. */
  static layer(options: ServeOptions = {}): Layer.Layer<EmbeddedServer, ServeError> {
    return Layer.scoped(EmbeddedServer, EmbeddedServer.make(options))
  }
}

/** A service on a port, which keeps the process alive until it is closed. */
export interface ServedCatalog extends Served, AsyncDisposable {
  /** Closes the port and every connection, with calls in flight. Closing twice is fine. */
  readonly close: () => Promise<void>
}

/**
 * Starts the embedded service on a port, for programs with promises. It rejects with an `Error` if it cannot listen, for
 * example because the port is in use, and with a `TypeError` if an option is invalid.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/node"
 * import { serve } from "@catalog-client/testing/node"
 *
 * await using service = await serve({ port: 4010 })
 * const { accessToken, clientId, profile } = service
 * await using catalog = createCatalog({ profile, clientId, accessToken })
 * console.log((await catalog.user.me()).name)
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
  return { ...exit.value, close, [Symbol.asyncDispose]: close }
}

/**
 * A recording in a file, for a recorder. A path is relative to the working directory, a URL can be relative to the test:
 * `new URL("recordings/search.json", import.meta.url)`. Writing creates the folders, and replaces the file as a whole.
 *
 * @example
 * ```ts
 * import { createRecorder } from "@catalog-client/testing"
 * import { createCatalog } from "@catalog-client/node"
 * import { recordingFile } from "@catalog-client/testing/node"
 *
 * export const titleOf = async (id: number) => {
 *   await using recorder = await createRecorder({ store: recordingFile("test/recordings/title.json"), mode: "auto" })
 *   await using catalog = createCatalog({ fetch: recorder.fetch, clientId: process.env["CATALOG_CLIENT_ID"] })
 *   return (await catalog.anime.get({ id })).title
 * }
 * ```
 */
export const recordingFile = (path: string | URL): RecordingStore => {
  const file = typeof path === "string" ? path : fileURLToPath(path)
  return {
    name: file,
    read: () =>
      readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") {
          return undefined
        }
        throw error
      }),
    write: async (text) => {
      await mkdir(dirname(file), { recursive: true })
      const next = `${file}.${randomUUID()}.tmp`
      try {
        await writeFile(next, text)
        await rename(next, file)
      } finally {
        await rm(next, { force: true })
      }
    }
  }
}
