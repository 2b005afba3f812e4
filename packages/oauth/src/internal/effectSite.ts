/**
 * The routes of a site and the proxy without a sign-in, over what Effect's face calls.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Catalog, Credentials } from "@catalog-client/core"
import { checkNames } from "@catalog-client/core/internal"
import type * as Client from "@effect/platform/HttpClient"
import type { OAuthSessionsService } from "../OAuthSessions.js"
import { makeProxy, type ProxyOptions } from "./proxy.js"
import { Site, siteNames, type SiteOptions } from "./site.js"

interface Options<R> extends SiteOptions<string> {
  readonly onSignIn?: ((visitor: string, request: Request) => Effect.Effect<unknown, unknown, R>) | undefined
}

/** Calls an operation by its name. */
const callOf = <R>(operations: object, operation: string, args: ReadonlyArray<object>) => {
  const [domain = "", name = ""] = operation.split(".")
  type Called = (...args: ReadonlyArray<object>) => Effect.Effect<unknown, unknown, R>
  const called = (operations as Readonly<Record<string, Readonly<Record<string, Called>>>>)[domain]?.[name] as Called
  return called(...args)
}

/** Throws a `TypeError` for an invalid option. */
export const makeSite = <R>(
  calledAs: string,
  sessions: OAuthSessionsService,
  options: Options<R>
): Site<Client.HttpClient | R> => {
  checkNames(calledAs, options, { ...siteNames, onSignIn: 1 })
  const { onSignIn, ...siteOptions } = options
  return new Site<Client.HttpClient | R>(
    {
      calledAs,
      operations: Catalog,
      redirectUri: () => sessions.redirectUri,
      begin: (visitor) => Effect.map(sessions.begin(visitor), (url) => Redacted.value(url).href),
      finish: (visitor, url) => Effect.map(sessions.finish(visitor, url), Option.isSome),
      signOut: sessions.signOut,
      call: (visitor, operation, args) =>
        Effect.provideService(
          callOf<Client.HttpClient | Credentials>(Catalog, operation, args),
          Credentials,
          sessions.credentials(visitor)
        ),
      onSignIn: (visitor, request) => onSignIn?.(visitor, request) ?? Effect.void
    },
    siteOptions
  )
}

/** Throws a `TypeError` for an invalid option. */
export const makeClientProxy = (calledAs: string, client: object, options: Omit<ProxyOptions<string>, "writes">) => {
  checkNames(calledAs, options, { prefix: 1, operations: 1 })
  const calls = {
    calledAs,
    operations: Catalog,
    call: (operation: string, args: ReadonlyArray<object>) => callOf<never>(client, operation, args)
  }
  return makeProxy(calls, options, () => false)
}
