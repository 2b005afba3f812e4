/**
 * The file that the service exports and imports lists as.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import { type Export, readXml } from "./internal/xml.js"
import { InvalidExport } from "./SyncError.js"

export type { Export } from "./internal/xml.js"

/**
 * Reads the file that the service exports a list as; unpack a `.gz` first. An element that is missing or empty is left out, and
 * a value that the service does not take becomes a problem of the plan. `update_on_import` is ignored: the rule of the plan
 * decides.
 *
 * Fails with `InvalidExport` if the string is no such file, or only its beginning.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { Effect } from "effect"
 *
 * const xml = `<myanimelist>
 *   <anime><series_animedb_id>30230</series_animedb_id><my_status>Watching</my_status></anime>
 * </myanimelist>`
 * const file = await Effect.runPromise(Sync.fromXml(xml))
 * const current = new Map<number, Sync.Entry>()
 *
 * console.log(Sync.describe(Sync.plan({ ...file, current })))
 * ```
 *
 * ```text
 * add 30230 | status "watching"
 * 1 change, 0 entries stay, 0 problems
 * ```
 */
export const fromXml = (text: string): Effect.Effect<Export, InvalidExport> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(readXml(text))
    } catch (error) {
      if (error instanceof SyntaxError) {
        return Effect.fail(new InvalidExport({ message: error.message }))
      }
      throw error
    }
  })
