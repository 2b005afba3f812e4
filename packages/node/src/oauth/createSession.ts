/**
 * A session of promises that can sign in on this machine.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import {
  createSession as createSessionOver,
  type CreateSessionOptions,
  type Session as CoreSession,
  type Tokens
} from "@catalog-client/core/oauth"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { layer } from "#transport"
import { type LoginError, type LoopbackOptions, networkError, signInWith } from "./loopback.js"

/** Options of {@link Session.login}. */
export interface LoginOptions extends LoopbackOptions {
  /** Ends the sign-in, which is then rejected with `ClientNetworkError` (`Cancelled`). */
  readonly signal?: AbortSignal | undefined
}

/** The session of one user, who can sign in with a browser. */
export interface Session extends CoreSession {
  /**
   * Signs the user in: opens the browser, and waits until it comes back to the redirect URI, for at most 5 minutes. It
   * behaves and fails like `Login.loopback`; closing the session ends it, too.
   */
  login(options?: LoginOptions): Promise<Tokens>
}

const ask = <A>(run: () => Promise<A>): Effect.Effect<A, LoginError> =>
  // What the session is rejected with, mistakes of the program included.
  Effect.tryPromise({ try: run, catch: (error) => error as LoginError })

const textOf = (reason: unknown) =>
  reason instanceof Error ? { name: reason.name, message: reason.message } : { name: "Error", message: String(reason) }

/**
 * Makes a session of one user, as promises, with {@link Session.login}. The transport for requests for tokens is that of
 * this package, unless `transport` or `fetch` is set.
 *
 * Throws a `TypeError` that names an invalid option. For its behaviour and failures see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/node"
 * import { createSession, fileTokenStore } from "@catalog-client/node/oauth"
 *
 * const session = createSession({
 *   clientId: "my-client-id",
 *   redirectUri: "http://localhost:8080/callback",
 *   store: fileTokenStore()
 * })
 * const catalog = createCatalog({ session })
 *
 * export const name = async () => {
 *   if ((await session.tokens()) === undefined) {
 *     await session.login()
 *   }
 *   return (await catalog.user.me()).name
 * }
 * ```
 */
export const createSession = (options: CreateSessionOptions): Session => {
  const session = createSessionOver(
    options.fetch === undefined ? { ...options, transport: options.transport ?? layer } : options
  )
  const closing = new AbortController()
  const closed = session.close.bind(session)
  const login = async ({ signal, ...rest }: LoginOptions = {}): Promise<Tokens> => {
    const ended = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])])
    const signedIn = signInWith(
      {
        authorizationRequest: ask(() => session.authorizationRequest()),
        exchange: (pending, url) =>
          Effect.map(
            ask(() => session.exchange(pending, url)),
            Option.fromNullable
          )
      },
      rest
    )
    const exit = await Effect.runPromiseExit(signedIn, { signal: ended })
    if (Exit.isSuccess(exit)) {
      return exit.value
    }
    throw Cause.isInterruptedOnly(exit.cause)
      ? networkError(rest.redirectUri ?? options.redirectUri ?? "", {
          reason: "Cancelled",
          cause: textOf(ended.reason)
        })
      : Cause.squash(exit.cause)
  }
  const close = () => {
    closing.abort(new DOMException("the session was closed", "AbortError"))
    return closed()
  }
  return Object.assign(session, { login, close, [Symbol.asyncDispose]: close })
}
