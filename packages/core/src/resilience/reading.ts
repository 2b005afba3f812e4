/**
 * When two reads are the same, and what a write does to reads.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type CatalogSettings, Settings } from "../CatalogConfig.js"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall } from "../CatalogPolicy.js"
import { memoize } from "../internal/memoize.js"
import { toHeaders } from "../internal/secrets.js"
import * as Client from "../platform/httpClient.js"
import { isRefused } from "./answers.js"

/** Credentials as they are sent: a token that was copied with its scheme is the same token. */
const sentOf = (credentials: CatalogCall["credentials"], config: CatalogSettings) =>
  Data.array(
    Object.entries(toHeaders(credentials, config)).map(([name, value]) => Data.tuple(name, Redacted.make(value)))
  )

/** Whose the replies of a call are: who has the same access token sees what the call writes. */
export const ownerOf = ({ credentials: { accessToken } }: CatalogCall) =>
  Effect.map(Settings, (config) => sentOf({ accessToken, clientId: Option.none() }, config))

/** @see {@link ownerOf} */
export type Owner = Effect.Effect.Success<ReturnType<typeof ownerOf>>

/** Stands for a client in keys, which can outlive the client. */
const identityOf = /*#__PURE__*/ memoize((_part: object) => ({}))

/** What sends: it can add a cookie or a token of its own, and nothing but its identity tells. */
const sendersIn = (context: Context.Context<never>) =>
  Data.array(
    [
      Context.getOption(context, Client.HttpClient),
      Context.getOption(context, Client.Fetch),
      Context.getOption(context, Client.RequestInit)
    ].map((part: Option.Option<object>) => Option.map(part, identityOf))
  )

/**
 * What is equal where two calls ask for the same: the operation, the URL, and all that says who asks, by what it holds. A
 * header of a configuration can be a user's cookie.
 */
export const requestOf = ({ operation, url, credentials }: CatalogCall) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const config = Context.get(context, Settings)
    return Data.tuple(operation, url, sentOf(credentials, config), Data.struct(config.headers), sendersIn(context))
  })

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
