/**
 * A session as promises.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { NodeInspectSymbol } from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import { initial, merge, CatalogConfigTag } from "../CatalogConfig.js"
import { mistake } from "../internal/common/mistakes.js"
import { asyncDispose } from "../internal/promise/dispose.js"
import { transportOf } from "../internal/promise/layer.js"
import type * as Client from "../platform/httpClient.js"
import type { CatalogSession, TransportOptions } from "../PromiseCatalog.js"
import type { ServiceProfile } from "../ServiceProfile.js"
import { checkClient } from "./internal/client.js"
import { Engine, type SessionChange } from "./internal/engine.js"
import { type AuthorizationRequest, authorizationRequest, type PendingAuthorization } from "./OAuth.js"
import { partsOf, type SessionOptions } from "./OAuthSession.js"
import type { Tokens } from "./Tokens.js"
import { TokenStore, type TokenStoreService } from "./TokenStore.js"

/**
 * What {@link createSession} takes. The transport is used only for requests for tokens: the platform's `fetch` by default.
 */
export type CreateSessionOptions = SessionOptions &
  TransportOptions & {
    /** Where the tokens are kept: in memory by default. */
    readonly store?: TokenStoreService | undefined
    /**
     * The deployment, whose `oauth` says where users sign in. Catalogs of the session use it too, unless they have a profile
     * of their own; one with a base URL of another origin is a `TypeError`, since no other service must get the user's token.
     */
    readonly profile?: ServiceProfile | undefined
  }

/**
 * The session of one user, for any number of catalogs: `createCatalog({ session })`.
 */
export interface Session extends CatalogSession, AsyncDisposable {
  /** The current tokens, stored here or by another process; they may have expired. Nothing is sent. */
  tokens(): Promise<Tokens | undefined>
  /**
   * Refreshes the tokens now; calls do so automatically. Rejected with `ClientAuthError` (`SignedOut`) if there are none.
   */
  refresh(): Promise<Tokens>
  /**
   * Starts a sign-in: the URL to send the user to, and the values to keep until the user comes back. To store them, use
   * `PendingAuthorization.encode`.
   */
  authorizationRequest(): Promise<AuthorizationRequest>
  /**
   * Redeems the code of the redirect and signs the user in. For a redirect that was already used, it returns `undefined` and
   * sends nothing. Rejected with `ClientAuthError` if the redirect belongs to another sign-in or the user denied access.
   */
  exchange(pending: PendingAuthorization, url: string | URL): Promise<Tokens | undefined>
  /** Replaces the current tokens with those of a sign-in, and stores them. */
  signIn(tokens: Tokens): Promise<void>
  /** Forgets the tokens, in the store too. They are not revoked, since the service has no way to do so. */
  signOut(): Promise<void>
  /** Calls back with each change of the session; returns a function that unsubscribes. */
  onChange(listener: (change: SessionChange) => void): () => void
  /** Waits for a refresh in flight, for at most its timeout. Catalogs continue with the current access token. */
  close(): Promise<void>
}

/** Looked up late, since a program can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

class SessionLive implements Session {
  readonly #engine: Engine
  readonly #managed: ManagedRuntime.ManagedRuntime<Client.HttpClient, never>
  readonly #options: SessionOptions
  #closing: Promise<void> | undefined

  constructor(options: CreateSessionOptions) {
    this.#options = checkClient(options, "createSession")
    const settings = merge(initial, { profile: options.profile })
    const managed = (this.#managed = ManagedRuntime.make(
      Layer.merge(
        transportOf(options.fetch || options.transport ? options : { fetch: platformFetch }, "createSession"),
        Layer.succeed(CatalogConfigTag, settings)
      )
    ))
    this.#engine = new Engine({
      ...partsOf(options),
      profile: settings.profile,
      store: options.store ?? TokenStore.makeMemory(),
      clock: Clock.make(),
      fork: (effect) => managed.runFork(effect)
    })
  }

  get credentials() {
    return this.#engine.credentials
  }

  /** The printed form. */
  [NodeInspectSymbol](): object {
    return { clientId: "<redacted>" }
  }

  /** In a separate fiber: its work is shared with calls and ends by itself. */
  async #run<A, E>(effect: Effect.Effect<A, E, Client.HttpClient>): Promise<A> {
    if (this.#closing !== undefined) {
      throw this.#engine.cancelled()
    }
    const exit = await this.#managed.runPromiseExit(effect)
    if (Exit.isFailure(exit)) {
      throw Cause.originalError(Cause.squash(exit.cause))
    }
    return exit.value
  }

  async tokens(): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#run(this.#engine.tokens))
  }

  refresh(): Promise<Tokens> {
    return this.#run(this.#engine.refresh)
  }

  authorizationRequest(): Promise<AuthorizationRequest> {
    return this.#run(authorizationRequest(this.#options))
  }

  async exchange(pending: PendingAuthorization, url: string | URL): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#run(this.#engine.exchange(pending, url)))
  }

  signIn(tokens: Tokens): Promise<void> {
    return this.#run(this.#engine.signIn(tokens))
  }

  signOut(): Promise<void> {
    return this.#run(this.#engine.signOut)
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    if (typeof listener !== "function") {
      throw mistake("onChange takes a function")
    }
    const own = (change: SessionChange) => listener(change)
    this.#engine.listeners.add(own)
    return () => {
      this.#engine.listeners.delete(own)
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#run(this.#engine.close).then(() => this.#managed.dispose()))
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}

/**
 * Makes a session of one user, as promises. It works in Node and in pages; a page needs a `profile` whose `tokenUrl` it
 * may reach.
 *
 * Throws a `TypeError` that names an invalid option. For its behaviour and failures see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 * import { createSession, PendingAuthorization } from "@catalog-client/core/oauth"
 * import { Redacted } from "effect"
 *
 * const session = createSession({ clientId: "my-client-id", redirectUri: "https://app.example/callback" })
 * const catalog = createCatalog({ fetch, session })
 *
 * export const start = async () => {
 *   const request = await session.authorizationRequest()
 *   return { kept: PendingAuthorization.encode(request), location: Redacted.value(request.url).href }
 * }
 *
 * // With the URL that the user came back with.
 * export const finish = async (kept: string, url: string) => {
 *   await session.exchange(PendingAuthorization.decode(kept), url)
 *   return (await catalog.user.me()).name
 * }
 * ```
 */
export const createSession = (options: CreateSessionOptions): Session => new SessionLive(options)
