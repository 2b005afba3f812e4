/**
 * Under fire: every fault, on Node's own transport and on others.
 */
import { layer } from "@catalog-client/node"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, identity, Layer } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { eventually } from "../../core/test/support/eventually.js"
import { failure, openFaces } from "../../core/test/support/faces.js"
import { sampled } from "../../core/test/support/full.js"
import { serveFaults } from "../../core/test/support/faultServer.js"
import { countTimers } from "../../core/test/support/timers.js"
import { faults } from "../../core/test/support/wireFaults.js"
import { underFire } from "../../core/test/support/wireFaults.suite.js"
import { onlyEffect } from "../../core/test/support/only.js"

const server = await serveFaults()
afterAll(() => server.close())

const uncaught: Array<unknown> = []
for (const event of ["unhandledRejection", "uncaughtExceptionMonitor", "warning"]) {
  process.on(event, (what) => uncaught.push(what))
}

const shared = {
  urls: server.urls,
  stats: async () => server.stats(),
  timers: countTimers(),
  // Pipes lead to the process that runs the tests, which sets timers too. Nothing of the server is here: it is unreferenced.
  handles: () =>
    process.getActiveResourcesInfo().filter((kind) => !/^(PipeWrap|TTYWrap|Timeout|Immediate)$/.test(kind)),
  uncaught
}

underFire({
  ...shared,
  name: "CatalogNode.layer",
  layer,
  faces: [...onlyEffect(["Effect"] as const), "promise"],
  closes: true
})

const derived = Layer.map(layer, (context) =>
  Context.make(HttpClient.HttpClient, HttpClient.mapRequest(Context.get(context, HttpClient.HttpClient), identity))
)
for (const [shift, [name, layer]] of (
  [
    ["CatalogNode.layer, derived", derived],
    ["NodeHttpClient.layerUndici", NodeHttpClient.layerUndici],
    ["NodeHttpClient.layer", NodeHttpClient.layer],
    ["FetchHttpClient.layer", FetchHttpClient.layer]
  ] as const
).entries()) {
  const closes = name !== "FetchHttpClient.layer"
  underFire({ ...shared, name, layer, faces: onlyEffect(["Effect"]), closes, only: sampled(faults, 4, shift) })
}

/** Meets every fault at once, in another process, and closes the catalogs where an argument says so. */
const program = `
  import { createCatalog } from "catalog-client"
  import { createHook } from "node:async_hooks"

  const [closes, ...faults] = process.argv.slice(1).map((argument) => JSON.parse(argument))
  const left = new Map()
  createHook({
    init: (id, kind) => /^(Timeout|TCP|TLS|GETADDRINFO|ZLIB)/.test(kind) && left.set(id, kind),
    destroy: (id) => left.delete(id)
  }).enable()

  const calls = faults.map(async ({ name, url, operation, timeout }) => {
    const catalog = createCatalog({ baseUrl: url, accessToken: "t", timeout, maxResponseBytes: 1_000_000 })
    const [group, member] = operation.split(".")
    await catalog[group][member]({ id: 1 }).catch(() => {})
    if (closes) await catalog.close()
    return name
  })
  const met = await Promise.all(calls)

  // A timer to wait with would be one of them. What is closed, and referred to by nothing, goes with the next collection.
  const nap = new Int32Array(new SharedArrayBuffer(4))
  for (let naps = 0; closes && left.size > 0 && naps < 1000; naps++) {
    Atomics.wait(nap, 0, 0, 10)
    gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  console.log(JSON.stringify({ met, left: [...left.values()] }))`

const runProgram = async (closes: boolean) => {
  const arguments_ = faults.map(({ name, operation = "anime.get", timeout = 20_000 }) =>
    JSON.stringify({ name, url: server.urls[name], operation, timeout })
  )
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--input-type=module", "--eval", program, String(closes), ...arguments_],
    {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  let printed = ""
  let done = 0
  child.stdout.on("data", (chunk) => {
    printed += chunk
    done = performance.now()
  })
  const [code] = await once(child, "exit")
  expect(code).toBe(0)
  // Before it, the warning of a token that goes out in the clear.
  const { met, left } = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as {
    readonly met: ReadonlyArray<string>
    readonly left: ReadonlyArray<string>
  }
  expect(met).toEqual(faults.map(({ name }) => name))
  return { left, lingered: performance.now() - done }
}

test("a program that closes nothing still ends, and at once", { timeout: 60_000 }, async () => {
  expect((await runProgram(false)).lingered).toBeLessThan(3000)
})

test("once all is closed there is no timer and no socket, not even an idle one", { timeout: 60_000 }, async () => {
  expect((await runProgram(true)).left).toEqual([])
})

describe("memory of a body of 300 MB", () => {
  const megabytes = (bytes: number) => bytes / 1024 / 1024
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return megabytes(heapUsed + external)
  }

  test.each(["300 MB of body", "300 MB of body, announced", "gzip bomb"])(
    "no more is kept than is allowed: %s",
    async (name) => {
      await using session = openFaces.promise({ layer }, { baseUrl: server.urls[name] })
      const before = used()
      const sent = server.stats()[name]?.sent ?? 0
      let most = before
      const watch = setInterval(() => (most = Math.max(most, used())), 2)
      const outcome = await session.call("anime.get", { id: 1 }, { maxResponseBytes: 1024 * 1024 })
      clearInterval(watch)
      expect(failure(outcome)).toMatchObject({ _tag: "ClientNetworkError", reason: "ResponseTooLarge" })
      expect(most - before).toBeLessThan(50)
      // The server was told to stop: the rest is what was under way.
      await eventually("the connection is closed", () => server.stats()[name]?.met === 0)
      expect(megabytes((server.stats()[name]?.sent ?? 0) - sent)).toBeLessThan(20)
    }
  )
})
