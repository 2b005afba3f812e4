/**
 * A session as promises.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CatalogSession } from "@catalog-client/core"
import { asyncDispose, checkNames, mistake } from "@catalog-client/core/internal"
import { checkClientLate, clientNames } from "./internal/client.js"
import { type Host, type HostOptions, hostNames, PromiseHost } from "./internal/host.js"
import { type SessionChange, UserSession } from "./internal/session.js"
import type { AuthorizationRequest, OAuthClient } from "./OAuth.js"
import type { PendingAuthorization } from "./PendingAuthorization.js"
import type { OAuthSessionService } from "./OAuthSession.js"
import type { Tokens } from "./Tokens.js"
import { TokenStore, type TokenStoreService } from "./TokenStore.js"

/**
 * What {@link createSession} takes: a client, a transport that is used only for requests for tokens, by default the
 * platform's `fetch`, and where the session's warnings are logged, by default to the `console`.
 */
export type SessionOptions = OAuthClient &
  HostOptions & {
    /** Where the tokens are kept: in memory by default. */
    readonly store?: TokenStoreService | undefined
  }

/** The session of one user, for any number of catalogs: `createCatalog({ session })`. */
export interface Session extends CatalogSession, AsyncDisposable {
  /**
   * The current tokens, stored here or by another process; they may have expired. Nothing is sent. Rejected with
   * `reason: "CredentialsUnavailable"` if there are none in memory and the store could not be read.
   */
  tokens(): Promise<Tokens | undefined>
  /** Refreshes the tokens now; calls do so automatically. Rejected with `ClientAuthError` (`SignedOut`) if there are none. */
  refresh(): Promise<Tokens>
  /** Starts a sign-in: the URL to send the user to (`redirectTo`), and what to keep until the user comes back. */
  authorizationRequest(): Promise<AuthorizationRequest>
  /**
   * Redeems the code of the redirect and signs the user in; `undefined` for a redirect that was already used. Rejected with
   * `ClientAuthError` if the redirect belongs to another sign-in, or the user denied access.
   */
  exchange(pending: PendingAuthorization, url: string | URL): Promise<Tokens | undefined>
  /** Replaces the current tokens with the tokens of a sign-in, and stores them. */
  signIn(tokens: Tokens): Promise<void>
  /**
   * Forgets the tokens, in the store too. They are not revoked, because the service has no way to do so. Rejected with
   * `reason: "CredentialsUnavailable"` if they could not be removed from the store: then the user is signed out here alone.
   */
  signOut(): Promise<void>
  /** Calls back with each change of the session; returns a function that unsubscribes. */
  onChange(listener: (change: SessionChange) => void): () => void
  /** Waits for a refresh in flight, for at most its timeout. Catalogs continue with the current access token. */
  close(): Promise<void>
}

type SessionEffects = Omit<OAuthSessionService, "changes">

/** Makes members from the Effects of a session, and from what runs an Effect until it ends or the session is closed. */
type Extend<Added> = (session: SessionEffects, run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>) => Added

class SessionLive implements Session {
  readonly #session: UserSession
  readonly #host: PromiseHost

  constructor(options: SessionOptions, extend: Extend<object> | undefined) {
    checkNames("createSession", options, { ...clientNames, ...hostNames, store: 1 } satisfies Record<
      keyof SessionOptions,
      unknown
    >)
    const client = checkClientLate(options, "createSession")
    const host: Host = (this.#host = new PromiseHost(options, "createSession"))
    this.#session = new UserSession({ ...host, client, store: options.store ?? TokenStore.memory() })
    Object.assign(
      this,
      extend?.(this.#session, (effect) => this.#host.run(effect))
    )
  }

  get credentials() {
    return this.#session.credentials
  }

  tokens(): Promise<Tokens | undefined> {
    return this.#host.run(Effect.map(this.#session.tokens, Option.getOrUndefined))
  }

  refresh(): Promise<Tokens> {
    return this.#host.run(this.#session.refresh)
  }

  authorizationRequest(): Promise<AuthorizationRequest> {
    return this.#host.run(this.#session.authorizationRequest)
  }

  exchange(pending: PendingAuthorization, url: string | URL): Promise<Tokens | undefined> {
    return this.#host.run(Effect.map(this.#session.exchange(pending, url), Option.getOrUndefined))
  }

  signIn(tokens: Tokens): Promise<void> {
    return this.#host.run(this.#session.signIn(tokens))
  }

  signOut(): Promise<void> {
    return this.#host.run(this.#session.signOut)
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    if (typeof listener !== "function") {
      throw mistake("onChange takes a function")
    }
    const added = (change: SessionChange) => listener(change)
    this.#session.listeners.add(added)
    return () => {
      this.#session.listeners.delete(added)
    }
  }

  close(): Promise<void> {
    return this.#host.close(this.#session.close)
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}

/**
 * Makes a session of one user, as promises: for its behaviour and failures see `OAuthSession`. A page needs a `profile` whose
 * `tokenUrl` it may reach. Throws a `TypeError` that names an invalid option. `extend` adds members that are made from the
 * session's Effects, for example the login of a platform.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 * import { createSession, PendingAuthorization } from "@catalog-client/oauth"
 *
 * const session = createSession({ clientId: "my-client-id", redirectUri: "https://app.example/callback" })
 * const catalog = createCatalog({ fetch, session })
 *
 * export const start = async () => {
 *   const request = await session.authorizationRequest()
 *   return { kept: PendingAuthorization.encode(request), location: request.redirectTo }
 * }
 *
 * // With the URL that the user came back with.
 * export const finish = async (kept: string, url: string) => {
 *   await session.exchange(PendingAuthorization.decode(kept), url)
 *   return (await catalog.user.me()).name
 * }
 * ```
 */
export const createSession: {
  (options: SessionOptions): Session
  <Added extends object>(options: SessionOptions, extend: Extend<Added>): Session & Added
} = (options: SessionOptions, extend?: Extend<object>): never => new SessionLive(options, extend) as never
