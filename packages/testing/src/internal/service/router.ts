/** Finds the endpoint of a request, and calls its handler. */
import * as Effect from "effect/Effect"
import type { Operation, ReceivedRequest } from "../../Options.js"
import { identify } from "./access.js"
import type { Endpoint } from "./endpoint.js"
import { endpoints } from "./endpoints.js"
import { pairsOf } from "../pairs.js"
import { withRefusals, badRequest, json, type ServiceResponse } from "./response.js"
import type { Service } from "./service.js"

interface Route {
  readonly operation: Operation
  readonly endpoint: Endpoint
  readonly segments: ReadonlyArray<string>
}

/** An endpoint that a request matches, and the parameters of its path. */
export interface Match extends Route {
  readonly params: Readonly<Record<string, string>>
}

const isParameter = (segment: string): boolean => segment.startsWith(":")

/** The routes. Literal segments are matched before parameters. */
const routes: ReadonlyArray<Route> = Object.entries<Readonly<Record<string, Endpoint>>>(endpoints)
  .flatMap(([domain, group]) =>
    Object.entries(group).map(([name, endpoint]) => ({
      // A safe cast: the type consists of the same names.
      operation: `${domain}.${name}` as Operation,
      endpoint,
      segments: endpoint.path.split("/")
    }))
  )
  .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length)

export const operationNames: ReadonlyArray<string> = routes.map(({ operation }) => operation).sort()

/** A malformed path matches no route. */
const segmentsOf = (path: string): ReadonlyArray<string> => {
  try {
    return path.split("/").map(decodeURIComponent)
  } catch {
    return []
  }
}

/**
 * The endpoints under a path, by method; a PUT is a PATCH. The path must match exactly: a client should notice a doubled slash.
 */
export const matchesOf = (path: string): ReadonlyMap<string, Match> => {
  const segments = segmentsOf(path)
  const matches = new Map<string, Match>()
  for (const route of routes) {
    const { endpoint, segments: named } = route
    const isMatch =
      named.length === segments.length &&
      named.every((name, at) => (isParameter(name) ? segments[at] !== "" : name === segments[at]))
    if (!isMatch || matches.has(endpoint.method)) {
      continue
    }
    const params = Object.fromEntries(
      named.flatMap((name, at) => (isParameter(name) ? [[name.slice(1), segments[at] ?? ""]] : []))
    )
    const match = { ...route, params }
    matches.set(endpoint.method, match)
    if (endpoint.method === "PATCH") {
      matches.set("PUT", match)
    }
  }
  return matches
}

/** The URL that the client used: from `Host` if the request came over a socket. */
const urlOf = (origin: string | undefined, { headers, path, search }: ReceivedRequest): URL => {
  const { host = "localhost" } = headers
  const url = `${origin ?? `http://${host}`}${path}${search}`
  if ((origin === undefined && !/^[^\s/?#@\\]+$/.test(host)) || !URL.canParse(url)) {
    throw badRequest("invalid host")
  }
  return new URL(url)
}

/** Checks the caller's credentials, and writes what the handler returns in the service's form. */
export const handle = (
  service: Service,
  { endpoint, params }: Match,
  origin: string | undefined,
  request: ReceivedRequest
): Effect.Effect<ServiceResponse> =>
  withRefusals(
    Effect.map(service.now, (now) => {
      const { body, headers, query } = request
      const url = urlOf(origin, request)
      const account = identify(service.grants, endpoint.access, headers, now)
      return json(
        endpoint.handle({
          service,
          account,
          now,
          url,
          params,
          // Empty parameters are left out: the live service's behavior for them is unknown.
          query: Object.fromEntries(pairsOf(query).filter(([, value]) => value !== "")),
          headers,
          body
        })
      )
    })
  )
