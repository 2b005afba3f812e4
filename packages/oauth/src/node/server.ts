/**
 * Where a browser comes back to: the address of a redirect URI, and the servers that listen there.
 */
import { ClientNetworkError } from "@catalog-client/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from "node:http"
import { isIP } from "node:net"
import { inspect } from "node:util"
import { isThisMachine } from "../internal/urls.js"

const operationName = "Login.loopback"

const loginMistake = (message: string): TypeError => new TypeError(`${operationName}: ${message}`)

export const loginNetworkError = (
  url: string,
  rest: Pick<ClientNetworkError, "reason" | "cause"> & Partial<Pick<ClientNetworkError, "timeoutMs">>
): ClientNetworkError =>
  new ClientNetworkError({ operation: operationName, method: "GET", url, attempts: 1, about: "login", ...rest })

/** Whether a URL can lead to a server of this program: with `http:`, and without user name, port 0 or fragment. */
const canListenAt = ({ hostname, href, password, port, protocol, username }: URL): boolean =>
  protocol === "http:" && isThisMachine(hostname) && username + password === "" && port !== "0" && !href.includes("#")

const exampleRedirectUri = "http://localhost:8080/callback"

/** A redirect URI of this machine, with the addresses to listen on and the accepted values of `Host`. */
export const placeOf = (redirectUri: string | undefined, host: string | undefined) => {
  if (host !== undefined && isIP(host) === 0) {
    throw loginMistake(`host must be an IP address to listen on, for example 0.0.0.0, but it is ${inspect(host)}`)
  }
  if (redirectUri === undefined) {
    throw loginMistake(
      `the session has no redirectUri: set it to the one that is registered, for example ${exampleRedirectUri}`
    )
  }
  const url = new URL(redirectUri)
  if (!canListenAt(url)) {
    throw loginMistake(
      `redirectUri must be an http: URL of this machine, for example ${exampleRedirectUri}, but it is ${inspect(redirectUri)}. For any other, use authorizationRequest and exchange.`
    )
  }
  const { hostname, pathname: path } = url
  const port = Number(url.port || 80)
  const isName = hostname === "localhost"
  const names = isName ? ["localhost", "127.0.0.1", "[::1]"] : [hostname]
  return {
    redirectUri,
    url,
    port,
    path,
    addresses: host !== undefined ? [host] : isName ? ["127.0.0.1", "::1"] : [hostname.replace(/^\[|\]$/g, "")],
    hosts: new Set([...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])])
  }
}

export type Place = ReturnType<typeof placeOf>

const addressAdvice: { readonly [code: string]: string } = {
  EADDRINUSE: "another program uses it",
  EACCES: "this user is not allowed to use it: ports below 1024 are often reserved"
}

const cannotListen = (
  { redirectUri, port, url }: Place,
  { code, message, name }: NodeJS.ErrnoException
): ClientNetworkError => {
  const other = new URL(url)
  other.port = String(port < 1024 ? 8080 : port + 1)
  return loginNetworkError(redirectUri, {
    reason: "Transport",
    cause: {
      name,
      message: `port ${port} cannot be used: ${addressAdvice[code ?? ""] ?? message}. Free it, or register another redirect URI with the service, for example ${other.href}, and set redirectUri to it`,
      ...(code !== undefined && { code })
    }
  })
}

/** Whether the machine does not have an address, by the error of the operating system. */
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

/** Listens at all addresses that the machine has, until the scope is closed. Returns the first of them. */
export const listen = (
  place: Place,
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void
): Effect.Effect<string, ClientNetworkError, Scope.Scope> =>
  Effect.gen(function* () {
    let lacking: NodeJS.ErrnoException = new Error("there is no address")
    const addresses: Array<string> = []
    for (const address of place.addresses) {
      const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, answer)
      yield* Effect.addFinalizer(() => close(server))
      yield* Effect.matchEffect(listenAt(server, address, place.port), {
        onSuccess: () => Effect.sync(() => addresses.push(address)),
        onFailure: (error) => {
          lacking = error
          return isNoAddress(error) ? Effect.void : Effect.fail(cannotListen(place, error))
        }
      })
    }
    return addresses[0] ?? (yield* Effect.fail(cannotListen(place, lacking)))
  })

/**
 * Whether the user's browser navigates to an address. `Sec-Fetch-Site` does not help: a page from a file is cross-site
 * everywhere.
 */
export const isShowing = (headers: IncomingHttpHeaders): boolean => {
  const { "sec-fetch-dest": destination = "document" } = headers
  const purposes = ["sec-purpose", "purpose", "x-moz", "x-purpose"]
  return destination === "document" && purposes.every((name) => headers[name] === undefined)
}
