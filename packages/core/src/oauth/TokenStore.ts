/**
 * Where the tokens of a session are kept.
 *
 * @since 0.2.0
 */
import type { KeyValueStore } from "@effect/platform/KeyValueStore"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Tokens } from "./Tokens.js"

/** What is stored cannot be read as tokens. It holds nothing of what is stored. */
export class UnreadableTokens extends Data.TaggedError("UnreadableTokens")<{
  /** `Corrupt`: it is not what `encode` has made. `Version`: it is of a version that this library does not know. */
  readonly reason: "Corrupt" | "Version"
}> {
  override get message(): string {
    return this.reason === "Corrupt"
      ? "what is stored cannot be read as tokens"
      : "what is stored is of another version of this library"
  }
}

/**
 * What a session asks of a store. Its Effects fail with whatever they like: the session warns and goes on.
 */
export interface TokenStoreService {
  /** What is stored now; {@link UnreadableTokens} where that is something else. */
  readonly get: Effect.Effect<Option.Option<Tokens>, unknown>
  /** Stores tokens in place of what is there: as a whole, or not at all. */
  readonly set: (tokens: Tokens) => Effect.Effect<void, unknown>
  readonly remove: Effect.Effect<void, unknown>
  /**
   * Runs an effect while no other process does so. It only saves requests: where the lock is not had within a bounded time, the
   * effect runs all the same. A lock is not stolen from a process that lives.
   */
  readonly exclusively?: (<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) | undefined
  /** Puts aside what is stored, before tokens take the place of what was unreadable or another client's. */
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

/** Where a text is kept: each function can return a promise. */
export interface TextStore {
  /** `null` and `undefined` mean that there is none. */
  readonly get: () => string | null | undefined | Promise<string | null | undefined>
  readonly set: (text: string) => unknown
  readonly remove: () => unknown
}

const attempt = <A>(run: () => A | Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => error })

const makeText = ({ get, set, remove }: TextStore): TokenStoreService => ({
  get: Effect.flatMap(
    attempt(() => get()),
    (text) => (text === undefined || text === null ? Effect.succeedNone : Effect.asSome(decode(text)))
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

/** How a key-value store is used. */
export interface KeyValueOptions {
  /** The key of the tokens: `catalog-client.tokens` unless given. One for each user and client. */
  readonly key?: string | undefined
}

const makeKeyValueStore = (
  values: Pick<KeyValueStore, "get" | "set" | "remove">,
  { key = "catalog-client.tokens" }: KeyValueOptions = {}
): TokenStoreService => {
  const get = values.get(key)
  return {
    get: Effect.flatMap(
      get,
      Option.match({ onNone: () => Effect.succeedNone, onSome: (text) => Effect.asSome(decode(text)) })
    ),
    set: (tokens) => Effect.suspend(() => values.set(key, encode(tokens))),
    remove: values.remove(key),
    setAside: Effect.flatMap(
      get,
      Option.match({ onNone: () => Effect.void, onSome: (text) => values.set(`${key}.aside`, text) })
    )
  }
}

// By its name: the module that declares it brings file systems with it.
const Values = /*#__PURE__*/ Context.GenericTag<KeyValueStore>("@effect/platform/KeyValueStore")

/**
 * Where a session keeps its tokens. A file store is in `@catalog-client/node`, stores of pages in `@catalog-client/browser`.
 *
 * Two sessions over one store share a user, also from two processes: a session that finds other tokens in its store takes
 * them over.
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
  /** Tokens as a text, with the version of its format, for a store of a program's own. It holds secrets. */
  static encode(tokens: Tokens): string {
    return encode(tokens)
  }

  /** Reads what `encode` has written. */
  static decode(text: string): Effect.Effect<Tokens, UnreadableTokens> {
    return decode(text)
  }

  /** A store in memory, which ends with the process. */
  static makeMemory(): TokenStoreService {
    return makeMemory()
  }

  /**
   * A store over functions that keep one text, for example in a row of a database.
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

  /** Tokens in memory, which end with the process. */
  static readonly layerMemory: Layer.Layer<TokenStore> = Layer.sync(TokenStore, makeMemory)

  /**
   * Tokens in any `KeyValueStore`. Choose it with care: that of a file system writes files which all users of a machine can read,
   * and that of `localStorage` can be read by every script of a page.
   */
  static layerKeyValueStore(options?: KeyValueOptions): Layer.Layer<TokenStore, never, KeyValueStore> {
    return Layer.effect(
      TokenStore,
      Effect.map(Values, (values) => makeKeyValueStore(values, options))
    )
  }
}
