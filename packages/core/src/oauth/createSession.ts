/**
 * A session as promises.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import { NodeInspectSymbol } from "effect/Inspectable"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { mistake } from "../internal/common/mistakes.js"
import { asyncDispose } from "../internal/promise/dispose.js"
import type { CatalogSession, TransportOptions } from "../PromiseCatalog.js"
import type { ServiceProfile } from "../ServiceProfile.js"
import { checkClient } from "./internal/client.js"
import { type SessionChange, UserSession } from "./internal/session.js"
import { ofHost, PromiseHost } from "./internal/host.js"
import { type AuthorizationRequest, authorizationRequest, type PendingAuthorization } from "./OAuth.js"
import { ofSession, partsOf, type SessionOptions } from "./OAuthSession.js"
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
     * The deployment, whose `oauth` says where users sign in. Catalogs of the session use it too, unless they have another
     * profile; a base URL of another origin is a `TypeError`, since no other service must get the user's token.
     */
    readonly profile?: ServiceProfile | undefined
  }

/** A sign-in that was started, for a program of promises. */
export interface PromiseAuthorizationRequest extends AuthorizationRequest {
  /**
   * Where to send the user, as a string. It is a secret until the code is redeemed, so it is not shown when the object is
   * printed.
   */
  readonly redirectTo: string
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
   * Starts a sign-in: the URL to send the user to (`redirectTo`), and the values to keep until the user comes back. To store
   * them, use `PendingAuthorization.encode`.
   */
  authorizationRequest(): Promise<PromiseAuthorizationRequest>
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

/** The string of the URL is a getter that is neither printed nor copied, since it is a secret. */
class RequestLive implements PromiseAuthorizationRequest {
  declare readonly url: AuthorizationRequest["url"]
  declare readonly state: AuthorizationRequest["state"]
  declare readonly codeVerifier: AuthorizationRequest["codeVerifier"]

  constructor(request: AuthorizationRequest) {
    Object.assign(this, request)
  }

  get redirectTo(): string {
    return Redacted.value(this.url).href
  }

  /** The printed form. */
  [NodeInspectSymbol](): object {
    return Object.assign({}, this)
  }
}

class SessionLive implements Session {
  readonly #session: UserSession
  readonly #host: PromiseHost
  readonly #options: SessionOptions

  constructor(options: CreateSessionOptions) {
    const client = checkClient(options, "createSession", { ...ofSession, ...ofHost, store: 1 })
    this.#options = client
    this.#host = new PromiseHost(options, "createSession")
    const { clock, fork, profile } = this.#host
    const store = options.store ?? TokenStore.memory()
    this.#session = new UserSession({ ...partsOf(client), profile, store, clock, fork })
  }

  get credentials() {
    return this.#session.credentials
  }

  /** The printed form. */
  [NodeInspectSymbol](): object {
    return { clientId: "<redacted>" }
  }

  async tokens(): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#host.run(this.#session.tokens))
  }

  refresh(): Promise<Tokens> {
    return this.#host.run(this.#session.refresh)
  }

  async authorizationRequest(): Promise<PromiseAuthorizationRequest> {
    return new RequestLive(await this.#host.run(authorizationRequest(this.#options)))
  }

  async exchange(pending: PendingAuthorization, url: string | URL): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#host.run(this.#session.exchange(pending, url)))
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
    const own = (change: SessionChange) => listener(change)
    this.#session.listeners.add(own)
    return () => {
      this.#session.listeners.delete(own)
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
 * Makes a session of one user, as promises. It works in Node and in pages; a page needs a `profile` whose `tokenUrl` it
 * may reach.
 *
 * Throws a `TypeError` that names an invalid option. For its behaviour and failures see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 * import { createSession, PendingAuthorization } from "@catalog-client/core/oauth"
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
export const createSession = (options: CreateSessionOptions): Session => new SessionLive(options)
