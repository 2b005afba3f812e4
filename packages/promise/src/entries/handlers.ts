/**
 * The subpath `handlers`: the routes of a server whose visitors sign in, and proxies for its pages.
 */
import type { FieldsDefault } from "#core/Face.js"
import { errorResponse as responseTo } from "#oauth/internal/responses.js"
import * as over from "../createHandlers.js"

export type { ProxyOptions } from "#oauth/internal/proxy.js"
export type { SiteOptions } from "#oauth/internal/site.js"
export type { Handler, Handlers, HandlersOptions, OperationName, ProxyHandlerOptions } from "../createHandlers.js"
export { type NodeRequest, type NodeResponse, toNode } from "../toNode.js"

/**
 * Makes the routes of a server whose visitors sign in, over its sessions: login, callback, logout, and a proxy for its pages.
 * Each takes a web `Request`, and returns a `Response`.
 *
 * Throws a `TypeError` that names an invalid option.
 *
 * @example
 * ```ts
 * import { createHandlers } from "catalog-client/handlers"
 * import type { Sessions } from "catalog-client/oauth"
 *
 * export const authOver = (sessions: Sessions) =>
 *   createHandlers({
 *     sessions,
 *     afterSignIn: "/me",
 *     proxy: { prefix: "/catalog", operations: ["anime.get", "user.me"], writes: ["anime.updateMyListStatus"] }
 *   })
 * ```
 */
export const createHandlers: <const D extends FieldsDefault | undefined = never>(
  options: over.HandlersOptions<D>
) => over.Handlers<D> = over.createHandlers

/**
 * Makes a proxy for the pages of a site, which adds the credentials of a catalog. Only the reads that it names pass. Pages of
 * other sites are refused, as far as browsers name them.
 *
 * Throws a `TypeError` that names an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 * import { createProxy } from "catalog-client/handlers"
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 * const GET = createProxy({ catalog, prefix: "/catalog", operations: ["anime.get", "anime.search"] })
 *
 * for (const path of ["anime/30230", "users/@me"]) {
 *   const { status } = await GET(new Request(`https://app.example/catalog/${path}`))
 *   console.log(path, status)
 * }
 * ```
 *
 * ```text
 * anime/30230 200
 * users/@me 404
 * ```
 */
export const createProxy: (options: over.ProxyHandlerOptions) => over.Handler = over.createProxy

/**
 * The response to an error of the client: its status and JSON with an `error` and a `message`, which do not contain the error's
 * own. `undefined` for any other value, for example a mistake in the program.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 * import { errorResponse } from "catalog-client/handlers"
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 *
 * const titleOf = async (id: number): Promise<Response> => {
 *   try {
 *     return Response.json((await catalog.anime.get({ id })).title)
 *   } catch (error) {
 *     const response = errorResponse(error)
 *     if (response === undefined) throw error
 *     return response
 *   }
 * }
 *
 * console.log((await titleOf(30230)).status, (await titleOf(999_999)).status)
 * ```
 *
 * ```text
 * 200 404
 * ```
 */
export const errorResponse: (error: unknown) => Response | undefined = responseTo
