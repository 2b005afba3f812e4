/**
 * `@catalog-client/oauth` for the tests that run against `catalog-client`.
 */
import * as core from "@catalog-client/oauth"
import * as own from "catalog-client/oauth"
import { Cause, Effect, Exit, Option } from "effect"

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

/** The value of an Effect, or what a program of promises would have thrown in its place. */
const run = async <A>(effect: Effect.Effect<A, unknown>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) {
    return exit.value
  }
  throw Cause.squash(exit.cause)
}

/** A store of Effects as functions that store a string. */
const textStoreOf = (store: unknown): unknown => {
  const { get, update } = (store ?? {}) as core.TokenStoreService
  if (!Effect.isEffect(get)) {
    return store
  }
  const textOf = (stored: Option.Option<unknown>) =>
    Option.getOrUndefined(Option.map(stored, (tokens) => own.TokenStore.encode(tokens as never)))
  return {
    get: async () => textOf(await run(get)),
    update: (step: (text: string | undefined) => Promise<string | undefined>) =>
      run(
        update((stored) =>
          Effect.promise(async () => {
            const text = textOf(stored)
            const next = await step(text)
            return next === text ? stored : Option.map(Option.fromNullable(next), own.TokenStore.decode as never)
          })
        )
      )
  }
}

type Stores = { readonly store?: unknown }

export const createSession = (({ store, ...options }: Stores) =>
  own.createSession({
    ...options,
    ...(store !== undefined && { store: textStoreOf(store) })
  } as never)) as never as typeof own.createSession

const storesOf = (stores: unknown): unknown =>
  typeof stores === "function" ? (user: string) => textStoreOf((stores as (user: string) => unknown)(user)) : stores

export const createSessions = (({ store, ...options }: Stores) =>
  own.createSessions({ ...options, store: storesOf(store) } as never)) as never as typeof own.createSessions
