/**
 * The pages of a sign-in. Their texts are fixed: they repeat nothing that a request contains.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ServerResponse } from "node:http"

const pageTexts = {
  done: [200, "You are signed in", "You can close this page and go back to the program."],
  failed: [400, "You are not signed in", "The sign-in has failed. The program says why."],
  used: [400, "This redirect was used before", "Go back to the program, which says whether you are signed in."],
  refused: [400, "This request does not belong to the sign-in", "The program is still waiting for the right one."],
  missing: [404, "There is nothing here", "The program is waiting for a sign-in at another address."]
} as const

export type PageName = keyof typeof pageTexts

const headers = {
  "cache-control": "no-store",
  connection: "close",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const htmlOf = (title: string, text: string, head = ""): string =>
  `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n${head}<title>${title}</title>\n<h1>${title}</h1>\n<p>${text}</p>\n</html>\n`

/** A page in a file, which redirects to a URL. */
export const leadingTo = (url: string): string =>
  htmlOf(
    "Sign in",
    `<a href="${url}" rel="noreferrer">Continue to the sign-in</a>`,
    `<meta name="referrer" content="no-referrer">\n<meta http-equiv="refresh" content="0; url=${url}">\n`
  )

/** Milliseconds that a page may take to be sent, before connections are closed. */
const sendTimeout = 1_000

/** Sends a page, and waits until it was sent or its connection is gone. */
export const showPage = (outgoing: ServerResponse, page: PageName): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    const [status, title, text] = pageTexts[page]
    outgoing.once("close", () => resume(Effect.void))
    outgoing.writeHead(status, { ...headers, "content-type": "text/html; charset=utf-8" })
    outgoing.end(htmlOf(title, text))
    if (outgoing.destroyed) {
      resume(Effect.void)
    }
  }).pipe(Effect.timeoutOption(sendTimeout), Effect.withClock(Clock.make()), Effect.asVoid)

/** Sends the browser to another address. */
export const sendRedirect = (outgoing: ServerResponse, location: string): void => {
  outgoing.writeHead(302, { ...headers, location }).end()
}
