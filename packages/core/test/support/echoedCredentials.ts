/**
 * Responses with the credentials of their request, as bytes on a socket.
 */
import { key, password, session } from "./canary.js"

/** The credentials and target of a request, and another origin. */
export interface SentCredentials {
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
  readonly echo: (sent: SentCredentials) => RawResponse
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

const says = (body: (sent: SentCredentials) => string, status = "400 No"): Echo => ({
  shows: true,
  echo: (sent) => respond(status, body(sent))
})

const both = ({ token, id }: SentCredentials, write: (text: string) => string): string =>
  `bad ${write(token)} of ${write(id)}, no`

const page = JSON.stringify({ data: [{ node: { id: 1, title: "x" } }], paging: {} })

/** By name; the client's base URL ends with it. secrets.test.ts has the other ways to write a credential in a body. */
export const echoes: Readonly<Record<string, Echo>> = {
  "in-json": says((sent) =>
    JSON.stringify({
      error: both(sent, String),
      message: sent.id,
      list: [{ [sent.token]: { [sent.id]: [sent.token] } }]
    })
  ),
  "in-a-json-string": says((sent) => JSON.stringify(both(sent, String))),
  "in-json-within-json": says((sent) => JSON.stringify({ message: JSON.stringify({ got: [sent.token, sent.id] }) })),
  "in-json-within-html": says((sent) => `<pre>${JSON.stringify([sent.token, sent.id]).replaceAll("/", "\\/")}</pre>`),
  "in-json-that-breaks-off": says((sent) => `{"error":${JSON.stringify(both(sent, String))},"more":`),
  "in-text": says((sent) => both(sent, String)),
  "in-a-header-in-text": says((sent) => `authorization=Bearer ${sent.token}&x-mal-client-id=${sent.id}`),
  "in-a-url": says((sent) => both(sent, encodeURIComponent)),
  "of-other-headers": says(() => JSON.stringify({ message: `no key ${key}, pass ${password}, session ${session}` })),
  "in-the-reason-phrase": {
    echo: (sent) => respond(`400 ${sent.token} ${sent.id}`, "{}")
  },
  "in-headers": {
    echo: (sent) =>
      respond("401 No", "{}", {
        "www-authenticate": `Bearer error="${sent.token}"`,
        "retry-after": sent.token,
        "set-cookie": `a=${sent.id}`,
        "content-language": sent.token
      })
  },
  "in-a-success": says((sent) => JSON.stringify({ data: { [sent.token]: sent.id }, id: sent.token }), "200 OK"),
  "in-html-as-success": says((sent) => `<p>${both(sent, String)}</p>`, "200 OK"),
  "in-a-redirect-to-another-origin": {
    shows: true,
    echo: (sent) => {
      const location = `${sent.elsewhere}/login?token=${encodeURIComponent(sent.token)}&id=${sent.id}`
      return respond("302 Found", `<a href="${location}">over there</a>`, { location })
    }
  },
  "in-a-redirect-that-keeps-the-method": {
    shows: true,
    echo: (sent) => {
      const location = `${sent.elsewhere}/v2/anime/1?${sent.id}#${sent.token}`
      return respond("307 Temporary Redirect", `to ${location}`, { location, refresh: `0; url=${location}` })
    }
  },
  "in-a-redirect-to-the-same-origin": {
    shows: true,
    echo: (sent) => respond("308 Moved", `see /${sent.token}`, { location: `/${encodeURIComponent(sent.token)}` })
  },
  "in-text-that-breaks-off": {
    shows: true,
    // Without a length the end of the connection is the end of the body.
    echo: (sent) => ({ bytes: lines("500 No", {}, `bad ${sent.id}, bad ${sent.token.slice(0, 14)}`) })
  },
  "in-a-body-that-is-reset": {
    echo: (sent) => ({
      bytes: lines("400 No", { "content-length": "9999" }, both(sent, String)),
      ending: "reset"
    })
  },
  "in-a-body-that-is-too-short": {
    echo: (sent) => ({ bytes: lines("400 No", { "content-length": "9999" }, both(sent, String)) })
  },
  "in-a-body-that-stalls": {
    echo: (sent) => ({
      bytes: lines("400 No", { "content-length": "9999" }, both(sent, String)),
      ending: "stall"
    })
  },
  "in-headers-that-are-none": {
    echo: (sent) => ({ bytes: `HTTP/1.1 200 OK\r\n${sent.token} ${sent.id}\r\n\r\n` })
  },
  "in-headers-that-stall": {
    echo: (sent) => ({ bytes: `HTTP/1.1 200 OK\r\nx-got: ${sent.token}\r\n`, ending: "stall" })
  },
  "in-a-status-that-is-none": { echo: (sent) => ({ bytes: `${sent.token} ${sent.id}\r\n\r\n` }) },
  "in-a-content-length": {
    echo: (sent) => ({ bytes: lines("200 OK", { "content-length": sent.token }, page) })
  },
  "in-chunks-that-are-none": {
    echo: (sent) => ({
      bytes: lines("200 OK", { "transfer-encoding": "chunked" }, `${sent.token}\r\n${sent.id}\r\n`)
    })
  },
  "in-gzip-that-is-none": {
    echo: (sent) => respond("400 No", both(sent, String), { "content-encoding": "gzip" })
  },
  "in-an-encoding-that-is-none": {
    echo: (sent) => respond("400 No", "{}", { "content-encoding": sent.token })
  },
  "in-nothing-but-a-reset": { echo: () => ({ bytes: "", ending: "reset" }) },
  "in-nothing-but-an-end": { echo: () => ({ bytes: "" }) },
  "in-nothing-at-all": { echo: () => ({ bytes: "", ending: "stall" }) },
  // The first page leads on, with the credentials in its link; the next one is refused.
  "in-a-link": {
    echo: ({ elsewhere, id, method, target, token }) => {
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
    echo: ({ elsewhere, token }) => {
      const next = `${elsewhere}/next?offset=0&token=${encodeURIComponent(token)}`
      return respond("200 OK", page.replace('"paging":{}', `"paging":${JSON.stringify({ next, previous: token })}`))
    }
  }
}
