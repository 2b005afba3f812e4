/**
 * Where the tokens of a session are kept.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { KeyValueStore, stringAt } from "../platform/keyValueStore.js"
import { randomText } from "./internal/random.js"
import { Tokens } from "./Tokens.js"

/** The stored value cannot be read as tokens. The error contains nothing of that value. */
export class UnreadableTokens extends Data.TaggedError("UnreadableTokens")<{
  /** `Corrupt`: it was not written by `encode`. `Version`: it has a format version that this library does not know. */
  readonly reason: "Corrupt" | "Version"
}> {
  override get message(): string {
    return this.reason === "Corrupt"
      ? "the stored value cannot be read as tokens"
      : "the stored value was written by another version of this library"
  }
}

/**
 * The store of a session. Its Effects can fail with any error, or take longer than the session's `timeout`: the session logs a
 * warning and continues.
 *
 * It contains what was last set. Where the service has refused a refresh token, a session sets `Tokens` with an empty access
 * token: the user has to sign in again, unless another session has redeemed that refresh token and stores new tokens.
 *
 * @example
 * ```ts
 * import { TokenStore, type TokenStoreService } from "@catalog-client/core/oauth"
 * import { Effect } from "effect"
 *
 * export const storeOf = (user: string, rows: Map<string, string>): TokenStoreService => ({
 *   get: Effect.suspend(() => {
 *     const text = rows.get(user)
 *     return text === undefined ? Effect.succeedNone : Effect.asSome(TokenStore.decode(text))
 *   }),
 *   set: (tokens) => Effect.sync(() => void rows.set(user, TokenStore.encode(tokens))),
 *   remove: Effect.sync(() => void rows.delete(user))
 * })
 * ```
 */
export interface TokenStoreService {
  /** Reads the stored tokens; fails with {@link UnreadableTokens} if the stored value is something else. */
  readonly get: Effect.Effect<Option.Option<Tokens>, unknown>
  /** Replaces the stored tokens atomically. */
  readonly set: (tokens: Tokens) => Effect.Effect<void, unknown>
  readonly remove: Effect.Effect<void, unknown>
  /**
   * Runs an effect under a lock between processes. The lock only saves requests: if it is not acquired within 15 seconds,
   * a session runs the effect without it. A lock is not taken from a live process.
   */
  readonly exclusively?: (<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) | undefined
  /**
   * A value that differs once anything has stored or removed tokens. It is called for each request, and must be quick and not
   * throw. With it, a session uses what another process has stored from the next request on; without it, from the next
   * refresh on.
   */
  readonly revision?: (() => unknown) | undefined
  /**
   * Backs up the stored value before tokens replace it, if it was unreadable or belonged to another client. Its place must not
   * be that of another store.
   */
  readonly setAside?: Effect.Effect<void, unknown> | undefined
}

const version = 1

const Stored = Schema.Struct({ version: Schema.Literal(version), tokens: Tokens })

const write = Schema.encodeSync(Stored)
const read = Schema.decodeUnknownOption(Stored)

const encode = (tokens: Tokens): string => JSON.stringify(write({ version, tokens }))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const decode = (text: string): Effect.Effect<Tokens, UnreadableTokens> => {
  const stored = parsed(text)
  const found = typeof stored === "object" && stored !== null && "version" in stored ? stored.version : undefined
  return Option.match(read(stored), {
    onSome: ({ tokens }) => Effect.succeed(tokens),
    onNone: () =>
      Effect.fail(
        new UnreadableTokens({ reason: typeof found === "number" && found !== version ? "Version" : "Corrupt" })
      )
  })
}

const decodeStored = (text: string | null | undefined): Effect.Effect<Option.Option<Tokens>, UnreadableTokens> =>
  text === undefined || text === null ? Effect.succeedNone : Effect.asSome(decode(text))

/** Functions that store one string; each can return a promise. */
export interface TextStore {
  /** `null` and `undefined` mean that nothing is stored. */
  readonly get: () => string | null | undefined | Promise<string | null | undefined>
  readonly set: (text: string) => unknown
  readonly remove: () => unknown
}

const attempt = <A>(run: () => A | Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => error })

const makeText = ({ get, set, remove }: TextStore): TokenStoreService => ({
  get: Effect.flatMap(
    attempt(() => get()),
    decodeStored
  ),
  set: (tokens) => Effect.asVoid(attempt(() => set(encode(tokens)))),
  remove: Effect.asVoid(attempt(() => remove()))
})

