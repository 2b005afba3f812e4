/**
 * The operations as one namespace.
 *
 * @since 0.2.0
 */
import * as anime from "./generated/anime.js"
import type { EffectFace } from "./Face.js"
import * as forum from "./generated/forum.js"
import * as manga from "./generated/manga.js"
import type { CatalogOperations } from "./internal/client/service.js"
import * as user from "./generated/user.js"

// A program's declarations name it by this module.
export type { CatalogOperations } from "./internal/client/service.js"

/**
 * The operations as Effects. Each needs a transport (`HttpClient`) and {@link Credentials}, and its type lists the errors
 * that it can fail with.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   for (const id of [1, 30230]) {
 *     const { mean, title } = yield* Catalog.anime.get({ id }, { fields: ["mean"] })
 *     yield* Console.log(title, mean)
 *   }
 * })
 *
 * // Around the whole program, so that each Layer is built once.
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * Cowboy Bebop 8.75
 * Diamond no Ace: Second Season 8.3
 * ```
 */
export const Catalog: CatalogOperations<EffectFace> = { anime, manga, user, forum }
