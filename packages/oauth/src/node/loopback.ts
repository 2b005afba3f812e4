/**
 * One sign-in with the user's browser, which comes back to a port of this machine (RFC 8252).
 *
 * @since 0.2.0
 */
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "@catalog-client/core"
import type { AuthorizationRequest } from "../OAuth.js"
import type { OAuthSession } from "../OAuthSession.js"
import type { Tokens } from "../Tokens.js"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isIPv6 } from "node:net"
import { fileLeadingTo, openInBrowser } from "./openBrowser.js"
import { type PageName, sendRedirect, showPage } from "./htmlPages.js"
import { queryIn } from "./pasted.js"
import { isShowing, listen, loginNetworkError, type Place, placeOf } from "./server.js"

/** How a sign-in can fail. */
export type LoginError = ClientAuthError | ClientRestError | ClientNetworkError

/** Options of a sign-in on this machine. If one of their Effects fails, so does the sign-in. */
export interface LoginOptions<E = never, R = never> {
  /** Opens the URL of a file in the user's browser, and returns whether it could. `false` opens none. By default, `open` does. */
  readonly openBrowser?: ((url: string) => Effect.Effect<boolean, E, R>) | false | undefined
  /** Receives the URL at which the user signs in, a secret until the sign-in has ended. */
  readonly onUrl?: ((url: string) => Effect.Effect<void, E, R>) | undefined
  /** Asks for the URL at which the browser has ended up, again if what it returns is refused. */
  readonly paste?: ((refused: ClientAuthError | undefined) => Effect.Effect<string, E, R>) | undefined
  /** The address to listen on: `0.0.0.0` in a container whose port is published. */
  readonly host?: string | undefined
}

/** How a face calls a sign-in. */
interface Called {
  /** The function of the face. */
  readonly as: string
  /** Options that the face has besides. */
  readonly names: ReadonlyArray<string>
  readonly signal?: AbortSignal | undefined
}

const optionNames = ["openBrowser", "onUrl", "paste", "host"] satisfies ReadonlyArray<keyof LoginOptions>

/** A misspelt option would be ignored. */
const checkOptions = (options: object, called: Called): void => {
  const names: ReadonlyArray<string> = [...optionNames, ...called.names]
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !names.includes(name)) {
      throw new TypeError(`${called.as} has no option ${JSON.stringify(name)}: it takes ${names.join(", ")}`)
    }
  }
}

/** Milliseconds after which a browser that has not connected does not count as opened. */
const openTimeout = 3_000

/** Milliseconds that a sign-in may take. */
const timeout = 5 * 60_000

/** How many wrong URLs can be pasted. */
const maxPastes = 20

/** A service that does not know the client or the redirect URI does not redirect, and shows a password dialog. */
const notBack = {
  name: "TimeoutError",
  message:
    "the browser did not come back. If it asked for a user name and password, the service does not know this clientId or redirectUri: compare both with the registered ones"
}

const causeOf = (reason: unknown) =>
  reason instanceof Error ? { name: reason.name, message: reason.message } : { name: "Error", message: String(reason) }

/** The error of a redirect of another sign-in or without a result, after which the right one may still come. */
const foreignIn = (cause: Cause.Cause<LoginError>): ClientAuthError | undefined => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  return error?._tag === "ClientAuthError" &&
    (error.reason === "State" || (error.reason === "Callback" && error.serviceMessage === undefined))
    ? error
    : undefined
}

/** How to make a browser on another machine reach this one. */
const helpFor = (calledAs: string, port: number): string =>
  `If that browser cannot reach this program (a container, another machine), pass ${calledAs}({ paste }), which asks for the URL at which it ends; for a container, publish the port (docker run -p 127.0.0.1:${port}:${port}) and pass ${calledAs}({ host: "0.0.0.0" }).\n`

/** The part of a session that a sign-in uses. */
type SignInSession = Pick<OAuthSession.Service, "authorizationRequest" | "exchange">

class Loopback<E, R> {
  /** The secret path that redirects to the authorization URL, while a browser is being opened. */
  #startPath: string | undefined
  #hasStarted = false

  constructor(
    private readonly session: SignInSession,
    private readonly options: LoginOptions<E, R>,
    private readonly request: AuthorizationRequest,
    private readonly place: Place,
    private readonly done: Deferred.Deferred<Tokens, LoginError | E>,
    private readonly called: Called
  ) {}

