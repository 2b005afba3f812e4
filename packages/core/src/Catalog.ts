/**
 * The operations as one namespace.
 *
 * @since 0.2.0
 */
import * as anime from "./generated/anime.js"
import type { EffectFace, Face } from "./Face.js"
import * as forum from "./generated/forum.js"
import * as manga from "./generated/manga.js"
import * as user from "./generated/user.js"

/** The operations, on any face; `D` is the default for calls without a selector. */
export interface CatalogOperations<F extends Face, D = never> {
  /** Reads and searches anime; rankings, seasons, suggestions; the caller's own entries. */
  readonly anime: anime.AnimeOperations<F, D>
  /** Reads and searches manga; rankings; the caller's own entries. */
  readonly manga: manga.MangaOperations<F, D>
  /** Profiles and lists. */
  readonly user: user.UserOperations<F, D>
  /** Boards, topics and posts. */
  readonly forum: forum.ForumOperations<F>
}

/**
 * The operations as Effects. Each needs a transport (`HttpClient`) and {@link Credentials}, and fails with the errors
 * that its own comment lists.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Effect } from "effect"
 *
 * export const anime = Catalog.anime
 *   .get({ id: 30230 }, { fields: ["mean", "genres"] })
 *   .pipe(Effect.provide([EmbeddedCatalog.layer(), Credentials.none]))
 * ```
 */
export const Catalog: CatalogOperations<EffectFace> = { anime, manga, user, forum }
