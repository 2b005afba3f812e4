/**
 * The sessions of a server's users, as promises.
 *
 * @since 0.2.0
 */
// Counterpart for the types of catalog-client: packages/promise/src/createSessions.ts
/// <reference lib="esnext.disposable" preserve="true" />
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { createCatalog, type FieldsDefault, type PromiseCatalog } from "@catalog-client/core"
import { asyncDispose, checkNames } from "@catalog-client/core/internal"
import { checkClientLate } from "./internal/client.js"
import { type HostOptions, hostNames, PromiseHost, releaseInTime } from "./internal/host.js"
import { sessionsNames, UserSessions } from "./internal/sessions.js"
import type { OAuthSessionsOptions } from "./OAuthSessions.js"
import type { Tokens } from "./Tokens.js"

/**
 * What {@link createSessions} takes. The transport is only for requests for tokens: the platform's `fetch` by default. `logger` is for
 * the warnings of the sessions, not of the given `catalog`.
 */
export type SessionsOptions<D extends FieldsDefault | undefined = never> = OAuthSessionsOptions &
  HostOptions & {
    /** The catalog that `catalogOf` makes views of. It is not closed with the sessions. By default, one with this transport. */
    readonly catalog?: PromiseCatalog<D> | undefined
  }

/** The sessions of a server's users. A user is any string that names one, for example the id of a row or of a visitor. */
export interface Sessions<D extends FieldsDefault | undefined = never> extends AsyncDisposable {
  /** Starts a sign-in of a user: the URL to send the user to. Rejected with `ClientNetworkError` if the store fails. */
  begin(user: string): Promise<string>
  /**
   * Signs the user in, with the URL that the user came back with (its path and query are enough); `undefined` if this user is
   * signed in and no sign-in is pending, for example after a reload. Rejected with `ClientAuthError`: `State` if another sign-in is
   * pending, or the user is signed out and has none that was started in the last 10 minutes and not used, `Denied` if the user did
   * not allow it; with `ClientRestError`, and with `ClientNetworkError`. After a failure, the user starts again with `begin`.
   */
  finish(user: string, url: string | URL): Promise<Tokens | undefined>
  /**
   * The catalog of a user: a view over shared connections, limits and caches. You can keep it, because it holds no session
   * open.
   */
  catalogOf(user: string): PromiseCatalog<D>
  /**
   * The user's current tokens, or `undefined` if the user is signed out. Nothing is sent. Rejected with
   * `reason: "CredentialsUnavailable"` if there are none in memory and the store could not be read.
   */
  tokens(user: string): Promise<Tokens | undefined>
  /** Replaces a user's tokens with the tokens of another sign-in, and stores them: see `Tokens.from`. */
  signIn(user: string, tokens: Tokens): Promise<void>
  /**
   * Removes a user's tokens and the sign-in that was started, in the store too. The tokens are not revoked. Rejected with
   * `reason: "CredentialsUnavailable"` if the store fails: then the user is signed out in this process alone.
   */
  signOut(user: string): Promise<void>
  /** Waits for refreshes in flight, for at most their timeout. The users stay signed in in their stores. */
  close(): Promise<void>
}

class SessionsLive<D extends FieldsDefault | undefined> implements Sessions<D> {
  readonly #host: PromiseHost
  readonly #sessions: UserSessions
  readonly #catalog: PromiseCatalog<D>
  readonly #isOwn: boolean

  constructor(options: SessionsOptions<D>) {
    checkNames("createSessions", options, {
      ...sessionsNames,
      ...hostNames,
      catalog: 1
    } satisfies Record<keyof SessionsOptions, unknown>)
    this.#host = new PromiseHost(options, "createSessions")
    this.#sessions = new UserSessions(options, this.#host, checkClientLate)
    this.#isOwn = options.catalog === undefined
    const { fetch, logger, logLevel, profile, transport } = options
    this.#catalog =
      options.catalog ??
      createCatalog<D>({ logger, logLevel, profile, ...(fetch === undefined ? { transport } : { fetch }) })
  }

  async begin(user: string): Promise<string> {
    return Redacted.value(await this.#host.run(this.#sessions.begin(user))).href
  }

  async finish(user: string, url: string | URL): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#host.run(this.#sessions.finish(user, url)))
  }

  catalogOf(user: string): PromiseCatalog<D> {
    return this.#catalog.withOptions({ session: { credentials: this.#sessions.credentials(user) } })
  }

  async tokens(user: string): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#host.run(this.#sessions.tokens(user)))
  }

  signIn(user: string, tokens: Tokens): Promise<void> {
    return this.#host.run(this.#sessions.signIn(user, tokens))
  }

  signOut(user: string): Promise<void> {
    return this.#host.run(this.#sessions.signOut(user))
  }

  async close(): Promise<void> {
    await this.#host.close(this.#sessions.close)
    if (this.#isOwn) {
      await releaseInTime(() => this.#catalog.close())
    }
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}

/**
 * The sessions of a server's users, over one catalog. For their behaviour see `OAuthSessions`. Throws a `TypeError` that names an
 * invalid option.
 *
 * @example
 * ```ts
 * import { createSessions, TokenStore } from "@catalog-client/oauth"
 *
 * declare const rows: Map<string, string> // Your database: a string for each key. They contain secrets.
 *
 * const sessions = createSessions({
 *   client: { clientId: "my-client-id", clientSecret: "a secret", redirectUri: "https://app.example/callback" },
 *   store: (user) =>
 *     TokenStore.from({
 *       get: () => rows.get(user),
 *       set: (text) => rows.set(user, text),
 *       remove: () => rows.delete(user)
 *     })
 * })
 *
 * export const login = (user: string) => sessions.begin(user) // Redirect the user there.
 * export const callback = (user: string, url: string) => sessions.finish(user, url)
 * export const nameOf = async (user: string) => (await sessions.catalogOf(user).user.me()).name
 * ```
 */
export const createSessions = <const D extends FieldsDefault | undefined = never>(
  options: SessionsOptions<D>
): Sessions<D> => new SessionsLive(options)