  /** Runs an Effect of the program, whose failure ends the sign-in. */
  #run<A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.onError(effect, (cause) => Deferred.failCause(this.done, cause))
  }

  /** Redeems a redirect, shows the result, and ends the sign-in unless the redirect is foreign: then it returns the error. */
  #finish(
    url: string,
    show: (page: PageName) => Effect.Effect<void> = () => Effect.void
  ): Effect.Effect<ClientAuthError | undefined> {
    return Effect.gen(this, function* () {
      const exit = yield* Effect.exit(this.session.exchange(this.request, url))
      const foreign = Exit.isFailure(exit) ? foreignIn(exit.cause) : undefined
      if (foreign !== undefined) {
        yield* show("refused")
      } else if (Exit.isFailure(exit)) {
        yield* show("failed")
        yield* Deferred.failCause(this.done, exit.cause)
      } else if (Option.isNone(exit.value)) {
        yield* show("used")
      } else {
        yield* show("done")
        yield* Deferred.succeed(this.done, exit.value.value)
      }
      return foreign
    })
  }

  #respond({ headers, method, url = "" }: IncomingMessage, outgoing: ServerResponse): Effect.Effect<unknown> {
    const { place } = this
    const show = (page: PageName) => showPage(outgoing, page)
    const [path] = url.split("?", 1)
    if (path !== place.path && path !== this.#startPath) {
      return show("missing")
    }
    if (!place.hosts.has(headers.host?.toLowerCase() ?? "") || method !== "GET") {
      return show("refused")
    }
    if (path === place.path) {
      return this.#finish(url, show)
    }
    if (!isShowing(headers)) {
      return show("refused")
    }
    this.#hasStarted = true
    return Effect.sync(() => sendRedirect(outgoing, this.request.redirectTo))
  }

  /** Asks for the URL, again if it is refused. */
  #askForUrl(tries = maxPastes, refused?: ClientAuthError): Effect.Effect<void, never, R> {
    const { paste } = this.options
    if (paste === undefined || tries === 0) {
      return Effect.void
    }
    return this.#run(Effect.suspend(() => paste(refused))).pipe(
      Effect.flatMap((text) => {
        const query = queryIn(text, this.place.redirectUri, Redacted.value(this.request.state))
        return typeof query === "string" ? this.#finish(query) : Effect.succeed(query)
      }),
      Effect.flatMap((refused) => (refused === undefined ? Effect.void : this.#askForUrl(tries - 1, refused))),
      Effect.ignore
    )
  }

  /** Opens the browser on a file that leads on. Ends if no browser is opened; else the file can be loaded again. */
  #open(address: string): Effect.Effect<void, never, R> {
    const { host, openBrowser = openInBrowser } = this.options
    const { port, url } = this.place
    if (openBrowser === false) {
      return Effect.void
    }
    const opened = Effect.gen(this, function* () {
      const name = host !== undefined ? url.hostname : isIPv6(address) ? `[${address}]` : address
      const path = `/${randomBytes(32).toString("base64url")}`
      const fileUrl = yield* fileLeadingTo(`http://${name}:${port}${path}`)
      yield* Effect.acquireRelease(
        Effect.sync(() => (this.#startPath = path)),
        () => Effect.sync(() => (this.#startPath = undefined))
      )
      const isOpened = yield* this.#run(Effect.suspend(() => openBrowser(fileUrl)))
      yield* isOpened ? Effect.never : Effect.void
    })
    return Effect.ignore(Effect.scoped(opened))
  }

  /** Passes the URL to the program, or prints it if no browser seems to show it to the user. */
  #showUrl(notOpened: Effect.Effect<void>): Effect.Effect<void, never, R> {
    const { host, onUrl, paste } = this.options
    const { redirectTo } = this.request
    if (onUrl !== undefined) {
      return Effect.ignore(this.#run(Effect.suspend(() => onUrl(redirectTo))))
    }
    return Effect.map(Effect.raceFirst(notOpened, Effect.sleep(openTimeout)), () => {
      if (!this.#hasStarted) {
        const help = host === undefined && paste === undefined ? helpFor(this.called.as, this.place.port) : ""
        process.stderr.write(`To sign in, open this URL in a browser, and don't share it:\n${redirectTo}\n${help}`)
      }
    })
  }

  readonly run: Effect.Effect<Tokens, LoginError | E, Scope.Scope | R> = Effect.gen(this, function* () {
    const { called, done, place } = this
    const { signal } = called
    const runInScope = yield* FiberSet.makeRuntime()
    const cancelled = Effect.suspend(() =>
      Effect.fail(loginNetworkError(place.redirectUri, { reason: "Cancelled", cause: causeOf(signal?.reason) }))
    )
    if (signal?.aborted) {
      return yield* cancelled
    }
    const cancel = () => void runInScope(Deferred.complete(done, cancelled))
    signal?.addEventListener("abort", cancel)
    yield* Effect.addFinalizer(() => Effect.sync(() => signal?.removeEventListener("abort", cancel)))
    const address = yield* listen(place, (incoming, outgoing) => void runInScope(this.#respond(incoming, outgoing)))
    const opening = yield* Effect.forkScoped(this.#open(address))
    // In this order, so that what `paste` prints is below the URL.
    yield* Effect.forkScoped(Effect.andThen(this.#showUrl(Fiber.join(opening)), this.#askForUrl()))
    return yield* Deferred.await(done)
  })
}

/** Signs the user of a session in. */
export const loopback = <E, R>(
  session: SignInSession,
  options: LoginOptions<E, R>,
  called: Called
): Effect.Effect<Tokens, LoginError | E, R> =>
  Effect.gen(function* () {
    checkOptions(options, called)
    const request = yield* session.authorizationRequest
    const place = yield* Effect.sync(() => placeOf(request.redirectUri, options.host))
    const done = yield* Deferred.make<Tokens, LoginError | E>()
    const { run } = new Loopback(session, options, request, place, done, called)
    return yield* Effect.timeoutFail(Effect.scoped(run), {
      duration: timeout,
      onTimeout: () => loginNetworkError(place.redirectUri, { reason: "Timeout", timeoutMs: timeout, cause: notBack })
    })
  })
