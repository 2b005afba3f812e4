/**
 * Where the tokens of a session are kept.
 *
 * @since 0.2.0
 */
// Counterpart for the types of catalog-client: packages/promise/src/ownTypes.ts
import { Values } from "@catalog-client/core/internal"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { randomString } from "./internal/random.js"
import { Tokens } from "./Tokens.js"

/** The stored value cannot be read as tokens. The error contains nothing of that value. */
export class UnreadableTokens extends Data.TaggedError("UnreadableTokens") {
  override get message(): string {
    return "the stored value cannot be read as tokens: it was not written by this version of the library"
  }
}

/** The store failed, for example because its database is down. */
export class TokenStoreError extends Data.TaggedError("TokenStoreError")<{
  /** What the store failed with. */
  readonly cause: unknown
}> {
  override get message(): string {
    return String(this.cause)
  }
}

/** The store of one user's tokens, which changes in exclusive steps. */
export interface TokenStoreService<Scope extends "process" | "processes" = "process" | "processes"> {
  /** Between whom a step is exclusive: within this `process`, or between all `processes` that share the store. */
  readonly scope: Scope
  /** Reads the stored tokens; fails with {@link UnreadableTokens} if the stored value is something else. */
  readonly get: Effect.Effect<Option.Option<Tokens>, UnreadableTokens | TokenStoreError>
  /**
   * Runs a step once, and no other step of this store meanwhile. The step gets the stored tokens (`None` also if they are
   * unreadable), and returns the tokens to store; if they are the same, nothing is written. Fails, and writes nothing, if the
   * stored value was changed meanwhile, for example because the lock was lost.
   */
  readonly update: (
    step: (stored: Option.Option<Tokens>) => Effect.Effect<Option.Option<Tokens>>
  ) => Effect.Effect<void, TokenStoreError>
}

type Returned<A> = A | Promise<A> | Effect.Effect<A, unknown>

/** What a store's function returns. `unknown` would also accept an Effect with requirements, which the store can't provide. */
type Done = void | PromiseLike<unknown> | Effect.Effect<unknown, unknown>

type StoredText = string | null | undefined | Option.Option<string>

interface TextReader {
  /** Reads the string: `null`, `undefined` and `None` mean that nothing is stored. */
  readonly get: () => Returned<StoredText>
  /**
   * Keeps a copy of a value that a sign-in replaces although it is not this client's: it is unreadable, or has tokens of
   * another client. Keep it under a name that contains `id`, which is random, because any other name could be that of another
   * user.
   */
  readonly keep?: ((text: string, id: string) => Done) | undefined
}

/**
 * Functions that store one string. They may return a promise, or an Effect without requirements. The store is for one process.
 */
export interface TextStore extends TextReader {
  /** Stores the string instead of the last one. */
  readonly set: (text: string) => Done
  /** Removes the string; it may already be missing. */
  readonly remove: () => Done
}

/** Functions that store one string, which several processes change in exclusive steps. */
export interface SharedTextStore extends TextReader {
  /**
   * Reads the string, passes it to `step`, and stores what that returns: `undefined` removes it. No other step runs meanwhile:
   * hold a lock, or a lease that is written before the step begins. Do not repeat a step. Use a lock for each user.
   */
  readonly update: (step: TextStep) => Done
}

type TextStep = (text: StoredText) => Effect.Effect<string | undefined, unknown>

const version = 1

const StoredRecord = Schema.Struct({ version: Schema.Literal(version), tokens: Tokens })

const write = Schema.encodeSync(StoredRecord)
const read = Schema.decodeUnknownOption(StoredRecord)

/** Runs a function of a program. A value that it returns at once needs no turn of the event loop. */
const runReturned = <A>(use: () => Returned<A>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.try({ try: use, catch: (error) => error }), (result) =>
    Effect.isEffect(result)
      ? result
      : Values.hasMethod(result, "then")
        ? Effect.tryPromise({ try: async () => result, catch: (error) => error })
        : Effect.succeed(result as A)
  )

const textInStored = (stored: StoredText): string | undefined =>
  Option.isOption(stored) ? Option.getOrUndefined(stored) : (stored ?? undefined)

const tokensIn = (text: string | undefined): Effect.Effect<Option.Option<Tokens>, UnreadableTokens> =>
  text === undefined ? Effect.succeedNone : Effect.asSome(TokenStore.decode(text))

const failed = (cause: unknown) => new TokenStoreError({ cause })

