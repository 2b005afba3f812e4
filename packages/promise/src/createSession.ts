/**
 * The session of one user.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { mistake } from "#core/internal/common/mistakes.js"
import { checkClientLate, clientNames } from "#oauth/internal/checkClient.js"
import { UserSession } from "#oauth/internal/session.js"
import type { SessionChange } from "#oauth/internal/sessionState.js"
import type { ClientAuthError } from "#core/CatalogError.js"
import type { AuthorizationRequest, OAuthClient } from "#oauth/OAuth.js"
import type { PendingAuthorization } from "#oauth/PendingAuthorization.js"
import type { Tokens } from "#oauth/Tokens.js"
import { TokenStore as OauthStore } from "#oauth/TokenStore.js"
import type { CatalogSession } from "./CatalogOptions.js"
import { asyncDispose } from "./internal/dispose.js"
import { type EnvironmentOptions, environmentNames, PromiseEnvironment } from "./internal/promiseEnvironment.js"
import { checkOptions, type Platform, transportNames, type TransportOptions } from "./platform.js"
import { adaptStore, type TokenStore } from "./tokenStore.js"

/** What `createSession` takes, beside {@link OAuthClient} and {@link TransportOptions}. */
export interface SessionOptions extends OAuthClient, TransportOptions, EnvironmentOptions {
  /** Where the tokens are kept; in memory, if you set none. */
  readonly store?: TokenStore | undefined
}

/** Options of {@link Session.login}. A page takes `navigate`, and Node the others. */
export interface LoginOptions {
  /**
   * Opens the URL of a file in the user's browser, or returns `false` if it cannot. By default the package `open` does it, if it
   * is installed, but not over SSH, without a display or in WSL. `false` opens none.
   */
  readonly openBrowser?: ((url: string) => boolean | void | PromiseLike<unknown>) | false | undefined
  /**
   * Receives the URL at which the user signs in, a secret until the sign-in has ended. By default it is written to the standard
   * error stream, unless a browser has been opened on this machine.
   */
  readonly onUrl?: ((url: string) => void | PromiseLike<unknown>) | undefined
  /**
   * Asks for the URL at which the browser has ended up, or the code in it; again if what it returns is refused. The signal is
   * aborted when the sign-in has ended.
   */
  readonly paste?: ((signal: AbortSignal, refused: ClientAuthError | undefined) => string | Promise<string>) | undefined
  /**
   * The address to listen on, instead of the redirect URI's: `0.0.0.0` in a container whose port is published
   * (`docker run -p 127.0.0.1:8080:8080`).
   */
  readonly host?: string | undefined
  /** Ends the sign-in, which then fails with `ClientNetworkError` (`Cancelled`). */
  readonly signal?: AbortSignal | undefined
  /**
   * Goes to the authorization page. The URL is a secret until the user is back. The user must come back to this tab.
   *
   * @default location.assign
   */
  readonly navigate?: ((url: URL) => unknown) | undefined
}

/** The session of one user, for any number of catalogs: `createCatalog({ session })`. */
export interface Session extends CatalogSession, AsyncDisposable {
  /**
   * Signs the user in, with {@link LoginOptions}.
   *
   * On Node it opens the browser, and waits until it comes back to the redirect URI, for at most 5 minutes; closing the session
   * ends it, too. In a page it goes to the authorization page, and the promise stays pending, because the page goes away: call
   * {@link Session.resume} when it starts again. It is rejected with `ClientNetworkError` (`Transport`) if the page cannot use
   * `sessionStorage`.
   *
   * Elsewhere it is rejected with a `TypeError`: use `authorizationRequest` and `exchange`.
   */
  login(options?: LoginOptions): Promise<Tokens>
  /**
   * Finishes a sign-in, for the start of a page: it returns the tokens if the user has come back, and `undefined` if not.
   * Rejected with a `TypeError` where there is no page.
   */
  resume(): Promise<Tokens | undefined>
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
   * Forgets the tokens, in the store too. They are not revoked. Rejected with `reason: "CredentialsUnavailable"` if they could
   * not be removed from the store: then the user is signed out here alone.
   */
  signOut(): Promise<void>
  /** Calls back with each change of the session; returns a function that unsubscribes. */
  onChange(listener: (change: SessionChange) => void): () => void
  /** Waits for a refresh in flight, for at most its timeout. Catalogs continue with the current access token. */
  close(): Promise<void>
}

/** Runs an Effect until it ends, or the session is closed. */
type Run = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>

/** How users sign in on a platform. */
export interface SignIn {
  readonly login: (session: UserSession, run: Run, options: LoginOptions | undefined) => Promise<Tokens>
  readonly resume: (session: UserSession, run: Run) => Promise<Tokens | undefined>
}

class SessionLive implements Session {
  readonly #session: UserSession
  readonly #environment: PromiseEnvironment
  readonly login: Session["login"]
  readonly resume: Session["resume"]

  constructor(platform: Platform, signIn: SignIn, options: SessionOptions) {
    const calledAs = "createSession"
    checkOptions(calledAs, options, { ...clientNames, ...environmentNames, ...transportNames, store: 1 })
    const client = checkClientLate(options, calledAs)
    this.#environment = new PromiseEnvironment(platform, options, calledAs)
    const store = options.store === undefined ? OauthStore.memory() : adaptStore(options.store, calledAs)
    this.#session = new UserSession(this.#environment, client, store)
    const run: Run = (effect) => this.#environment.run(effect)
    this.login = (options) => signIn.login(this.#session, run, options)
    this.resume = () => signIn.resume(this.#session, run)
  }

  get credentials() {
    return this.#session.credentials
  }

  tokens(): Promise<Tokens | undefined> {
    return this.#environment.run(Effect.map(this.#session.tokens, Option.getOrUndefined))
  }

  refresh(): Promise<Tokens> {
    return this.#environment.run(this.#session.refresh)
  }

  authorizationRequest(): Promise<AuthorizationRequest> {
    return this.#environment.run(this.#session.authorizationRequest)
  }

  exchange(pending: PendingAuthorization, url: string | URL): Promise<Tokens | undefined> {
    return this.#environment.run(Effect.map(this.#session.exchange(pending, url), Option.getOrUndefined))
  }

  signIn(tokens: Tokens): Promise<void> {
    return this.#environment.run(this.#session.signIn(tokens))
  }

  signOut(): Promise<void> {
    return this.#environment.run(this.#session.signOut)
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    if (typeof listener !== "function") {
      throw mistake("onChange takes a function")
    }
    const added = (change: SessionChange) => listener(change)
    this.#session.state.listeners.add(added)
    return () => {
      this.#session.state.listeners.delete(added)
    }
  }

  close(): Promise<void> {
    return this.#environment.close(this.#session.close)
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** `createSession` of a platform. */
export const createSessionOver =
  (platform: Platform, signIn: SignIn) =>
  (options: SessionOptions): Session =>
    new SessionLive(platform, signIn, options)
