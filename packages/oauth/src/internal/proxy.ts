/**
 * A proxy for the pages of a site: named operations pass, and the server adds the credentials.
 */
import * as Effect from "effect/Effect"
import { mistake, receivedOperations, show } from "@catalog-client/core/internal"
import { type Handler, json, notAllowed, notFound, otherSite, refuse, respond, responseTo } from "./responses.js"
import { pathOn } from "./urls.js"

/** A proxy for the pages of a site. */
export interface ProxyOptions<Operation extends string> {
  /** The path that pages use as `baseUrl`, for example `/catalog`. */
  readonly prefix: string
  /** The reads that pass. */
  readonly operations: ReadonlyArray<Operation>
  /**
   * The writes that pass.
   *
   * @default []
   */
  readonly writes?: ReadonlyArray<Operation> | undefined
}

/** What a proxy calls. */
export interface ProxyCalls<R> {
  readonly calledAs: string
  /** The operations by domain, which may be those of any face. */
  readonly operations: object
  /** Calls an operation for a request. It can fail with a response. */
  readonly call: (
    operation: string,
    args: ReadonlyArray<object>,
    request: Request
  ) => Effect.Effect<unknown, unknown, R>
}

const maxFormBytes = 65_536

/** The form of a request; fails with a response for a body that is no form. */
const formIn = (request: Request): Effect.Effect<URLSearchParams, Response> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: async () => {
        const reader = request.body?.getReader()
        const decoder = new TextDecoder()
        let text = ""
        for (let bytes = 0; reader !== undefined;) {
          const { done, value } = (await reader.read()) as ReadableStreamReadResult<Uint8Array>
          if (done) {
            break
          }
          bytes += value.length
          if (bytes > maxFormBytes) {
            await reader.cancel()
            return undefined
          }
          text += decoder.decode(value, { stream: true })
        }
        return text
      },
      catch: () => refuse(400, "bad_request", "The request was cut off.")
    })
    if (text === undefined) {
      return yield* Effect.fail(refuse(413, "too_large", "The request is too large."))
    }
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get("content-type") ?? "")
    return text === "" || isForm
      ? new URLSearchParams(text)
      : yield* Effect.fail(refuse(415, "not_a_form", "Send a form: application/x-www-form-urlencoded."))
  })

export const checkPath = (calledAs: string, name: string, path: string): string => {
  const pathOfSite = typeof path === "string" && path.startsWith("/") ? pathOn("http://localhost", path) : undefined
  if (pathOfSite === undefined) {
    throw mistake(`${calledAs}: ${name} must be a path of the site, for example "/", but it is ${show(path)}`)
  }
  return pathOfSite
}

/** A request that no page of another site has made: its pages say so, or there is no page. */
const isOwnRead = ({ headers }: Request): boolean => /^(same-origin|none)?$/.test(headers.get("sec-fetch-site") ?? "")

/** A proxy: the path below which it is, and its route. `isOwnWrite`: whether a page of the site has sent a write. */
export const makeProxy = <R>(
  calls: ProxyCalls<R>,
  options: ProxyOptions<string>,
  isOwnWrite: (request: Request) => boolean
): { readonly start: string; readonly proxy: Handler<R> } => {
  const { calledAs } = calls
  const { operations: reads, prefix, writes = [] } = options
  const start = `${checkPath(calledAs, "prefix", prefix).replace(/\/+$/, "")}/`
  const operations = receivedOperations(calls.operations, [...reads, ...writes], calledAs)
  operations.forEach(({ method, name }) => {
    if (!(method === "GET" ? reads : writes).includes(name)) {
      const [list, other] = method === "GET" ? ["operations", "writes"] : ["writes", "operations"]
      throw mistake(`${calledAs}: ${name} belongs to ${list}, not to ${other}`)
    }
  })
  const proxy: Handler<R> = (request) =>
    Effect.gen(function* () {
      const { pathname, searchParams } = new URL(request.url)
      const path = pathname.startsWith(start) ? pathname.slice(start.length) : ""
      const matches = operations.flatMap((operation) => {
        const params = operation.paramsIn(path)
        return params === undefined ? [] : [{ ...operation, params }]
      })
      if (matches.length === 0) {
        return notFound()
      }
      const operation = matches.find(({ method }) => method === request.method)
      if (operation === undefined) {
        return notAllowed(matches.map(({ method }) => method).join(", "))
      }
      const isRead = operation.method === "GET"
      if (!(isRead ? isOwnRead : isOwnWrite)(request)) {
        return otherSite()
      }
      const form = isRead ? new URLSearchParams() : yield* formIn(request)
      const args = yield* Effect.try({
        try: () => operation.argsOf(operation.params, searchParams, form),
        catch: (error) => error
      })
      const reply = yield* calls.call(operation.name, args, request)
      return reply === undefined ? respond(204) : json(reply)
    }).pipe(Effect.catchAll(responseTo))
  return { start, proxy: (request) => Effect.suspend(() => proxy(request)) }
}
