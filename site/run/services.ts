// The embedded services of a run. They end with it, and no request leaves the page.
import type { Run } from "./program.js"

export type Fetching = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** `EmbeddedCatalog` of a package, whose options are `O`. */
interface Embedded<O, P, C, U> {
  readonly toWebHandler: (options?: O) => {
    readonly handler: (request: Request) => Promise<Response>
    readonly dispose: () => Promise<void>
  }
  readonly profile: (options?: NoInfer<O>, origin?: string) => P
  readonly credentials: (options?: NoInfer<O>) => C
  readonly oauthUrls: (origin?: string) => U
}

/** The credentials of programs for the real service, and the time of what they print. */
export const live = {
  clientIds: ["my-client-id"],
  tokens: { "my-access-token": "sample_reader" },
  now: () => Date.UTC(2026, 2, 1)
}

/** What a program finds in the place of Node's `process`. */
export const processOfPage = '{ env: { CATALOG_CLIENT_ID: "my-client-id", CATALOG_ACCESS_TOKEN: "my-access-token" } }'

/**
 * @param real the address of the real service: a program that calls it reaches one with `live` instead
 */
export const servicesFor = <
  O extends object,
  P extends { readonly baseUrl: string },
  C extends object,
  U extends object
>(
  embedded: Embedded<O, P, C, U>,
  { exchanged }: Run,
  real: { readonly baseUrl: string; readonly options: NoInfer<O> }
) => {
  const toWebHandler = (options?: O) => {
    const { dispose, handler } = embedded.toWebHandler(options)
    return {
      dispose,
      handler: async (request: Request): Promise<Response> => {
        const { method, url } = request
        try {
          const response = await handler(request)
          exchanged({ method, url, status: response.status })
          return response
        } catch (error) {
          exchanged({ method, url, status: undefined })
          throw error
        }
      }
    }
  }

  const fetchOf = (options?: O): Fetching => {
    const { handler } = toWebHandler(options)
    return (input, init) => handler(new Request(input, init))
  }

  /** The services by their origins. */
  const services = new Map<string, Fetching>()
  let nextPort = 49_152

  const reach: Fetching = async (input, init) => {
    const request = new Request(input, init)
    const { origin } = new URL(request.url)
    if (origin === new URL(real.baseUrl).origin && !services.has(origin)) {
      services.set(origin, fetchOf(real.options))
    }
    const service = services.get(origin)
    if (service === undefined) {
      throw new TypeError("fetch failed")
    }
    return service(request)
  }

  const serve = async (options?: O & { readonly port?: number }) => {
    const { dispose, handler } = toWebHandler(options)
    const origin = `http://127.0.0.1:${options?.port ?? nextPort++}`
    services.set(origin, (input, init) => handler(new Request(input, init)))
    const close = async () => {
      services.delete(origin)
      await dispose()
    }
    const profile = embedded.profile(options, origin)
    return {
      url: profile.baseUrl,
      profile,
      ...embedded.credentials(options),
      ...embedded.oauthUrls(origin),
      close,
      [Symbol.asyncDispose]: close
    }
  }

  return { fetchOf, reach, serve, toWebHandler }
}
