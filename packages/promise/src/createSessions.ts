/**
 * The sessions of a server's users, over one catalog.
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { FieldsDefault } from "#core/Face.js"
import { mistake, show } from "#core/internal/common/mistakes.js"
import { checkNames, type NamesOf } from "#core/internal/common/options.js"
import { checkClientLate, clientNames } from "#oauth/internal/checkClient.js"
import { UserSessions } from "#oauth/internal/sessions.js"
import type { OAuthClient } from "#oauth/OAuth.js"
import type { Tokens } from "#oauth/Tokens.js"
import type { Catalog, CatalogFor, CatalogWith } from "./Catalog.js"
import { createCatalogOver } from "./createCatalog.js"
import { asyncDispose } from "./internal/dispose.js"
import {
  type EnvironmentOptions,
  environmentNames,
  PromiseEnvironment,
  releaseInTime
} from "./internal/promiseEnvironment.js"
import { checkOptions, type Platform, transportNames, type TransportOptions } from "./platform.js"
import { adaptStore, type TokenStore } from "./tokenStore.js"

/** What `createSessions` takes. */
export interface SessionsOptions<D extends FieldsDefault | undefined = never>
  extends TransportOptions, EnvironmentOptions {
  /** The program, as the service knows it. */
  readonly client: OAuthClient
  /**
   * Returns the store of a user's tokens. It is called with a user, and with `<user>.pending` for a sign-in that was
   * started. If your rows have a foreign key to users, return a different store for the latter.
   */
  readonly store: (key: string) => TokenStore
  /** The catalog that `catalogOf` makes views of. It is not closed with the sessions. By default, one with this transport. */
  readonly catalog?: Catalog | CatalogWith<D> | undefined
}

/** The sessions of a server's users. A user is any string that names one, for example the id of a row or of a visitor. */
export interface Sessions extends AsyncDisposable {
  /** The redirect URI of the client. */
  readonly redirectUri: string | undefined
  /** Starts a sign-in of a user: the URL to send the user to. Rejected with `ClientNetworkError` if the store fails. */
  begin(user: string): Promise<string>
  /**
   * Signs the user in, with the URL that the user came back with (its path and query are enough); `undefined` if this user is
   * signed in and no sign-in is pending, for example after a reload. Rejected with `ClientAuthError`: `State` if another
   * sign-in is pending, or the user is signed out and has none that was started in the last 10 minutes and not used, `Denied`
   * if the user did not allow it; with `ClientRestError`, and with `ClientNetworkError`. After a failure, the user starts again
   * with `begin`.
   */
  finish(user: string, url: string | URL): Promise<Tokens | undefined>
  /**
   * The catalog of a user: a view over shared connections, limits and caches. You can keep it, because it holds no session
   * open.
   */
  catalogOf(user: string): Catalog
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

/** {@link Sessions}, or with a default for `fields` {@link SessionsWith}. */
export type SessionsFor<D extends FieldsDefault | undefined> = [D] extends [undefined] ? Sessions : SessionsWith<D>

/** {@link Sessions}, with the default `fields` of the catalog. */
export interface SessionsWith<D extends FieldsDefault | undefined> extends Omit<Sessions, "catalogOf"> {
  /** {@link Sessions.catalogOf} */
  catalogOf(user: string): CatalogFor<D>
}

class SessionsLive<D extends FieldsDefault | undefined> implements SessionsWith<D> {
  readonly #environment: PromiseEnvironment
  readonly #sessions: UserSessions
  readonly #catalog: CatalogFor<D>
  readonly #isOwn: boolean

  constructor(platform: Platform, options: SessionsOptions<D>) {
    const calledAs = "createSessions"
    checkOptions(calledAs, options, {
      ...environmentNames,
      ...transportNames,
      catalog: 1,
      client: 1,
      store: 1
    })
    const { catalog, client, store } = options
    this.#environment = new PromiseEnvironment(platform, options, calledAs)
    const ofClient = `${calledAs}: client`
    checkNames(ofClient, client, clientNames)
    const checked = checkClientLate(client, ofClient)
    if (typeof store !== "function") {
      throw mistake(`${calledAs}: store must be a function that returns the store of a user, but it is ${show(store)}`)
    }
    this.#sessions = new UserSessions(this.#environment, checked, (key) => adaptStore(store(key), calledAs))
    this.#isOwn = catalog === undefined
    const { dispatcher, fetch, logger, logLevel, profile, telemetry } = options
    const shared = { dispatcher, fetch, logger, logLevel, profile, telemetry } satisfies NamesOf<
      TransportOptions & EnvironmentOptions
    >
    // Without the option `catalog`, `D` is `never`, and the sessions' own catalog has no default `fields`.
    this.#catalog = (catalog ?? createCatalogOver(platform)(shared)) as CatalogFor<D>
  }

  get redirectUri(): string | undefined {
    return this.#sessions.redirectUri
  }

  async begin(user: string): Promise<string> {
    return Redacted.value(await this.#environment.run(this.#sessions.begin(user))).href
  }

  async finish(user: string, url: string | URL): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#environment.run(this.#sessions.finish(user, url)))
  }

  catalogOf(user: string): CatalogFor<D> {
    return this.#catalog.withOptions<D>({ session: { credentials: this.#sessions.credentials(user) } })
  }

  async tokens(user: string): Promise<Tokens | undefined> {
    return Option.getOrUndefined(await this.#environment.run(this.#sessions.tokens(user)))
  }

  signIn(user: string, tokens: Tokens): Promise<void> {
    return this.#environment.run(this.#sessions.signIn(user, tokens))
  }

  signOut(user: string): Promise<void> {
    return this.#environment.run(this.#sessions.signOut(user))
  }

  async close(): Promise<void> {
    await this.#environment.close(this.#sessions.close)
    if (this.#isOwn) {
      await releaseInTime(() => this.#catalog.close())
    }
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** `createSessions` of a platform. */
export const createSessionsOver =
  (platform: Platform) =>
  <const D extends FieldsDefault | undefined = never>(options: SessionsOptions<D>): SessionsFor<D> =>
    new SessionsLive(platform, options) as never
