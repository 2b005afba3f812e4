/**
 * Makes a catalog of promises.
 *
 * @since 0.2.0
 */
import { Catalog } from "./Catalog.js"
import type { FieldsDefault } from "./Face.js"
import { PromiseCatalogLive } from "./internal/promise/catalog.js"
import type { CreateCatalogOptions, PromiseCatalog } from "./PromiseCatalog.js"

/**
 * Makes a catalog of promises over any transport. `@catalog-client/node` and `@catalog-client/browser` have a
 * `createCatalog` with a transport built in.
 *
 * Throws a `TypeError` that names an invalid option, for example a malformed base URL or a negative timeout.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 *
 * const catalog = createCatalog({ fetch, clientId: "my-client-id" })
 *
 * export const titleOf = async (id: number) => (await catalog.anime.get({ id })).title
 * ```
 */
export const createCatalog = <const D extends FieldsDefault | undefined = never>(
  options: CreateCatalogOptions<D>
): PromiseCatalog<D> => new PromiseCatalogLive(options, Catalog)
