/**
 * One sign-in with the user's browser, which comes back to a port of this machine (RFC 8252).
 *
 * @since 0.2.0
 */
import { type ClientAuthError, ClientNetworkError, type ClientRestError } from "@catalog-client/core"
import type { AuthorizationRequest, OAuthSessionService, Tokens } from "@catalog-client/core/oauth"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from "node:http"
import { isIP, isIPv6 } from "node:net"
import { inspect } from "node:util"
import { duration, millisOf } from "./duration.js"
import { fileLeadingTo, isInContainer, openInBrowser } from "./browser.js"
import { type Page, redirect, showPage } from "./page.js"
import { queryIn } from "./pasted.js"

/** How a sign-in can fail. */
export type LoginError = ClientAuthError | ClientRestError | ClientNetworkError

/** Options of a sign-in on this machine. */
export interface LoopbackOptions {
  /**
   * Where the service sends the browser back: exactly as registered, and an `http:` URL of this machine, for example
   * `http://localhost:8080/callback`. By default it is the session's.
   */
  readonly redirectUri?: string | undefined
  /**
   * Opens a URL in the user's browser, or returns `false` if it cannot. The URL is that of a file which only this user
   * can read and which leads on, so it may be an argument of a program; the file is removed when the sign-in has ended.
   * By default that is done by the package `open`, if it is installed; over SSH, without a display, and in WSL, whose
   * files a browser of Windows does not find, no browser is opened. `false` opens none.
   */
  readonly openBrowser?: ((url: string) => unknown) | false | undefined
  /**
   * Receives the URL at which the user signs in, which works in any browser. It is a secret until the sign-in has ended.
   * By default it is written to the standard error stream, unless a browser has been opened on this machine.
   */
  readonly onUrl?: ((url: string) => unknown) | undefined
  /**
   * Asks the user for the URL at which the browser has ended up: in a browser on another machine, that is a page which
   * could not be loaded. Its query or the code alone will do, also with quotes or `<` and `>` around it. It is asked again if the
   * URL is not that of the sign-in; `refused` then says why. The signal is aborted when the sign-in has ended.
   */
  readonly paste?: ((signal: AbortSignal, refused: ClientAuthError | undefined) => string | Promise<string>) | undefined
  /**
   * The address to listen on, in place of the redirect URI's: `0.0.0.0` in a container whose port is published, for
   * example by `docker run -p 127.0.0.1:8080:8080`. Requests still need the redirect URI's host and port. Everybody who can
   * reach the address can send requests; only those with the `state` of the sign-in count.
   */
  readonly host?: string | undefined
  /** How long the sign-in may take: 5 minutes by default; a number is in milliseconds. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** What a sign-in needs of a session. */
interface Grants extends Pick<OAuthSessionService, "exchange"> {
  readonly authorizationRequest: Effect.Effect<AuthorizationRequest, LoginError>
}

/** Milliseconds after which a browser that has not connected does not count as opened. */
const patience = 3_000

/** How many wrong URLs can be pasted. */
const mostPastes = 20

/** Milliseconds that a page may take to be sent, before connections are closed. */
const sending = 1_000

const operation = "Login.loopback"

const mistake = (message: string): TypeError => new TypeError(`${operation}: ${message}`)

const example = "http://localhost:8080/callback"

/** No user name, no port 0, no fragment. */
const ofThisMachine = /^http:\/\/(localhost|127([.]\d+){3}|\[::1\])(:[1-9]\d*)?\/[^#]*$/

/** Where the browser is sent back, and where to listen for it. */
const placeOf = (redirectUri: string | undefined, host: string | undefined) => {
  if (host !== undefined && isIP(host) === 0) {
    throw mistake(`host must be an IP address to listen on, for example 0.0.0.0, but it is ${inspect(host)}`)
  }
  if (redirectUri === undefined) {
    throw mistake(`redirectUri is missing: set it to the one that is registered, for example ${example}`)
  }
  // A value that was copied can have an invisible one.
  const strange = /[^!-~]/u.exec(redirectUri)?.[0].codePointAt(0)
  if (strange !== undefined) {
    const name = `U+${strange.toString(16).toUpperCase().padStart(4, "0")}`
    throw mistake(`redirectUri contains ${name}. Copy it again, without line breaks and invisible characters`)
  }
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined
  if (url === undefined || !ofThisMachine.test(url.href)) {
    throw mistake(
      `redirectUri must be an http: URL of this machine, for example ${example}, but it is ${inspect(redirectUri)}. For any other, use authorizationRequest and exchange.`
    )
  }
  const isName = url.hostname === "localhost"
  const port = Number(url.port || 80)
  return {
    redirectUri,
    url,
    port,
    path: url.pathname,
    addresses: host !== undefined ? [host] : isName ? ["127.0.0.1", "::1"] : [url.hostname.replace(/^\[|\]$/g, "")],
    hosts: new Set(
      (isName ? ["localhost", "127.0.0.1", "[::1]"] : [url.hostname]).flatMap((name) => [
        `${name}:${port}`,
        ...(port === 80 ? [name] : [])
      ])
    )
  }
}

type Place = ReturnType<typeof placeOf>

const timeoutOf = (timeout: Duration.DurationInput = 5 * 60_000): number => {
  const millis = millisOf(timeout)
  if (!(millis > 0)) {
    throw mistake(`timeout must be ${duration}, but it is ${inspect(timeout)}`)
  }
  // The longest time of a timer.
  return Math.min(millis, 2 ** 31 - 1)
}

export const networkError = (
  redirectUri: string,
  rest: Pick<ClientNetworkError, "reason"> & Partial<Pick<ClientNetworkError, "cause" | "timeoutMs">>
): ClientNetworkError => new ClientNetworkError({ operation, method: "GET", url: redirectUri, attempts: 1, ...rest })

/** A service that does not know the client or the redirect URI sends no one back, and answers with a password dialog. */
const notBack = {
  name: "TimeoutError",
  message:
    "the browser did not come back. If it asked for a user name and password, the service does not know this clientId or redirectUri: compare both with the registered ones"
}

const advices: { readonly [code: string]: string } = {
  EADDRINUSE: "another program uses it",
  EACCES: "this user may not use it: ports below 1024 are often reserved"
}

const cannotListen = (
  { redirectUri, port, url }: Place,
  { code, message, name }: NodeJS.ErrnoException
): ClientNetworkError => {
  const other = new URL(url)
  other.port = String(port < 1024 ? 8080 : port + 1)
  const why = advices[code ?? ""] ?? message
  return networkError(redirectUri, {
    reason: "Transport",
    cause: {
      name,
      message: `port ${port} cannot be used: ${why}. Free it, or register another redirect URI with the service, for example ${other.href}, and set redirectUri to it`,
      ...(code !== undefined && { code })
    }
  })
}

/** How an operating system reports an address that it does not have. */
const isNoAddress = ({ code }: NodeJS.ErrnoException): boolean => code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT"

const listenAt = (server: Server, host: string, port: number): Effect.Effect<void, NodeJS.ErrnoException> =>
  Effect.async((resume) => {
    // Also later: a connection that cannot be accepted must not end the process.
    server.on("error", (error) => resume(Effect.fail(error)))
    server.listen({ host, port, exclusive: true }, () => resume(Effect.void))
  })

const close = (server: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** Listens at all addresses that the machine has, and returns the first of them. */
const listen = (
  place: Place,
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void
): Effect.Effect<string, ClientNetworkError, Scope.Scope> =>
  Effect.gen(function* () {
    let lacking: NodeJS.ErrnoException | undefined
    const found: Array<string> = []
    for (const address of place.addresses) {
      const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, answer)
      yield* Effect.addFinalizer(() => close(server))
      yield* Effect.matchEffect(listenAt(server, address, place.port), {
        onSuccess: () => Effect.sync(() => found.push(address)),
        onFailure: (error) => {
          lacking = error
          return isNoAddress(error) ? Effect.void : Effect.fail(cannotListen(place, error))
        }
      })
    }
    const [first] = found
    return first ?? (yield* Effect.fail(cannotListen(place, lacking ?? new Error("there is no address"))))
  })

/** Waits until a response was sent or its connection is gone. */
const sent = (outgoing: ServerResponse): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (outgoing.destroyed || outgoing.closed) {
      resume(Effect.void)
    } else {
      outgoing.once("close", () => resume(Effect.void))
    }
  }).pipe(Effect.timeoutOption(sending), Effect.withClock(Clock.make()), Effect.asVoid)

