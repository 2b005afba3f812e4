/**
 * Hundreds of calls, or thousands, 256 at a time. Every tenth gets a fault.
 */
import { layer } from "@catalog-client/node"
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import type { Layer } from "effect"
import { afterAll, expect, test } from "vitest"
import { eventually, sleep } from "../../core/test/support/eventually.js"
import { openFaces } from "../../core/test/support/faces.js"
import { itemOf, serveScripts } from "../../core/test/support/faultServer.js"
import * as Fibers from "../../core/test/support/fibers.js"
import { isFull } from "../../core/test/support/full.js"
import { gc } from "../../core/test/support/gc.js"
import { end, reset, type Script } from "../../core/test/support/wireFaults.js"
import { onlyEffect } from "../../core/test/support/only.js"

const concurrency = 256
/** How many calls on our own transport, on a fetch, and before the first look at the memory. */
const [many, some, first] = isFull ? [10_000, 500, 500] : [300, 100, 100]
/** Milliseconds for a call that stalls, and for any other, which must not time out on a busy machine. */
const timeouts = { stalled: 250, other: 60_000 }

const rest = (reason: string, status: number) => ({ _tag: "ClientRestError", reason, status })
const network = (reason: string) => ({ _tag: "ClientNetworkError", reason })

/** The script for a call, made of the JSON of its reply, and the error of the call. */
const faults: ReadonlyArray<readonly [(json: string) => Script, { readonly _tag: string; readonly reason: string }]> = [
  [(json) => [{ status: "500 Internal Server Error", body: json }], rest("Status", 500)],
  [() => [{ status: "403 Forbidden", headers: ["content-type: text/html"], body: "<html>" }], rest("Status", 403)],
  [() => [{ status: "302 Found", headers: ["location: /elsewhere"], body: "<html>" }], rest("Status", 302)],
  [(json) => [{ body: `<html>${json}` }], rest("InvalidBody", 200)],
  [() => [{ body: '{"id":"one"}' }], rest("InvalidBody", 200)],
  [() => [reset], network("Transport")],
  [(json) => [`HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${json}`, reset], network("Transport")],
  [(json) => [`HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${json}`, end], network("Transport")],
  [() => ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"], network("Transport")],
  [() => ["SSH-2.0-OpenSSH_9.2\r\n", end], network("Transport")],
  [() => [], network("Timeout")],
  [() => ['HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":'], network("Timeout")]
]

const faultOf = (id: number) => (id % 10 === 0 ? faults[(id / 10) % faults.length] : undefined)
const replyOf = (id: number) => ({ id, title: `#${id}` })

const server = await serveScripts(({ path }) => {
  const id = itemOf(path)
  const json = JSON.stringify(replyOf(id))
  return faultOf(id)?.[0](json) ?? [{ body: json }]
})
afterAll(() => server.close())

/** Megabytes that are in use; what is closed is let go of a little later. */
const held = async () => {
  await sleep(200)
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

const isSubset = (part: object, whole: unknown): boolean =>
  Object.entries(part).every(([key, value]) => (whole as Readonly<Record<string, unknown>>)[key] === value)

const uncaught: Array<unknown> = []
for (const event of ["unhandledRejection", "uncaughtExceptionMonitor", "warning"]) {
  process.on(event, (what) => uncaught.push(what))
}

type Run = readonly [string, keyof typeof openFaces, number, Layer.Layer<HttpClient.HttpClient>]

const runs: ReadonlyArray<Run> = [
  ...onlyEffect([["CatalogNode.layer", "Effect", many, layer]] as const),
  ["CatalogNode.layer", "promise", many, layer],
  ...onlyEffect([["FetchHttpClient.layer", "Effect", some, FetchHttpClient.layer]] as const)
]

test.each(runs)("over %s, on the %s face, %i calls", { timeout: 120_000 }, async (name, face, calls, transport) => {
  const ended: Array<number> = []
  const wrong: Array<unknown> = []

  const under = async (count: number) => {
    const ids = Array.from({ length: count }, (_, id) => id)
    const next = ids.values()
    await using session = openFaces[face](
      { layer: transport },
      { baseUrl: server.origin, accessToken: "t", clientId: "c" }
    )
    const worker = async () => {
      for (const id of next) {
        const expected = faultOf(id)?.[1]
        const timeout = expected?.reason === "Timeout" ? timeouts.stalled : timeouts.other
        const outcome = await session.call("anime.get", { id }, { timeout })
        ended[id] = (ended[id] ?? 0) + 1
        const url = `${server.origin}/anime/${id}`
        const [came, due] = outcome.ok ? [outcome.value, replyOf(id)] : [outcome.error, { ...expected, url }]
        if (outcome.ok !== (expected === undefined) || !isSubset(due, came)) {
          wrong.push(outcome)
        }
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    expect(wrong).toEqual([])
    expect(ended).toEqual(ids.map(() => 1))
    ended.length = 0
  }

  await under(first)
  const before = await held()
  await under(calls)
  expect((await held()) - before).toBeLessThan(10)

  expect(Fibers.running()).toBe(0)
  await eventually("no socket is left", () => !/TCP|TLS/.test(process.getActiveResourcesInfo().join()))
  // The connections of a fetch are the platform's, and stay for a while.
  if (name !== "FetchHttpClient.layer") {
    await eventually("every connection is closed", () => server.stats().open === 0)
  }
  expect(uncaught).toEqual([])
})
