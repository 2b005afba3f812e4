/**
 * The client: `createCatalog`, its operations, errors, guards and policies. One import has all of it.
 */
import type { FieldsDefault } from "#core/Face.js"
import type { CatalogOptions } from "../CatalogOptions.js"
import type { CatalogFor } from "../Catalog.js"
import { type CreateCatalogOf, createCatalogOfOver, createCatalogOver } from "../createCatalog.js"
import type { TransportOptions } from "../platform.js"
import { platform } from "../platform/node.js"

export * from "../index.js"

/**
 * Makes a catalog. It sends with undici, which the first call loads, unless `fetch` or a `dispatcher` is set.
 *
 * Throws a `TypeError` that names an invalid option, for example a malformed base URL or a negative timeout.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 *
 * const anime = await catalog.anime.get({ id: 30230 }, { fields: ["mean"] })
 * console.log(`${anime.title}: ${anime.mean}`)
 * ```
 *
 * ```text
 * Diamond no Ace: Second Season: 8.3
 * ```
 */
export const createCatalog: <const D extends FieldsDefault | undefined = never>(
  options?: CatalogOptions<D> & TransportOptions
) => CatalogFor<D> = /*#__PURE__*/ createCatalogOver(platform)

/**
 * Makes a catalog of some operations, for a page that should bundle no others: it is like that of {@link createCatalog},
 * without the operations that are not passed.
 *
 * @example
 * ```ts
 * import { createCatalogOf } from "catalog-client"
 * import { get } from "catalog-client/anime"
 *
 * const catalog = createCatalogOf({ anime: { get } }, { baseUrl: "/catalog" })
 *
 * export const titleOf = async (id: number) => (await catalog.anime.get({ id })).title
 * ```
 */
export const createCatalogOf: CreateCatalogOf = /*#__PURE__*/ createCatalogOfOver(platform)
