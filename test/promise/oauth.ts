/**
 * `@catalog-client/core/oauth` for the tests that run against `catalog-client`.
 */
import type * as core from "@catalog-client/core/oauth"
import * as own from "catalog-client/oauth"
import { over, textStoreOf } from "./adapt.js"

export * from "@catalog-client/core/oauth"
export { PendingAuthorization, Tokens, UnreadableTokens } from "catalog-client/oauth"

type Stores = { readonly store?: unknown; readonly pending?: unknown }

export const createSession = (({ store, ...options }: Stores) =>
  over(own.createSession, {
    ...options,
    ...(store !== undefined && { store: textStoreOf(store) })
  })) as never as typeof core.createSession

const storesOf = (stores: unknown): unknown =>
  typeof stores === "function" ? (user: string) => textStoreOf((stores as (user: string) => unknown)(user)) : stores

export const createSessions = (({ pending, store, ...options }: Stores) =>
  over(own.createSessions as never, {
    ...options,
    store: storesOf(store),
    ...(pending !== undefined && { pending: storesOf(pending) })
  })) as never as typeof core.createSessions
