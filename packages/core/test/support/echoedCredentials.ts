/**
 * Responses with the credentials of their request, as bytes on a socket.
 */
import { key, password, session } from "./canary.js"

/** The credentials and target of a request, and another origin. */
export interface Said {
  readonly token: string
  readonly id: string
  readonly method: string
  /** Path and query, without the response's name. */
  readonly target: string
  readonly elsewhere: string
}

interface Answer {
  readonly bytes: string
  /** After the bytes: an end, a reset, or nothing. */
  readonly ending?: "end" | "reset" | "stall"
}

export interface Echo {
  readonly answer: (said: Said) => Answer
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

const respond = (status: string, body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  bytes: lines(status, { "content-length": String(body.length), "content-type": "application/json", ...headers }, body)
})

const says = (body: (said: Said) => string, status = "400 No"): Echo => ({
  shows: true,
  answer: (said) => respond(status, body(said))
})

const both = ({ token, id }: Said, write: (text: string) => string): string => `bad ${write(token)} of ${write(id)}, no`

const page = JSON.stringify({ data: [{ node: { id: 1, title: "x" } }], paging: {} })

/** By name; the client's base URL ends with it. secrets.test.ts has the other ways to write a credential in a body. */
export const echoes: Readonly<Record<string, Echo>> = {
  "in-json": says((said) =>
    JSON.stringify({
      error: both(said, String),
      message: said.id,
      list: [{ [said.token]: { [said.id]: [said.token] } }]
    })
  ),
  "in-a-json-string": says((said) => JSON.stringify(both(said, String))),
  "in-json-within-json": says((said) => JSON.stringify({ message: JSON.stringify({ got: [said.token, said.id] }) })),
  "in-json-within-html": says((said) => `<pre>${JSON.stringify([said.token, said.id]).replaceAll("/", "\\/")}</pre>`),
  "in-json-that-breaks-off": says((said) => `{"error":${JSON.stringify(both(said, String))},"more":`),
  "in-text": says((said) => both(said, String)),
  "in-a-header-in-text": says((said) => `authorization=Bearer ${said.token}&x-mal-client-id=${said.id}`),
  "in-a-url": says((said) => both(said, encodeURIComponent)),
  "of-other-headers": says(() => JSON.stringify({ message: `no key ${key}, pass ${password}, session ${session}` })),
  "in-the-reason-phrase": {
    answer: (said) => respond(`400 ${said.token} ${said.id}`, "{}")
  },
  "in-headers": {
    answer: (said) =>
      respond("401 No", "{}", {
        "www-authenticate": `Bearer error="${said.token}"`,
        "retry-after": said.token,
        "set-cookie": `a=${said.id}`,
        "content-language": said.token
      })
  },
  "in-a-success": says((said) => JSON.stringify({ data: { [said.token]: said.id }, id: said.token }), "200 OK"),
  "in-html-as-success": says((said) => `<p>${both(said, String)}</p>`, "200 OK"),
  "in-a-redirect-to-another-origin": {
    shows: true,
    answer: (said) => {
      const location = `${said.elsewhere}/login?token=${encodeURIComponent(said.token)}&id=${said.id}`
      return respond("302 Found", `<a href="${location}">over there</a>`, { location })
    }
  },
  "in-a-redirect-that-keeps-the-method": {
    shows: true,
    answer: (said) => {
      const location = `${said.elsewhere}/v2/anime/1?${said.id}#${said.token}`
      return respond("307 Temporary Redirect", `to ${location}`, { location, refresh: `0; url=${location}` })
    }
  },
  "in-a-redirect-to-the-same-origin": {
    shows: true,
    answer: (said) => respond("308 Moved", `see /${said.token}`, { location: `/${encodeURIComponent(said.token)}` })
  },
  "in-text-that-breaks-off": {
    shows: true,
    // Without a length the end of the connection is the end of the body.
    answer: (said) => ({ bytes: lines("500 No", {}, `bad ${said.id}, bad ${said.token.slice(0, 14)}`) })
  },
  "in-a-body-that-is-reset": {
    answer: (said) => ({ bytes: lines("400 No", { "content-length": "9999" }, both(said, String)), ending: "reset" })
  },
  "in-a-body-that-is-too-short": {
    answer: (said) => ({ bytes: lines("400 No", { "content-length": "9999" }, both(said, String)) })
  },
  "in-a-body-that-stalls": {
    answer: (said) => ({ bytes: lines("400 No", { "content-length": "9999" }, both(said, String)), ending: "stall" })
  },
  "in-headers-that-are-none": {
    answer: (said) => ({ bytes: `HTTP/1.1 200 OK\r\n${said.token} ${said.id}\r\n\r\n` })
  },
  "in-headers-that-stall": {
    answer: (said) => ({ bytes: `HTTP/1.1 200 OK\r\nx-got: ${said.token}\r\n`, ending: "stall" })
  },
  "in-a-status-that-is-none": { answer: (said) => ({ bytes: `${said.token} ${said.id}\r\n\r\n` }) },
  "in-a-content-length": {
    answer: (said) => ({ bytes: lines("200 OK", { "content-length": said.token }, page) })
  },
  "in-chunks-that-are-none": {
    answer: (said) => ({
      bytes: lines("200 OK", { "transfer-encoding": "chunked" }, `${said.token}\r\n${said.id}\r\n`)
    })
  },
  "in-gzip-that-is-none": {
    answer: (said) => respond("400 No", both(said, String), { "content-encoding": "gzip" })
  },
  "in-an-encoding-that-is-none": {
    answer: (said) => respond("400 No", "{}", { "content-encoding": said.token })
  },
  "in-nothing-but-a-reset": { answer: () => ({ bytes: "", ending: "reset" }) },
  "in-nothing-but-an-end": { answer: () => ({ bytes: "" }) },
  "in-nothing-at-all": { answer: () => ({ bytes: "", ending: "stall" }) },
  // The first page leads on, with the credentials in its link; the next one is refused.
  "in-a-link": {
    answer: ({ elsewhere, id, method, target, token }) => {
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
    answer: ({ elsewhere, token }) => {
      const next = `${elsewhere}/next?offset=0&token=${encodeURIComponent(token)}`
      return respond("200 OK", page.replace('"paging":{}', `"paging":${JSON.stringify({ next, previous: token })}`))
    }
  }
}
