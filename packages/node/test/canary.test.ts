import { serve } from "catalog-client/testing"
import { layer } from "@catalog-client/node"
import { FetchHttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as undici from "undici"
import { afterAll, describe, expect, test } from "vitest"
import { clientId, search, token } from "../../core/test/support/canary.js"
import { nothingShows } from "../../core/test/support/canary.suite.js"
import { serveFaults } from "../../core/test/support/faultServer.js"
import { nodePrinters } from "../../core/test/support/nodePrinters.js"
import { faulty } from "../../core/test/support/serviceFaults.js"
import { isFull, sampled } from "../../core/test/support/full.js"
import { serveEchoes } from "./support/echoServer.js"
import { onlyEffect, onlyEffect3 } from "../../core/test/support/only.js"

const service = await serve({ ...faulty, tokens: { [token]: "sample_reader" }, clientIds: [clientId] })
const wire = await serveFaults()
const { close, echoUrl, elsewhereUrl } = await serveEchoes()
afterAll(async () => {
  await close()
  await wire.close()
  await service.close()
})

describe.each([
  ["Node's own", { layer }, true],
  ["fetch", { layer: FetchHttpClient.layer, fetch: "global" }, false],
  ["undici", { layer: NodeHttpClient.layerUndici, fetch: undici.fetch as never }, false]
] as const)("over %s transport", (name, transport, isOwn) => {
  nothingShows({
    transport,
    echoUrl,
    elsewhereUrl,
    serviceUrl: service.url,
    ...(isOwn && { wireUrls: wire.urls }),
    printers: nodePrinters,
    isBrowser: false,
    every: isFull ? (isOwn ? 1 : 6) : 10,
    sample: (rows, shift) => sampled(rows, isOwn ? 2 : 8, shift),
    isOwn,
    // In Effect 4, JSON of a fiber has the request that undici holds.
    testOfFibers: name === "undici" ? onlyEffect3(test) : test
  })
})

/** What a program prints on its two streams, and how it ended. */
const printed = async (program: string) => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, CATALOG_ACCESS_TOKEN: token, CATALOG_CLIENT_ID: clientId },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let text = ""
  child.stdout.on("data", (chunk) => (text += chunk))
  child.stderr.on("data", (chunk) => (text += chunk))
  const [code] = await once(child, "close")
  return { text, code }
}

const program = (rest: string) => `
  import { createCatalog } from "catalog-client"
  import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
  import * as CatalogNode from "@catalog-client/node"
  import { Effect, Fiber } from "effect"
  import { everyLevel, loggers } from "./test/support/loggers.mjs"
  const { CATALOG_ACCESS_TOKEN: accessToken, CATALOG_CLIENT_ID: clientId } = process.env
  const baseUrl = "${echoUrl}/in-json"
  const catalog = createCatalog({ baseUrl, accessToken, clientId })
  ${rest}`

describe("on the real streams", () => {
  onlyEffect(test)("no console shows a credential", async () => {
    const { code, text } = await printed(
      program(`
        const error = await catalog.anime.get({ id: 1 }).catch((error) => error)
        for (const value of [error, { deep: [{ error }] }, catalog, catalog.anime.search, Credentials.layerConfig()]) {
          for (const method of ["debug", "error", "info", "log", "trace", "warn"]) console[method](value, String(value))
          console.dir(value, { depth: null, showHidden: true })
          console.table(value)
          console.assert(false, value)
          console.log("%s %o %O %j", value, value, value, value)
        }
        for (const logger of loggers) {
          const layers = [CatalogNode.layer, Credentials.layerConfig(), CatalogConfig.layer({ baseUrl }), logger]
          await Catalog.user.me().pipe(
            Effect.onError((cause) => Effect.logFatal("it failed", cause)),
            Effect.tapError((error) => Effect.annotateLogs(Effect.logWarning(error), { error })),
            Effect.forkScoped,
            Effect.flatMap(Fiber.await),
            Effect.scoped,
            Effect.withSpan("program"),
            Effect.provide([...layers, everyLevel]),
            Effect.runPromise
          )
        }`)
    )
    expect(code, text).toBe(0)
    expect(text).toContain("bad <redacted> of <redacted>, no")
    expect(text.match(/it failed/g)).toHaveLength(5)
    expect(search(text)).toEqual([])
  })

  onlyEffect(test).each([
    ["a promise", "catalog.anime.get({ id: 1 })"],
    ["a loop", "for await (const _ of catalog.anime.search.items({ q: 'x' })) {}"],
    [
      "an Effect",
      `Effect.runPromise(Effect.provide(Catalog.user.me(), [
        CatalogNode.layer, Credentials.layerConfig(), CatalogConfig.layer({ baseUrl })
      ]))`
    ]
  ])("a process that ends by an uncaught error of %s shows none", async (_, rest) => {
    const { code, text } = await printed(program(rest))
    expect(code).toBe(1)
    expect(text).toContain("bad <redacted> of <redacted>, no")
    expect(search(text)).toEqual([])
  })

  test("and the search finds a credential that a process shows", async () => {
    const { text } = await printed(program("console.error(new Error(`bad ${accessToken}`)); throw { clientId }"))
    expect(search(text)).toEqual([expect.stringContaining("bad TokenCanary")])
    expect(text).toContain("IdCanary")
  })
})
