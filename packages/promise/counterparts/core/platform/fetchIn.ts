/**
 * The `fetch` of a transport: no program can set options in a context.
 */
import type * as Context from "effect/Context"
import { serviceAt } from "#core/internal/common/fiber.js"
import { Fetch } from "#core/platform/httpClient.js"

export const fetchIn = (transport: Context.Context<never>) =>
  (serviceAt(transport, Fetch.key) ?? globalThis.fetch) as (url: URL, request: RequestInit) => Promise<Response>
