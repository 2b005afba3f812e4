/**
 * Responses with the credentials of their request, as bytes on a socket.
 */
import { key, password, session } from "./canary.js"

/** The credentials and target of a request, and another origin. */
export interface ReceivedCredentials {
  readonly token: string
  readonly id: string
  readonly method: string
  /** Path and query, without the response's name. */
  readonly target: string
  readonly elsewhere: string
}

interface RawResponse {
  readonly bytes: string
  /** After the bytes: an end, a reset, or nothing. */
  readonly ending?: "end" | "reset" | "stall"
}

export interface Echo {
  readonly responseTo: (received: ReceivedCredentials) => RawResponse
  /** Whether the error must contain `<redacted>`. */
  readonly shows?: boolean
}

const lines = (first: string, headers: Readonly<Record<string, string>>, body: string): string =>
  [
    `HTTP/1.1 ${first}`,
    // A page of another origin may read it.
    ...Object.entries({ "access-control-allow-origin": "*", connection: "close", ...headers }).map(
      ([name, value]) => `${name}: ${value}`
    ),
    "",
    body
  ].join("\r\n")

const respond = (status: string, body: string, headers: Readonly<Record<string, string>> = {}): RawResponse => ({
  bytes: lines(status, { "content-length": String(body.length), "content-type": "application/json", ...headers }, body)
})

const says = (body: (received: ReceivedCredentials) => string, status = "400 No"): Echo => ({
  shows: true,
  responseTo: (received) => respond(status, body(received))
})

const both = ({ token, id }: ReceivedCredentials, write: (text: string) => string): string =>
  `bad ${write(token)} of ${write(id)}, no`

const page = JSON.stringify({ data: [{ node: { id: 1, title: "x" } }], paging: {} })

/** By name; the client's base URL ends with it. secrets.test.ts has the other ways to write a credential in a body. */
export const echoes: Readonly<Record<string, Echo>> = {
  "in-json": says((received) =>
    JSON.stringify({
      error: both(received, String),
      message: received.id,
      list: [{ [received.token]: { [received.id]: [received.token] } }]
    })
  ),
  "in-a-json-string": says((received) => JSON.stringify(both(received, String))),
  "in-json-within-json": says((received) =>
    JSON.stringify({ message: JSON.stringify({ got: [received.token, received.id] }) })
  ),
  "in-json-within-html": says(
    (received) => `<pre>${JSON.stringify([received.token, received.id]).replaceAll("/", "\\/")}</pre>`
  ),
  "in-json-that-breaks-off": says((received) => `{"error":${JSON.stringify(both(received, String))},"more":`),
  "in-text": says((received) => both(received, String)),
  "in-a-header-in-text": says((received) => `authorization=Bearer ${received.token}&x-mal-client-id=${received.id}`),
  "in-a-url": says((received) => both(received, encodeURIComponent)),
  "of-other-headers": says(() => JSON.stringify({ message: `no key ${key}, pass ${password}, session ${session}` })),
  "in-the-reason-phrase": {
    responseTo: (received) => respond(`400 ${received.token} ${received.id}`, "{}")
  },
  "in-headers": {
    responseTo: (received) =>
      respond("401 No", "{}", {
        "www-authenticate": `Bearer error="${received.token}"`,
        "retry-after": received.token,
        "set-cookie": `a=${received.id}`,
        "content-language": received.token
      })
  },
  "in-a-success": says(
    (received) => JSON.stringify({ data: { [received.token]: received.id }, id: received.token }),
    "200 OK"
  ),
  "in-html-as-success": says((received) => `<p>${both(received, String)}</p>`, "200 OK"),
  "in-a-redirect-to-another-origin": {
    shows: true,
    responseTo: (received) => {
      const location = `${received.elsewhere}/login?token=${encodeURIComponent(received.token)}&id=${received.id}`
      return respond("302 Found", `<a href="${location}">over there</a>`, { location })
    }
  },
  "in-a-redirect-that-keeps-the-method": {
    shows: true,
    responseTo: (received) => {
      const location = `${received.elsewhere}/v2/anime/1?${received.id}#${received.token}`
      return respond("307 Temporary Redirect", `to ${location}`, { location, refresh: `0; url=${location}` })
    }
  },
  "in-a-redirect-to-the-same-origin": {
    shows: true,
    responseTo: (received) =>
      respond("308 Moved", `see /${received.token}`, { location: `/${encodeURIComponent(received.token)}` })
  },
  "in-text-that-breaks-off": {
    shows: true,
    // Without a length the end of the connection is the end of the body.
    responseTo: (received) => ({ bytes: lines("500 No", {}, `bad ${received.id}, bad ${received.token.slice(0, 14)}`) })
  },
  "in-a-body-that-is-reset": {
    responseTo: (received) => ({
      bytes: lines("400 No", { "content-length": "9999" }, both(received, String)),
      ending: "reset"
    })
  },
  "in-a-body-that-is-too-short": {
    responseTo: (received) => ({ bytes: lines("400 No", { "content-length": "9999" }, both(received, String)) })
  },
  "in-a-body-that-stalls": {
    responseTo: (received) => ({
      bytes: lines("400 No", { "content-length": "9999" }, both(received, String)),
      ending: "stall"
    })
  },
  "in-headers-that-are-none": {
    responseTo: (received) => ({ bytes: `HTTP/1.1 200 OK\r\n${received.token} ${received.id}\r\n\r\n` })
  },
  "in-headers-that-stall": {
    responseTo: (received) => ({ bytes: `HTTP/1.1 200 OK\r\nx-got: ${received.token}\r\n`, ending: "stall" })
  },
  "in-a-status-that-is-none": { responseTo: (received) => ({ bytes: `${received.token} ${received.id}\r\n\r\n` }) },
  "in-a-content-length": {
    responseTo: (received) => ({ bytes: lines("200 OK", { "content-length": received.token }, page) })
  },
  "in-chunks-that-are-none": {
    responseTo: (received) => ({
      bytes: lines("200 OK", { "transfer-encoding": "chunked" }, `${received.token}\r\n${received.id}\r\n`)
    })
  },
  "in-gzip-that-is-none": {
    responseTo: (received) => respond("400 No", both(received, String), { "content-encoding": "gzip" })
  },
  "in-an-encoding-that-is-none": {
    responseTo: (received) => respond("400 No", "{}", { "content-encoding": received.token })
  },
  "in-nothing-but-a-reset": { responseTo: () => ({ bytes: "", ending: "reset" }) },
  "in-nothing-but-an-end": { responseTo: () => ({ bytes: "" }) },
  "in-nothing-at-all": { responseTo: () => ({ bytes: "", ending: "stall" }) },
  // The first page leads on, with the credentials in its link; the next one is refused.
  "in-a-link": {
    responseTo: ({ elsewhere, id, method, target, token }) => {
      if (method !== "GET") {
        return respond("400 No", "{}")
      }
      if (target.includes("token=")) {
        return respond("400 No", JSON.stringify({ error: `not ${target}`, message: decodeURIComponent(target) }))
      }
      const next = `${elsewhere}/next?offset=100&token=${encodeURIComponent(token)}&id=${id.replaceAll("%", "%25")}`
      return respond("200 OK", page.replace('"paging":{}', `"paging":${JSON.stringify({ next })}`))
    }
  },
  "in-a-link-that-leads-nowhere": {
    responseTo: ({ elsewhere, token }) => {
      const next = `${elsewhere}/next?offset=0&token=${encodeURIComponent(token)}`
      return respond("200 OK", page.replace('"paging":{}', `"paging":${JSON.stringify({ next, previous: token })}`))
    }
  }
}
