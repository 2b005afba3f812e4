import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "@catalog-client/testing"
import { onTestFinished } from "vitest"

export const base = "https://api.myanimelist.net/v2"
export const token = { authorization: "Bearer embedded-token" }
export const client = { "x-mal-client-id": "embedded-client" }

export interface Entry {
  readonly node: { readonly id: number; readonly title: string } & Readonly<Record<string, unknown>>
  readonly list_status?: Readonly<Record<string, unknown>>
  readonly ranking?: Readonly<Record<string, number>>
}

export interface Reply<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

export interface Page<A = Entry> {
  readonly data: ReadonlyArray<A>
  readonly paging?: { readonly next?: string; readonly previous?: string }
}

/** The service for one test, and the means to ask it. */
export const start = (options: EmbeddedCatalogOptions = {}) => {
  const { dispose, handler } = EmbeddedCatalog.toWebHandler(options)
  onTestFinished(dispose)

  /** A path below the base URL, or a whole URL. */
  const send = async <Body = unknown>(path: string, init: RequestInit = {}): Promise<Reply<Body>> => {
    const url = path.startsWith("/") ? `${base}${path}` : path
    const response = await handler(new Request(url, init))
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      get body() {
        return (isJson ? JSON.parse(text) : undefined) as Body
      }
    }
  }

  return {
    handler,
    send,
    get: <Body = unknown>(path: string, headers: Record<string, string> = token) => send<Body>(path, { headers }),
    page: <A = Entry>(path: string, headers: Record<string, string> = token) => send<Page<A>>(path, { headers }),
    patch: (path: string, form: Record<string, string>, headers: Record<string, string> = token) =>
      send<Record<string, unknown>>(`${path}/my_list_status`, {
        method: "PATCH",
        headers,
        body: new URLSearchParams(form)
      }),
    remove: (path: string, headers: Record<string, string> = token) =>
      send(`${path}/my_list_status`, { method: "DELETE", headers }),

    /** All pages, from one `next` to the other. */
    walk: async <A = Entry>(path: string): Promise<ReadonlyArray<Page<A>>> => {
      const pages: Array<Page<A>> = []
      let next: string | undefined = path
      while (next !== undefined) {
        if (pages.length > 2000) {
          throw new Error("The walk does not end")
        }
        const reply: Reply<Page<A>> = await send<Page<A>>(next, { headers: token })
        if (reply.status !== 200) {
          throw new Error(`${reply.status} at ${next}`)
        }
        pages.push(reply.body)
        next = reply.body.paging?.next
      }
      return pages
    }
  }
}

export const ids = (page: Page): ReadonlyArray<number> => page.data.map(({ node }) => node.id)
