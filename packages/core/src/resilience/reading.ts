/**
 * When two reads are the same, and what a write does to reads.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { CatalogConfig } from "../CatalogConfig.js"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall } from "../CatalogPolicy.js"
import { isRefused } from "./answers.js"

/**
 * What is equal where two calls ask for the same: the operation, the URL, and all that says who asks, by what it holds. A
 * header of a configuration can be a user's cookie.
 */
export const requestOf = ({ operation, url, credentials }: CatalogCall) =>
  Effect.map(CatalogConfig, ({ headers }) =>
    Data.tuple(operation, url, credentials.accessToken, credentials.clientId, Data.struct(headers))
  )

/** @see {@link requestOf} */
export type Request = Effect.Effect.Success<ReturnType<typeof requestOf>>

/** A write, after which what was read for its owner is forgotten, unless it is certain that nothing was written. */
export const thenForget = <A, R>(
  write: Effect.Effect<A, ClientRestError | ClientNetworkError, R>,
  forget: Effect.Effect<void>
): Effect.Effect<A, ClientRestError | ClientNetworkError, R> =>
  Effect.onExit(write, (ending) => (isRefused(ending) ? Effect.void : forget))

/** Makes a reply unchangeable, since several callers hold it, and says whether a list status is anywhere in it. */
export const settle = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) {
    return false
  }
  Object.freeze(value)
  let hasStatus = false
  for (const key in value) {
    hasStatus = settle(value[key as keyof typeof value]) || key === "my_list_status" || hasStatus
  }
  return hasStatus
}
