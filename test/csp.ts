import { createHash } from "node:crypto"
import type { ServerResponse } from "node:http"
import type { Plugin } from "vitest/config"

/** What a careful page allows itself: scripts from its own origin, no inline ones, no text as code. */
const policy = "script-src 'self'"

const folder = "/scripts-of-the-page/"

/**
 * Puts the pages in which vitest runs tests under a content security policy. Vitest writes two scripts into such a page; they
 * are served beside it instead, because the policy is to be no wider for the sake of the tests.
 */
export const underPolicy = (): Plugin => {
  const scripts = new Map<string, string>()

  const movedOut = (html: string): string =>
    html.replaceAll(/<script>([\s\S]*?)<\/script>/g, (_, script: string) => {
      const path = `${folder}${createHash("sha256").update(script).digest("hex")}.js`
      scripts.set(path, script)
      return `<script src="${path}"></script>`
    })

  const rewrite = (response: ServerResponse): void => {
    const end = response.end.bind(response) as (html: string) => ServerResponse
    let html = ""
    response.write = (part: unknown) => {
      html += String(part)
      return true
    }
    response.end = (part?: unknown) => {
      response.setHeader("content-security-policy", policy)
      return end(movedOut(html + (typeof part === "string" ? part : "")))
    }
  }

  return {
    name: "under-policy",
    // Before vitest answers.
    enforce: "pre",
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const url = request.url ?? ""
        const script = scripts.get(url)
        if (script !== undefined) {
          response.setHeader("content-type", "text/javascript").end(script)
          return
        }
        if (url.startsWith("/?sessionId=")) {
          rewrite(response)
        }
        next()
      })
    }
  }
}
