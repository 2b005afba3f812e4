/**
 * The services that a runtime calls: the embedded one, with faults that a header asks for, and one of scripted connections.
 */
import { EmbeddedServer } from "@catalog-client/testing/node"
import { Effect, Exit, Scope } from "effect"
import { serveScripts } from "../../packages/core/test/support/faultServer.js"
import { faulty } from "../../packages/core/test/support/serviceFaults.js"
import type { Content, Script } from "../../packages/core/test/support/wireFaults.js"
import type { Services } from "./suite.js"

const item = (title: string): string => JSON.stringify({ id: 1, title })

const coded = (name: string, coding: Extract<Content, { readonly coding: unknown }>["coding"]): Script => [
  { headers: [`content-encoding: ${name}`], body: { coding, of: item(coding) } }
]

const close = { close: "end" } as const
const ok = "HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\n"
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const endless = { repeat: `10000\r\n${" ".repeat(0x10000)}\r\n`, times: Infinity }
const split = Buffer.from(item("ünï – ダイヤ"))
/** Within the bytes of a letter. */
const middle = split.indexOf("ü") + 1

/** By the first part of a request's path. */
const scripts: Readonly<Record<string, Script>> = {
  gzip: coded("gzip", "gzip"),
  br: coded("br", "br"),
  deflate: coded("deflate", "deflate"),
  "deflate-raw": coded("deflate", "deflate-raw"),
  split: [
    `${ok}content-length: ${split.length}\r\n\r\n`,
    split.subarray(0, middle),
    { pause: 50 },
    split.subarray(middle)
  ],
  hints: ["HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n", { pause: 20 }, { body: item("hinted") }],
  short: [`${ok}content-length: 500\r\n\r\n`, '{"id":1', { pause: 20 }, close],
  longer: [`${ok}content-length: ${item("longer").length}\r\n\r\n${item("longer")}${" ".repeat(200_000)}`, close],
  endless: [chunked, endless],
  "endless-declared": [chunked.replace("chunked", "chunked\r\ncontent-length: 100"), endless],
  bomb: [{ headers: ["content-encoding: gzip"], body: { coding: "gzip", of: 20 } }],
  cut: [`${chunked}7\r\n{"id":1\r\n`, { pause: 20 }, close],
  garbage: ["catalog\r\n\r\n", close]
}

/** Starts both. */
export const startServices = async (): Promise<Services & AsyncDisposable> => {
  const scope = await Effect.runPromise(Scope.make())
  const embedded = await Effect.runPromise(Scope.extend(EmbeddedServer.make(faulty), scope))
  const scripted = await serveScripts(({ path }) => scripts[path.split("/")[1] ?? ""] ?? [close])
  return {
    url: embedded.url,
    wire: scripted.origin,
    [Symbol.asyncDispose]: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await scripted.close()
    }
  }
}
