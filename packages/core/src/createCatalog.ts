/**
 * Makes a catalog of promises.
 *
 * @since 0.2.0
 */
import { Catalog } from "./Catalog.js"
import type { FieldsDefault } from "./Face.js"
import { PromiseCatalogLive } from "./internal/promise/catalog.js"
import type { CatalogOptions, PromiseCatalog, TransportOptions } from "./PromiseCatalog.js"

/**
 * Makes a catalog of promises. It sends with the platform's `fetch`, unless `transport` or another `fetch` is set. The
 * `createCatalog` of `@catalog-client/node` sends with Node's HTTP client.
 *
 * Throws a `TypeError` that names an invalid option, for example a malformed base URL or a negative timeout.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 *
 * export const titleOf = async (id: number) => (await catalog.anime.get({ id })).title
 * ```
 */
export const createCatalog = <const D extends FieldsDefault | undefined = never>(
  options: CatalogOptions<D> & TransportOptions = {}
): PromiseCatalog<D> => new PromiseCatalogLive(options, Catalog)
