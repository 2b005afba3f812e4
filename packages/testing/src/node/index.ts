/**
 * The embedded service on a port of this machine, recordings in files, and all of `@catalog-client/testing`.
 *
 * @since 0.2.0
 */
import type { ServeError } from "@effect/platform/HttpServerError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
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
 * ).pipe(Effect.provide([EmbeddedServer.layer(), Credentials.layerNone, CatalogNode.layer]))
 * ```
 */
export class EmbeddedServer extends Context.Tag("@catalog-client/testing/EmbeddedServer")<EmbeddedServer, Served>() {
  /**
   * Starts the service and stops it with the scope. Its time is that of the `Clock` of the fiber that starts it. Fails with
   * Effect's `ServeError` if it cannot listen on the port; an invalid option is a `TypeError` and a defect.
   */
  static make(options: ServeOptions = {}): Effect.Effect<Served, ServeError, Scope.Scope> {
    return start(options)
  }

  /** The same as a Layer. */
  static layer(options: ServeOptions = {}): Layer.Layer<EmbeddedServer, ServeError> {
    return Layer.scoped(EmbeddedServer, EmbeddedServer.make(options))
  }
}

/**
 * A recording in a file, for a recorder. A path is relative to the working directory, a URL can be relative to the test:
 * `new URL("recordings/search.json", import.meta.url)`. Writing creates the folders, and replaces the file as a whole.
 *
 * @example
 * ```ts
 * import { Transport } from "@catalog-client/core"
 * import { Recorder } from "@catalog-client/testing"
 * import { recordingFile } from "@catalog-client/testing/node"
 * import { Layer } from "effect"
 *
 * export const recorded = Recorder.layer({ store: recordingFile("test/recordings/title.json"), mode: "auto" }).pipe(
 *   Layer.provide(Transport.layerFetch)
 * )
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