/** Whether a redirect belongs to another sign-in, or contains no result: then the right one may still come. */
const isForeign = (error: LoginError): error is ClientAuthError =>
  error._tag === "ClientAuthError" &&
  (error.reason === "State" || (error.reason === "Callback" && error.serviceMessage === undefined))

/**
 * Whether the user's browser goes to an address to show it. `Sec-Fetch-Site` says nothing here: a page from a file is of
 * another site than any.
 */
const isShowing = (headers: IncomingHttpHeaders): boolean => {
  const { "sec-fetch-dest": destination = "document" } = headers
  const purposes = ["sec-purpose", "purpose", "x-moz", "x-purpose"]
  return destination === "document" && purposes.every((name) => headers[name] === undefined)
}

/** What a browser outside of a container needs to come back to a program inside. */
const inContainer = (port: number): string =>
  `This program runs in a container. So that the browser can come back, publish the port (docker run -p 127.0.0.1:${port}:${port}) and pass login({ host: "0.0.0.0" }), or pass login({ paste }), which asks for the URL at which the browser ends.\n`

const writeUrl = (url: string, help: string): void => {
  process.stderr.write(`To sign in, open this URL in a browser. Show it to no one:\n${url}\n${help}`)
}

/** The authorization URL with another redirect URI. */
const withRedirectUri = (request: AuthorizationRequest, redirectUri: string) => {
  const url = new URL(Redacted.value(request.url))
  url.searchParams.set("redirect_uri", redirectUri)
  return { pending: { ...request, redirectUri }, href: url.href }
}