/** Turns a step of tokens into a step of stored strings. */
const textStep =
  (store: TextReader, step: Parameters<TokenStoreService["update"]>[0]) =>
  (storedText: StoredText): Effect.Effect<string | undefined, unknown> =>
    Effect.gen(function* () {
      const text = textInStored(storedText)
      const stored = yield* Effect.catchAll(tokensIn(text), () => Effect.succeedNone)
      const next = yield* step(stored)
      if (next === stored || (Option.isNone(next) && Option.isNone(stored))) {
        return text
      }
      if (Option.isNone(next)) {
        return undefined
      }
      const isOthers = Option.isNone(stored) || stored.value.clientId !== next.value.clientId
      if (isOthers && text !== undefined) {
        yield* runReturned(() => store.keep?.(text, randomString(12)))
      }
      return TokenStore.encode(next.value)
    })

/** Steps that are exclusive within this process. Before a write, it detects what another program has changed. */
const updateAlone = (store: TextStore): SharedTextStore["update"] => {
  const exclusively = Effect.unsafeMakeSemaphore(1).withPermits(1)
  const read = Effect.map(
    runReturned(() => store.get()),
    textInStored
  )
  return (step) =>
    exclusively(
      Effect.gen(function* () {
        const text = yield* read
        const next = yield* step(text)
        if (next === text) {
          return
        }
        if ((yield* read) !== text) {
          yield* Effect.fail(new Error("the stored tokens were changed meanwhile"))
        }
        yield* runReturned(() => (next === undefined ? store.remove() : store.set(next)))
      })
    )
}

/**
 * Where a session keeps its tokens. Sessions with the same store share a user. Other Layers: `layerFile` of
 * `@catalog-client/oauth/node`, `layerSessionStorage` and `layerLocalStorage` of `@catalog-client/oauth/browser`.
 *
 * @example
 * ```ts
 * import { OAuthSession, TokenStore } from "@catalog-client/oauth"
 * import { Layer } from "effect"
 *
 * // Needs an HttpClient.
 * export const Session = OAuthSession.layerConfig().pipe(Layer.provide(TokenStore.layerMemory))
 * ```
 */
export class TokenStore extends Context.Tag("@catalog-client/oauth/TokenStore")<TokenStore, TokenStoreService>() {
  /** Tokens as a string, with the version of its format, for a custom store. It contains secrets. */
  static encode(tokens: Tokens): string {
    return JSON.stringify(write({ version, tokens }))
  }

  /** Reads the string that `encode` returned. */
  static decode(text: string): Effect.Effect<Tokens, UnreadableTokens> {
    return Option.match(read(Values.jsonIn(text)), {
      onSome: ({ tokens }) => Effect.succeed(tokens),
      onNone: () => Effect.fail(new UnreadableTokens())
    })
  }

  /** A store in memory: the tokens end with the process. */
  static memory(): TokenStoreService<"process"> {
    let stored: string | undefined
    const set = (text?: string) => void (stored = text)
    return TokenStore.from({ get: () => stored, set, remove: () => set() })
  }

  /**
   * A store over functions that store one string, for example in a row of a database or in a `KeyValueStore`. With `update`,
   * several processes can share it.
   *
   * @example
   * ```ts
   * import { TokenStore } from "@catalog-client/oauth"
   * import { Effect, type Option } from "effect"
   *
   * declare const rows: {
   *   get: (key: string) => Effect.Effect<Option.Option<string>, Error>
   *   set: (key: string, text: string) => Effect.Effect<void, Error>
   *   remove: (key: string) => Effect.Effect<void, Error>
   *   // Runs an Effect while it holds the lock of a row.
   *   locked: <A, E>(key: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
   * }
   *
   * // For several processes; one process needs only get, set and remove.
   * export const storeOf = (user: string) =>
   *   TokenStore.from({
   *     get: () => rows.get(user),
   *     update: (step) =>
   *       rows.locked(
   *         user,
   *         Effect.gen(function* () {
   *           const next = yield* step(yield* rows.get(user))
   *           yield* next === undefined ? rows.remove(user) : rows.set(user, next)
   *         })
   *       )
   *   })
   * ```
   */
  static from(store: TextStore): TokenStoreService<"process">
  static from(store: SharedTextStore): TokenStoreService<"processes">
  static from(store: TextStore | SharedTextStore): TokenStoreService {
    const isShared = "update" in store
    const update = isShared ? (step: TextStep) => store.update(step) : updateAlone(store)
    return {
      scope: isShared ? "processes" : "process",
      get: Effect.flatMap(
        Effect.mapError(
          runReturned(() => store.get()),
          (error) => (error instanceof UnreadableTokens ? error : failed(error))
        ),
        (stored) => tokensIn(textInStored(stored))
      ),
      update: (step) => Effect.mapError(Effect.asVoid(runReturned(() => update(textStep(store, step)))), failed)
    }
  }

  /** A Layer of `memory`. */
  static readonly layerMemory: Layer.Layer<TokenStore> = Layer.sync(TokenStore, () => TokenStore.memory())
}

export declare namespace TokenStore {
  export { type TokenStoreService as Service }
}
