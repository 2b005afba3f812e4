/**
 * `@catalog-client/core/oauth` for the tests that run against `catalog-client`.
 */
import * as core from "@catalog-client/core/oauth"
import * as own from "catalog-client/oauth"
import { Effect, Option } from "effect"
import { over, textStoreOf } from "./adapt.js"

export * from "@catalog-client/core/oauth"
export { PendingAuthorization, Tokens, UnreadableTokens } from "catalog-client/oauth"

type TextStore = core.TextStore

const attempt = <A>(run: () => A | PromiseLike<A>) =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => error })

/** Of tokens of `catalog-client`. */
export const TokenStore = new Proxy(core.TokenStore, {
  get: (target, name) =>
    ({
      makeText: ({ get, remove, set }: TextStore) => ({
        get: Effect.map(attempt(get), (text) => Option.map(Option.fromNullable(text), own.TokenStore.decode)),
        set: (tokens: own.Tokens) => attempt(() => set(own.TokenStore.encode(tokens))),
        remove: attempt(remove)
      }),
      encode: own.TokenStore.encode,
      decode: (text: string) => Effect.sync(() => own.TokenStore.decode(text))
    })[name as string] ?? Reflect.get(target, name)
})

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