/** One sign-in over the grants of a session. */
export const signInWith = (session: Grants, options: LoopbackOptions): Effect.Effect<Tokens, LoginError> =>
  Effect.gen(function* () {
    const { onUrl, openBrowser = openInBrowser, paste } = options
    const timeout = yield* Effect.sync(() => timeoutOf(options.timeout))
    const request = yield* session.authorizationRequest
    const redirectUri = options.redirectUri?.trim()
    const place = yield* Effect.sync(() => placeOf(redirectUri ?? request.redirectUri, options.host))
    const { pending, href } =
      redirectUri === undefined
        ? { pending: request, href: Redacted.value(request.url).href }
        : withRedirectUri(request, redirectUri)
    const done = yield* Deferred.make<Tokens, LoginError>()
    /** Leads to the authorization URL, while a browser is being opened: only its user knows it. */
    let startPath: string | undefined
    let hasStarted = false

    /** Redeems a redirect, shows the result, and ends the sign-in unless the redirect is not its own. */
    const finish = (
      url: string,
      show: (page: Page) => Effect.Effect<void>
    ): Effect.Effect<ClientAuthError | undefined> =>
      Effect.flatMap(Effect.exit(session.exchange(pending, url)), (exit) => {
        if (Exit.isSuccess(exit)) {
          return Effect.as(
            Option.match(exit.value, {
              onNone: () => show("used"),
              onSome: (tokens) => Effect.zipRight(show("done"), Deferred.succeed(done, tokens))
            }),
            undefined
          )
        }
        const foreign = Option.filter(Cause.failureOption(exit.cause), isForeign)
        if (Option.isSome(foreign)) {
          return Effect.as(show("refused"), foreign.value)
        }
        return Effect.as(Effect.zipRight(show("failed"), Deferred.failCause(done, exit.cause)), undefined)
      })

    const answer = ({ headers, method, url = "" }: IncomingMessage, outgoing: ServerResponse) => {
      const show = (page: Page) =>
        Effect.suspend(() => {
          showPage(outgoing, page)
          return sent(outgoing)
        })
      const [path] = url.split("?", 1)
      if (path !== place.path && path !== startPath) {
        return show("missing")
      }
      if (!place.hosts.has(headers.host?.toLowerCase() ?? "") || method !== "GET") {
        return show("refused")
      }
      if (path === place.path) {
        return finish(url, show)
      }
      if (!isShowing(headers)) {
        return show("refused")
      }
      hasStarted = true
      return Effect.sync(() => redirect(outgoing, href))
    }

    const pasted = (tries: number, refused?: ClientAuthError): Effect.Effect<void> =>
      paste === undefined || tries === 0
        ? Effect.void
        : Effect.tryPromise(async (signal) => paste(signal, refused)).pipe(
            Effect.flatMap((text) => {
              const query = queryIn(text, place.redirectUri, Redacted.value(pending.state))
              return typeof query === "string" ? finish(query, () => Effect.void) : Effect.succeed(query)
            }),
            Effect.flatMap((refused) => (refused === undefined ? Effect.void : pasted(tries - 1, refused))),
            // The callback that asks the user can fail, for example if the terminal is closed. The browser can still come.
            Effect.ignore
          )

    return yield* Effect.scoped(
      Effect.gen(function* () {
        const run = yield* FiberSet.makeRuntime()
        const address = yield* listen(place, (incoming, outgoing) => void run(answer(incoming, outgoing)))
        const host = options.host !== undefined ? place.url.hostname : isIPv6(address) ? `[${address}]` : address
        const showUrl = (how: (url: string) => unknown) => Effect.ignore(Effect.tryPromise(async () => how(href)))
        // Ends if no browser is opened. Otherwise the file can be loaded again until the sign-in ends.
        const opening = (open: (url: string) => unknown) =>
          Effect.gen(function* () {
            const path = `/${randomBytes(32).toString("base64url")}`
            const fileUrl = yield* fileLeadingTo(`http://${host}:${place.port}${path}`)
            yield* Effect.acquireRelease(
              Effect.sync(() => (startPath = path)),
              () => Effect.sync(() => (startPath = undefined))
            )
            const isOpened = yield* Effect.tryPromise(async () => open(fileUrl))
            return yield* isOpened === false ? Effect.void : Effect.never
          })
        const notOpened = yield* Effect.forkScoped(
          openBrowser === false ? Effect.void : Effect.ignore(Effect.scoped(opening(openBrowser)))
        )
        // A browser may also be opened where the user does not see it.
        const unseen = Effect.raceFirst(Fiber.join(notOpened), Effect.sleep(patience))
        const needsHelp = options.host === undefined && paste === undefined && isInContainer()
        const print = (url: string) => writeUrl(url, needsHelp ? inContainer(place.port) : "")
        const printing = Effect.flatMap(unseen, () => (hasStarted ? Effect.void : showUrl(print)))
        yield* Effect.forkScoped(onUrl === undefined ? printing : showUrl(onUrl))
        yield* Effect.forkScoped(pasted(mostPastes))
        return yield* Deferred.await(done)
      })
    ).pipe(
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () => networkError(place.redirectUri, { reason: "Timeout", timeoutMs: timeout, cause: notBack })
      })
    )
  })
