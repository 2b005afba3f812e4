/**
 * When two reads are the same, and what a write does to reads.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Settings } from "../CatalogConfig.js"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall } from "../CatalogPolicy.js"
import { memoize } from "../internal/common/memoize.js"
import { none, toHeaders } from "../internal/credentials/credentials.js"
import * as Client from "../platform/httpClient.js"
import { isRefused } from "./endings.js"

/** Stands for a client in keys, which can outlive the client. */
const identityOf = /*#__PURE__*/ memoize((_part: object) => ({}))

/** What sends: it can add a cookie or a token of its own, and nothing but its identity tells. */
const senders = [Client.HttpClient.key, Client.Fetch.key, Client.RequestInit.key]

/**
 * What is equal where two calls ask for the same: the operation, the URL, and all that says who asks, by what it holds. A
 * header of a configuration can be a user's cookie. The first part is the access token as it is sent, whether it was copied
 * with its scheme or not: what is written with a token is seen with it.
 */
export const keyOf = ({ operation, url, headers, credentials: { accessToken, clientId } }: CatalogCall) =>
  Effect.zipWith(Settings, Effect.context<never>(), (config, { unsafeMap }) => {
    const owner = Redacted.make(JSON.stringify(toHeaders({ ...none, accessToken }, config)))
    const sentBy = senders.map((key) => {
      const part = unsafeMap.get(key) as object | undefined
      return part && identityOf(part)
    })
    return Data.tuple(owner, operation, url, clientId, Data.struct(headers), Data.array(sentBy))
  })

/** @see {@link keyOf} */
export type ReadKey = Effect.Effect.Success<ReturnType<typeof keyOf>>

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
