/**
 * `@catalog-client/oauth` for the tests that run against `catalog-client`.
 */
import * as core from "@catalog-client/oauth"
import * as own from "catalog-client/oauth"
import { Effect, Option } from "effect"
import { over, textStoreOf } from "./adapt.js"

export * from "@catalog-client/oauth"
export { PendingAuthorization, Tokens, UnreadableTokens } from "catalog-client/oauth"

const ownOf = (tokens: core.Tokens) => own.TokenStore.decode(core.TokenStore.encode(tokens))
const coreOf = (tokens: own.Tokens) => Effect.runSync(core.TokenStore.decode(own.TokenStore.encode(tokens)))

/** A store with tokens of `catalog-client`. */
const withOwn = ({ get, scope, update }: core.TokenStoreService) => ({
  scope,
  get: Effect.map(get, Option.map(ownOf)),
  update: (step: (stored: Option.Option<own.Tokens>) => Effect.Effect<Option.Option<own.Tokens>>) =>
    update((stored) => {
      const given = Option.map(stored, ownOf)
      return Effect.map(step(given), (next) => (next === given ? stored : Option.map(next, coreOf)))
    })
})

/** Of tokens of `catalog-client`. */
export const TokenStore = new Proxy(core.TokenStore, {
  get: (target, name) =>
    ({
      from: (store: core.TextStore) => withOwn(core.TokenStore.from(store)),
      memory: () => withOwn(core.TokenStore.memory()),
      encode: own.TokenStore.encode,
      decode: (text: string) => Effect.sync(() => own.TokenStore.decode(text))
    })[name as string] ?? Reflect.get(target, name)
})

type Stores = { readonly store?: unknown }

export const createSession = (({ store, ...options }: Stores) =>
  over(own.createSession, {
    ...options,
    ...(store !== undefined && { store: textStoreOf(store) })
  })) as never as typeof core.createSession

const storesOf = (stores: unknown): unknown =>
  typeof stores === "function" ? (user: string) => textStoreOf((stores as (user: string) => unknown)(user)) : stores

export const createSessions = (({ store, ...options }: Stores) =>
  over(own.createSessions as never, { ...options, store: storesOf(store) })) as never as typeof core.createSessions
