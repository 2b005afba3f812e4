/**
 * Token stores of a page.
 *
 * @since 0.2.0
 */
import { TokenStore, type TokenStoreService } from "../TokenStore.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isPage } from "./pageSignIn.js"

/** The name of the tokens in a storage: `catalog-client.tokens` by default. Use one for each user and client. */
type Named = { readonly key?: string | undefined }

/** The strings of a storage, which is looked up late, because that can throw. A server that renders a page stores nothing. */
const stringsIn = (storage: () => Storage, { key = "catalog-client.tokens" }: Named = {}) => ({
  key,
  get: () => {
    try {
      return isPage() ? storage().getItem(key) : null
    } catch {
      // The browser blocks the storage, so it has nothing; a write fails, and is reported.
      return null
    }
  },
  set: (text: string) => storage().setItem(key, text),
  remove: () => storage().removeItem(key),
  keep: (text: string, id: string) => storage().setItem(`${key}.aside.${id}`, text)
})

/**
 * Milliseconds to wait for another tab: a little longer than its request for tokens may take. A page that the browser has
 * suspended can hold a lock for any time.
 */
const maxWait = 11_000

/**
 * Runs an effect under a Web Lock, but without a lock after the wait, and in insecure or sandboxed pages, which have no
 * locks. Then another tab's change is detected by comparing the stored string.
 */
const underLock = <A, E>(name: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.interruptible(
      Effect.async<() => void>((resume) => {
        const waiting = new AbortController()
        const timer = setTimeout(() => waiting.abort(), maxWait)
        const hold = () => {
          clearTimeout(timer)
          return new Promise<void>((release) => resume(Effect.succeed(release)))
        }
        const request = async () => navigator.locks.request(name, { signal: waiting.signal }, hold)
        request().catch(() => {
          clearTimeout(timer)
          resume(Effect.succeed(() => undefined))
        })
        return Effect.sync(() => waiting.abort())
      })
    ),
    () => effect,
    (release) => Effect.sync(release)
  )

/**
 * Keeps the tokens in the page's `sessionStorage`: the user stays signed in until this tab is closed. Every script of the
 * page's origin can read them. A duplicate of the tab begins with the same tokens, which only one of the two can refresh.
 *
 * @example
 * ```ts
 * import { OAuthSession, sessionTokenStore, TokenStore } from "@catalog-client/oauth/browser"
 * import { Effect } from "effect"
 *
 * // Needs an HttpClient and a Scope.
 * export const session = OAuthSession.make({ clientId: "my-client-id" }).pipe(
 *   Effect.provideService(TokenStore, sessionTokenStore({ key: "ada" }))
 * )
 * ```
 */
export const sessionTokenStore = (options?: Named): TokenStoreService<"process"> =>
  TokenStore.from(stringsIn(() => sessionStorage, options))

/**
 * Keeps the tokens in the page's `localStorage`: the user stays signed in, in all tabs of the page's origin, until `signOut`.
 *
 * **Every script of the origin can read the tokens, at any time**: a package, an advertisement, a browser
 * extension, or an injected script. Use it only in pages that run no scripts of others, under a content security policy.
 *
 * Tabs refresh in turn, by a Web Lock.
 *
 * @example
 * ```ts
 * import { localTokenStore, OAuthSession, TokenStore } from "@catalog-client/oauth/browser"
 * import { Effect } from "effect"
 *
 * // Needs an HttpClient and a Scope.
 * export const session = OAuthSession.make({ clientId: "my-client-id" }).pipe(
 *   Effect.provideService(TokenStore, localTokenStore({ key: "ada" }))
 * )
 * ```
 */
export const localTokenStore = (options?: Named): TokenStoreService<"processes"> => {
  const strings = stringsIn(() => localStorage, options)
  const store = TokenStore.from(strings)
  return { ...store, scope: "processes", update: (step) => underLock(strings.key, store.update(step)) }
}

/**
 * A Layer of {@link sessionTokenStore}.
 *
 * @example
 * ```ts
 * import { layerSessionStorage, OAuthSession } from "@catalog-client/oauth/browser"
 * import { Layer } from "effect"
 *
 * // Needs an HttpClient.
 * export const Session = OAuthSession.layer({ clientId: "my-client-id" }).pipe(Layer.provide(layerSessionStorage()))
 * ```
 */
export const layerSessionStorage = (options?: Named): Layer.Layer<TokenStore> =>
  Layer.sync(TokenStore, () => sessionTokenStore(options))

/**
 * A Layer of {@link localTokenStore}.
 *
 * @example
 * ```ts
 * import { layerLocalStorage, OAuthSession } from "@catalog-client/oauth/browser"
 * import { Layer } from "effect"
 *
 * // Needs an HttpClient.
 * export const Session = OAuthSession.layer({ clientId: "my-client-id" }).pipe(Layer.provide(layerLocalStorage()))
 * ```
 */
export const layerLocalStorage = (options?: Named): Layer.Layer<TokenStore> =>
  Layer.sync(TokenStore, () => localTokenStore(options))
