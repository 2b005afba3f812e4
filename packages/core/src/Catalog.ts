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
 * import { Effect } from "effect"
 *
 * const program = Effect.forEach([1, 30230], (id) => Catalog.anime.get({ id }, { fields: ["mean", "genres"] }))
 *
 * // Around the whole program, so that each Layer is built once.
 * export const main = Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone])
 * ```
 */
export const Catalog: CatalogOperations<EffectFace> = { anime, manga, user, forum }
