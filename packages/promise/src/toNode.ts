/**
 * Handlers of web requests on servers of Node: `http`, Express, Fastify.
 */

/** A request of Node, by its shape. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  /** Whether its body was read, for example by a body parser. */
  readonly readableEnded?: boolean
}

/** A response of Node, by its shape. */
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  appendHeader(name: string, value: string): unknown
  end(body?: Uint8Array): unknown
  once(event: "close", listener: () => void): unknown
}

/** What a body parser has read: a string, bytes, or the members of a form. */
const parsed = (body: unknown): string | Uint8Array<ArrayBuffer> | null =>
  body === undefined || body === null || typeof body === "string" || body instanceof Uint8Array
    ? ((body as Uint8Array<ArrayBuffer>) ?? null)
    : new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()

const streamOf = (request: AsyncIterable<unknown>): ReadableStream<Uint8Array> => {
  const chunks = request[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) {
        controller.close()
      } else {
        controller.enqueue(value as Uint8Array)
      }
    },
    // The server ends the request, which may be longer than a handler reads.
    cancel: () => undefined
  })
}

const requestOf = (request: NodeRequest, signal: AbortSignal): Request => {
  const { body, originalUrl = request.url } = request as { readonly body?: unknown; readonly originalUrl?: string }
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 has the method and the path among them.
    if (value !== undefined && !name.startsWith(":")) {
      headers.set(name, typeof value === "string" ? value : value.join(", "))
    }
  }
  const { method = "GET" } = request
  const hasBody = !/^(GET|HEAD)$/.test(method)
  const sent = request.readableEnded === true ? parsed(body) : streamOf(request)
  // Joined, not resolved: a path such as //example.org would be another origin. The origin of a URL is of no interest to
  // handlers.
  const init = { method, headers, signal, ...(hasBody && { body: sent, duplex: "half" }) }
  return new Request(`http://localhost${originalUrl ?? "/"}`, init)
}

/**
 * Makes a listener of Node's `http`, or a handler of Express, of a function from web requests to web responses. A request that
 * disconnects aborts the `signal`. A body that a parser has read is taken from `body`. What the handler does not handle goes to
 * `next`, and without `next` gets a 404; what it is rejected with goes to `next`, too, and without `next` gets a 500.
 *
 * @example
 * ```ts
 * import { type Handlers, toNode } from "catalog-client/handlers"
 * import { createServer } from "node:http"
 *
 * export const serverOver = (auth: Handlers) => createServer(toNode(auth.handle))
 * ```
 */
export const toNode =
  (handler: (request: Request) => Promise<Response> | undefined) =>
  (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => unknown): void => {
    const left = new AbortController()
    response.once("close", () => left.abort())
    const fail = (status: number, error?: unknown): void => {
      if (next !== undefined) {
        next(error)
        return
      }
      response.statusCode = status
      response.end()
    }
    const handle = async (): Promise<void> => {
      // Refuses a proxy's request for another origin, a request for the whole server, and methods that web requests do not have.
      if (!request.url?.startsWith("/") || /^(connect|trace|track)$/i.test(request.method ?? "")) {
        response.statusCode = 400
        response.end()
        return
      }
      const handled = await handler(requestOf(request, left.signal))
      if (handled === undefined) {
        fail(404)
        return
      }
      const body = new Uint8Array(await handled.arrayBuffer())
      response.statusCode = handled.status
      handled.headers.forEach((value, name) => {
        if (name !== "set-cookie") {
          response.setHeader(name, value)
        }
      })
      // Each cookie has its own header, beside the cookies that the program has set.
      handled.headers.getSetCookie().forEach((cookie) => response.appendHeader("set-cookie", cookie))
      response.end(body)
    }
    handle().catch((error: unknown) => fail(500, error))
  }
