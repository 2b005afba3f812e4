/**
 * What a browser is shown in a sign-in. The texts are fixed: nothing that was sent is repeated.
 */
import type { ServerResponse } from "node:http"

const pages = {
  done: [200, "You are signed in", "You can close this page and go back to the program."],
  failed: [400, "You are not signed in", "The sign-in has failed. The program says why."],
  used: [400, "This redirect was used before", "Go back to the program, which says whether you are signed in."],
  refused: [400, "This request does not belong to the sign-in", "The program still waits for the right one."],
  opened: [404, "This address works once", "Go back to the program, and start the sign-in again."],
  missing: [404, "There is nothing here", "The program waits for a sign-in at another address."]
} as const

export type Page = keyof typeof pages

const headers = {
  "cache-control": "no-store",
  connection: "close",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** Sends a page. */
export const showPage = (outgoing: ServerResponse, page: Page): void => {
  const [status, title, text] = pages[page]
  outgoing.writeHead(status, { ...headers, "content-type": "text/html; charset=utf-8" })
  outgoing.end(
    `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n<h1>${title}</h1>\n<p>${text}</p>\n</html>\n`
  )
}

/** Sends the browser to another address. */
export const redirect = (outgoing: ServerResponse, location: string): void => {
  outgoing.writeHead(302, { ...headers, location }).end()
}