const makeMemory = (): TokenStoreService => {
  let stored: Option.Option<Tokens> = Option.none()
  return {
    get: Effect.sync(() => stored),
    set: (tokens) =>
      Effect.sync(() => {
        stored = Option.some(tokens)
      }),
    remove: Effect.sync(() => {
      stored = Option.none()
    }),
    exclusively: Effect.unsafeMakeSemaphore(1).withPermits(1)
  }
}

/** Options of a key-value store. */
export interface KeyValueOptions {
  /** The key of the tokens: `catalog-client.tokens` by default. Use one for each user and client. */
  readonly key?: string | undefined
}

/** Where the value of a key is backed up. It is random, since any other name could be the key of another user. */
const asideOf = (key: string): string => `${key}.aside.${randomText(12)}`

const makeKeyValueStore = (
  values: Pick<KeyValueStore, "get" | "set" | "remove">,
  { key = "catalog-client.tokens" }: KeyValueOptions = {}
): TokenStoreService => {
  const get = stringAt(values, key)
  return {
    get: Effect.flatMap(get, decodeStored),
    set: (tokens) => Effect.suspend(() => values.set(key, encode(tokens))),
    remove: values.remove(key),
    setAside: Effect.flatMap(get, (text) => (text === undefined ? Effect.void : values.set(asideOf(key), text)))
  }
}

/**
 * Where a session keeps its tokens. A file store is in `@catalog-client/node/oauth`, stores of pages are in
 * `@catalog-client/browser/oauth`.
 *
 * Two sessions with the same store share a user, even in two processes: a session that finds newer tokens in its store uses
 * them.
 *
 * @example
 * ```ts
 * import { OAuthSession, TokenStore } from "@catalog-client/core/oauth"
 * import { FetchHttpClient } from "@effect/platform"
 * import { Layer } from "effect"
 *
 * export const Live = OAuthSession.layer({ clientId: "my-client-id" }).pipe(
 *   Layer.provide(TokenStore.layerMemory),
 *   Layer.provideMerge(FetchHttpClient.layer)
 * )
 * ```
 */
export class TokenStore extends Context.Tag("@catalog-client/core/TokenStore")<TokenStore, TokenStoreService>() {
  /** Tokens as a string, with the version of its format, for a custom store. It contains secrets. */
  static encode(tokens: Tokens): string {
    return encode(tokens)
  }

  /** Reads the string that `encode` returned. */
  static decode(text: string): Effect.Effect<Tokens, UnreadableTokens> {
    return decode(text)
  }

  /** A store in memory; the tokens are lost when the process ends. */
  static makeMemory(): TokenStoreService {
    return makeMemory()
  }

  /**
   * A store over functions that store one string, for example in a row of a database.
   *
   * @example
   * ```ts
   * import { createSession, TokenStore } from "@catalog-client/core/oauth"
   *
   * export const sessionOf = (user: string, rows: Map<string, string>) =>
   *   createSession({
   *     clientId: "my-client-id",
   *     store: TokenStore.makeText({
   *       get: () => rows.get(user),
   *       set: (text) => rows.set(user, text),
   *       remove: () => rows.delete(user)
   *     })
   *   })
   * ```
   */
  static makeText(store: TextStore): TokenStoreService {
    return makeText(store)
  }

  /** A store over a `KeyValueStore` of `@effect/platform`. */
  static makeKeyValueStore(
    values: Pick<KeyValueStore, "get" | "set" | "remove">,
    options?: KeyValueOptions
  ): TokenStoreService {
    return makeKeyValueStore(values, options)
  }

  /** Tokens in memory; they are lost when the process ends. */
  static readonly layerMemory: Layer.Layer<TokenStore> = Layer.sync(TokenStore, makeMemory)

  /**
   * Tokens in any `KeyValueStore`. Choose it with care: that of a file system writes files which all users of a machine
   * can read, and that of `localStorage` can be read by every script of a page.
   */
  static layerKeyValueStore(options?: KeyValueOptions): Layer.Layer<TokenStore, never, KeyValueStore> {
    return Layer.effect(
      TokenStore,
      Effect.map(KeyValueStore, (values) => makeKeyValueStore(values, options))
    )
  }
}
