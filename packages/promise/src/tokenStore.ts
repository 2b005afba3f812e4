/**
 * Where a session keeps its tokens, for programs of promises.
 */
import * as Effect from "effect/Effect"
import { memoize } from "#core/internal/common/memoize.js"
import {
  TokenStore as OauthStore,
  type TextStore as OauthTextStore,
  type TokenStoreService
} from "#oauth/TokenStore.js"
import { show } from "#core/internal/common/mistakes.js"
import { hasMethod } from "#core/internal/common/values.js"
import type { Tokens } from "#oauth/Tokens.js"
import { isOfEffect } from "./effects.js"

interface TextReader {
  /** Reads the string: `null` and `undefined` mean that nothing is stored. */
  readonly get: () => string | null | undefined | Promise<string | null | undefined>
  /**
   * Keeps a copy of a value that a sign-in replaces although it is not this client's: it is unreadable, or has tokens of
   * another client. Keep it under a name that contains `id`, which is random, because any other name could be that of another
   * user.
   */
  readonly keep?: ((text: string, id: string) => unknown) | undefined
}

/** Functions that store one string. The store is for one process. */
export interface TextStore extends TextReader {
  /** Stores the string instead of the last one. */
  readonly set: (text: string) => unknown
  /** Removes the string; it may already be missing. */
  readonly remove: () => unknown
}

/** Functions that store one string, which several processes change in exclusive steps. */
export interface SharedTextStore extends TextReader {
  /**
   * Reads the string, passes it to `step`, and stores what that returns: `undefined` removes it. No other step runs meanwhile:
   * hold a lock, or a lease that is written before the step begins. Do not repeat a step. Use a lock for each user.
   */
  readonly update: (step: (text: string | null | undefined) => Promise<string | undefined>) => unknown
}

/** Functions that store one string, or a store that the package has made. */
export type TokenStore = TextStore | SharedTextStore | TokenStoreService

/** Tokens as a string, and back. */
export const TokenStore = {
  encode: (tokens: Tokens): string => OauthStore.encode(tokens),
  decode: (text: string): Tokens => Effect.runSync(Effect.orDie(OauthStore.decode(text)))
}

const names = ["get", "set", "remove", "update", "keep"] as const

const isShared = (store: TextStore | SharedTextStore): store is SharedTextStore => hasMethod(store, "update")

/** A store as a session takes it: always the same object for one store, because sessions over one store take turns. */
const adapt = /*#__PURE__*/ memoize((store: TextStore | SharedTextStore): TokenStoreService =>
  isShared(store)
    ? OauthStore.from({
        get: () => store.get(),
        keep: (value, id) => store.keep?.(value, id) as Promise<unknown>,
        update: (step) => Promise.resolve(store.update((value) => Effect.runPromise(step(value))))
      })
    : // What its functions return is ignored, but for a promise.
      OauthStore.from(store as OauthTextStore)
)

/** Checks the store of a session, and adapts it. */
export const adaptStore = (store: TokenStore, calledAs: string): TokenStoreService => {
  const given: Partial<Record<(typeof names)[number], unknown>> = store ?? {}
  if (Effect.isEffect(given.get)) {
    return store as TokenStoreService
  }
  const has = (name: string) => hasMethod(given, name)
  if (!has("get") || !(has("update") || (has("set") && has("remove")))) {
    throw new TypeError(
      `${calledAs}: store must be an object with the functions get, set and remove, or get and update, but it is ${show(isOfEffect(given.get) ? given.get : store)}`
    )
  }
  return adapt(store as TextStore | SharedTextStore)
}
