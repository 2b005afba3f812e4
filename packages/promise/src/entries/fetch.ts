import * as Layer from "effect/Layer"
import { overFetch } from "#core/platform/fetch.js"
import { HttpClient } from "#core/platform/httpClient.js"
import type { FieldsDefault } from "#core/Face.js"
import type { PromiseCatalog } from "#core/PromiseCatalog.js"
import { type CreateCatalogOptions, createCatalogOver, type TransportOptions } from "../createCatalog.js"

export * from "../index.js"

/** Looked up on each call, because a page can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

const transport = ({ dispatcher, fetch = platformFetch }: TransportOptions, where: string) => {
  if (dispatcher !== undefined) {
    throw new TypeError(`${where}: dispatcher is for Node: pass fetch`)
  }
  if (typeof fetch !== "function") {
    throw new TypeError(`${where}: fetch must be a function like the web's fetch`)
  }
  return Layer.succeed(HttpClient, overFetch(fetch))
}

/**
 * Makes a catalog. It sends with the platform's `fetch` unless another one is set.
 *
 * Throws a `TypeError` that names an invalid option, for example a malformed base URL or a negative timeout.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 *
 * export const titleOf = async (id: number) => (await catalog.anime.get({ id })).title
 * ```
 */
export const createCatalog: <const D extends FieldsDefault | undefined = never>(
  options?: CreateCatalogOptions<D>
) => PromiseCatalog<D> = createCatalogOver({ transport })
