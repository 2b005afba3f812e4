/**
 * Where a session keeps its tokens, for programs of promises.
 */
import * as Effect from "effect/Effect"
import { TokenStore as CoreStore, type TextStore, type TokenStoreService } from "#core/oauth/TokenStore.js"
import { hasMethod, show } from "#core/internal/common/mistakes.js"
import type { Tokens } from "#core/oauth/Tokens.js"
import { isOfEffect } from "../replaced/core/internal/common/kind.js"
import { optionsOver, type Platform, type TransportOptions } from "./platform.js"

/** Functions that store one string, or a store that the package has made. */
export type TokenStore = TextStore | TokenStoreService

/** Tokens as a string, and back. */
export const TokenStore = {
  encode: (tokens: Tokens): string => CoreStore.encode(tokens),
  decode: (text: string): Tokens => Effect.runSync(Effect.orDie(CoreStore.decode(text)))
}

/** The options of a session over a platform, whose `store` is that of a session. */
export const sessionOptions = <O extends { readonly store?: TokenStore | undefined }>(
  platform: Platform,
  options: O & TransportOptions
): Omit<O, "store"> & { readonly store?: TokenStoreService } => {
  const { store, ...rest } = optionsOver<O>(platform, options, "createSession")
  return { ...rest, ...(store !== undefined && { store: serviceOf(store, "createSession") }) }
}

const isText = (store: TokenStore): store is TextStore =>
  ["get", "set", "remove"].every((name) => hasMethod(store, name))

/** The store of a session. */
export const serviceOf = (store: TokenStore, where: string): TokenStoreService => {
  const given: { readonly get?: unknown } = store ?? {}
  if (isText(given as TokenStore)) {
    return CoreStore.makeText(store as TextStore)
  }
  if (!Effect.isEffect(given.get)) {
    throw new TypeError(
      `${where}: store must be an object with the functions get, set and remove, but it is ${show(isOfEffect(given.get) ? given.get : store)}`
    )
  }
  return store as TokenStoreService
}
