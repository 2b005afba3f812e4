/**
 * Token stores of a page.
 *
 * @since 0.2.0
 */
import { type KeyValueOptions, TokenStore, type TokenStoreService } from "@catalog-client/core/oauth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isPage } from "./page.js"

/**
 * Milliseconds to wait for another tab: a little longer than the 10 seconds that its request for tokens may take. A tab that
 * the browser has suspended can hold a lock for any time.
 */
const longestWait = 11_000

const withoutLock = () => undefined

/**
 * Acquires a Web Lock, and returns the function that releases it. An insecure page has none, and a sandboxed one is denied
 * them: it goes on without.
 */
const acquire = (name: string): Effect.Effect<() => void> =>
  Effect.async((resume) => {
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), longestWait)
    const hold = () => {
      clearTimeout(timer)
      return new Promise<void>((release) => resume(Effect.succeed(release)))
    }
    const request = async () => navigator.locks.request(name, { signal: waiting.signal }, hold)
    request().catch(() => {
      clearTimeout(timer)
      resume(Effect.succeed(withoutLock))
    })
  })

/** On a server that renders a page, nothing is stored. The storage is looked up late, since reading the name can throw. */
const storeIn = (storage: () => Storage, key: string): TokenStoreService => {
  const get = () => (isPage() ? storage().getItem(key) : null)
  return {
    ...TokenStore.makeText({
      get,
      set: (text) => storage().setItem(key, text),
      remove: () => storage().removeItem(key)
    }),
    revision: () => {
      try {
        return get()
      } catch {
        return undefined
      }
    },
    setAside: Effect.try({
      try: () => {
        const text = get()
        if (text !== null) {
          // Random, since any other name could be the key of another user.
          storage().setItem(`${key}.aside.${crypto.getRandomValues(new Uint32Array(3)).join("")}`, text)
        }
      },
      catch: (error) => error
    })
  }
}

const keyOf = ({ key = "catalog-client.tokens" }: KeyValueOptions = {}): string => key

/**
 * Keeps the tokens in the page's `sessionStorage`: the user stays signed in when this tab is reloaded, until it is
 * closed. Every script of the page's origin can read them.
 *
 * A tab that the user duplicates begins with the same tokens, which only one of the two can refresh. Where users do that, use
 * {@link localTokenStore}, or keep the tokens in memory.
 *
 * @example
 * ```ts
 * import { createSession, sessionTokenStore } from "@catalog-client/browser/oauth"
 *
 * export const session = createSession({ clientId: "my-client-id", store: sessionTokenStore() })
 * ```
 */
export const sessionTokenStore = (options?: KeyValueOptions): TokenStoreService =>
  storeIn(() => sessionStorage, keyOf(options))

/**
 * Keeps the tokens in the page's `localStorage`: the user stays signed in when the browser is started again, in all tabs
 * of the page's origin, until `signOut`.
 *
 * **Every script of the origin can read the tokens, at any time**: that of a package, an advertisement or a browser
 * extension, and one that an attacker has injected. Use it only where the page runs no scripts of others, under a content
 * security policy.
 *
 * The tabs share one user. They refresh in turn, by a Web Lock with the name of the key: a tab waits for at most 11
 * seconds, and goes on without the lock. Without Web Locks, and then, a tab whose refresh is refused uses the tokens that
 * another one has stored. A sign-in or sign-out in one tab counts in the others from their next call on.
 *
 * @example
 * ```ts
 * import { createSession, localTokenStore } from "@catalog-client/browser/oauth"
 *
 * export const session = createSession({ clientId: "my-client-id", store: localTokenStore() })
 * ```
 */
export const localTokenStore = (options?: KeyValueOptions): TokenStoreService => {
  const key = keyOf(options)
  return {
    ...storeIn(() => localStorage, key),
    exclusively: (effect) =>
      Effect.acquireUseRelease(
        acquire(key),
        () => effect,
        (release) => Effect.sync(release)
      )
  }
}

/**
 * A {@link sessionTokenStore} for `OAuthSession`.
 *
 * @example
 * ```ts
 * import * as CatalogBrowser from "@catalog-client/browser"
 * import { layerSessionStorage, OAuthSession } from "@catalog-client/browser/oauth"
 * import { Layer } from "effect"
 *
 * export const Live = OAuthSession.layer({ clientId: "my-client-id" }).pipe(
 *   Layer.provide(layerSessionStorage()),
 *   Layer.provideMerge(CatalogBrowser.layer)
 * )
 * ```
 */
export const layerSessionStorage = (options?: KeyValueOptions): Layer.Layer<TokenStore> =>
  Layer.sync(TokenStore, () => sessionTokenStore(options))

/**
 * A {@link localTokenStore} for `OAuthSession`. Every script of the page's origin can read the tokens: see there.
 *
 * @example
 * ```ts
 * import * as CatalogBrowser from "@catalog-client/browser"
 * import { layerLocalStorage, OAuthSession } from "@catalog-client/browser/oauth"
 * import { Layer } from "effect"
 *
 * export const Live = OAuthSession.layer({ clientId: "my-client-id" }).pipe(
 *   Layer.provide(layerLocalStorage()),
 *   Layer.provideMerge(CatalogBrowser.layer)
 * )
 * ```
 */
export const layerLocalStorage = (options?: KeyValueOptions): Layer.Layer<TokenStore> =>
  Layer.sync(TokenStore, () => localTokenStore(options))
