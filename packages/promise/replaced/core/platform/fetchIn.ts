/**
 * The `fetch` of a transport: no program can set options in a context.
 */
import type * as Context from "effect/Context"
import { serviceAt } from "#core/internal/common/fiber.js"
import { Fetch } from "#core/platform/httpClient.js"

export const fetchIn = (transport: Context.Context<never>) => {
  const fetch = (serviceAt(transport, Fetch.key) ?? globalThis.fetch) as typeof globalThis.fetch
  return async (url: URL, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> => {
    const response = await fetch(url, init)
    if (init.signal.aborted) {
      // For a `fetch` that ignores its signal.
      await response.body?.cancel()
      throw init.signal.reason
    }
    return response
  }
}
