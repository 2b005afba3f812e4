import { EmbeddedCatalog, type EmbeddedCatalogOptions, type Fault, type ReceivedRequest } from "@catalog-client/testing"
import { HttpClient } from "@effect/platform"
import { it } from "@effect/vitest"
import { Clock, Duration, Effect, Exit, Option, Stream, TestClock } from "effect"
import { getEventListeners } from "node:events"
import { describe, expect, onTestFinished, test } from "vitest"
import * as Fibers from "../../core/test/support/fibers.js"
import { gc } from "../../core/test/support/gc.js"
import { reasonOf } from "../../core/test/support/platform.js"
import { base, start, token } from "./service.js"
import { sleep } from "../../core/test/support/eventually.js"

const get = (path: string) => Effect.flatMap(HttpClient.HttpClient, (client) => client.get(`${base}${path}`))
const textOf = (path: string) => Effect.flatMap(get(path), ({ text }) => text)
const item = '{"id":1,"title":"Cowboy Bebop"'

/** How long something takes on the test's clock: up to ten seconds, or infinitely long. */
const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Fibers.fork(Effect.timed(Effect.exit(effect)))
    for (let passed = 0; passed < 20; passed++) {
      yield* TestClock.adjust("500 millis")
    }
    const done = yield* Fibers.poll(fiber)
    if (Option.isSome(done)) {
      return yield* done.value
    }
    yield* Fibers.interrupt(fiber)
    return [Duration.infinity, undefined] as const
  })

describe("faults", () => {
  test.each<[Fault, number, string, string | null]>([
    [{ status: 503 }, 503, "", null],
    [{ status: 503, body: "<h1>busy</h1>" }, 503, "<h1>busy</h1>", "text/html; charset=UTF-8"],
    [{ status: 429, body: { error: "a/b" } }, 429, String.raw`{"error":"a\/b"}`, "application/json; charset=UTF-8"],
    [{ body: '{"id":', headers: { "Content-Type": "application/json" } }, 200, '{"id":', "application/json"],
    [{ status: 302, headers: { location: "https://elsewhere.example/" } }, 302, "", null],
    [{ status: 204, body: "never sent" }, 204, "", null],
    [{ headers: { "retry-after": "3" } }, 200, expect.stringContaining("Cowboy Bebop"), expect.stringContaining("json")]
  ])("%o replaces the response, or adds its headers", async (fault, status, text, type) => {
    const { get } = start({ faults: [fault] })
    const reply = await get("/anime/1")
    expect([reply.status, reply.text, reply.headers.get("content-type")]).toEqual([status, text, type])
    for (const [name, value] of Object.entries(fault.headers ?? {})) {
      expect(reply.headers.get(name)).toBe(value)
    }
  })

  test.each<[Fault, ReadonlyArray<number>]>([
    [{}, [503, 503, 503, 503]],
    [{ on: "anime.get" }, [503, 200, 200, 404]],
    [{ on: ["anime.search", "user.me"] }, [200, 503, 503, 404]],
    [{ on: ({ path }: ReceivedRequest) => path.includes("nothing") }, [200, 200, 200, 503]]
  ])("%o affects only its operations", async (fault, expected) => {
    const { get } = start({ faults: [{ ...fault, status: 503 }] })
    const statuses: Array<number> = []
    for (const path of ["/anime/1", "/anime?q=one", "/users/%40me", "/nothing"]) {
      statuses.push((await get(path)).status)
    }
    expect(statuses).toEqual(expected)
  })

  test("come one after the other, as often as their options say", async () => {
    const { get } = start({
      faults: [
        { on: "anime.get", status: 503, times: 2 },
        { on: "anime.get", status: 429, times: 1 },
        { on: "anime.get", status: 500, times: 0 }
      ]
    })
    const statuses: Array<number> = []
    for (let times = 0; times < 5; times++) {
      statuses.push((await get("/anime/1")).status)
    }
    expect(statuses).toEqual([503, 503, 429, 200, 200])
  })

  test("prevent a write if they replace the response, and not if they affect it", async () => {
    const written = async (fault: Fault) => {
      const { get, patch } = start({ faults: [{ on: "anime.updateMyListStatus", ...fault }] })
      await patch("/anime/30230", { comments: "written" }).catch(() => undefined)
      const { body } = await get<{ my_list_status: { comments: string } }>(
        "/anime/30230?fields=my_list_status{comments}"
      )
      return body.my_list_status.comments === "written"
    }
    expect(await written({ status: 503 })).toBe(false)
    expect(await written({ drop: "before-headers" })).toBe(true)
    expect(await written({ drop: "before-headers", status: 503 })).toBe(false)
    expect(await written({ drop: "in-body" })).toBe(true)
  })

  test("can execute a write before they replace the response, or when the client has gone", async () => {
    const writes: Array<string> = []
    const { patch } = start({
      onWrite: ({ operation = "", body }) => writes.push(`${operation} ${body}`),
      faults: [
        { on: "anime.updateMyListStatus", status: 503, executesAfter: 0, times: 1 },
        { on: "anime.updateMyListStatus", drop: "before-headers", executesAfter: 50, times: 1 }
      ]
    })
    expect((await patch("/anime/1", { score: "5" })).status).toBe(503)
    expect(writes).toEqual(["anime.updateMyListStatus score=5"])
    await expect(patch("/anime/1", { score: "6" })).rejects.toThrow("fetch failed")
    expect(writes).toHaveLength(1)
    await expect.poll(() => writes).toHaveLength(2)
    expect((await patch("/anime/999999", { score: "6" })).status).toBe(404)
    expect(writes).toHaveLength(2)
  })

  test("drop the connection with the error of fetch", async () => {
    const { handler } = start({ faults: [{ drop: "before-headers", times: 1 }, { drop: "in-body" }] })
    await expect(handler(new Request(`${base}/anime/1`))).rejects.toThrow(new TypeError("fetch failed"))
    const response = await handler(new Request(`${base}/anime/1`))
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=UTF-8"])
    await expect(response.text()).rejects.toThrow("The connection was closed within the body")
  })
})

describe("the Layer", () => {
  const remove = Effect.flatMap(HttpClient.HttpClient, (client) =>
    client.del(`${base}/anime/30230/my_list_status`, { headers: token })
  )

  it.effect("is a separate service for each build", () =>
    Effect.gen(function* () {
      const layer = EmbeddedCatalog.layer({ quirks: { deleteMissing: 404 } })
      const twice = Effect.all([remove, remove]).pipe(Effect.map((all) => all.map(({ status }) => status)))
      expect(yield* Effect.provide(twice, layer)).toEqual([200, 404])
      expect(yield* Effect.provide(twice, layer)).toEqual([200, 404])
    })
  )

  it.effect.each([
    [{ latency: "3 seconds" }, 3000],
    [{ faults: [{ delay: "2 seconds" }] }, 2000],
    [{ faults: [{ bodyDelay: "2 seconds" }] }, 2000],
    [{ faults: [{ delay: 1000, bodyDelay: 500 }] }, 1500],
    [{ faults: [{ status: 200, body: item, bodyDelay: "2 seconds" }] }, 2000],
    [{ faults: [{ delay: Infinity }] }, Infinity],
    [{ faults: [{ bodyDelay: Infinity }] }, Infinity]
  ] as ReadonlyArray<[EmbeddedCatalogOptions, number]>)("waits on the test's clock: %o", ([options, expected]) =>
    Effect.gen(function* () {
      const [time, exit] = yield* timed(textOf("/anime/1"))
      expect(Duration.toMillis(time)).toBe(expected)
      if (exit !== undefined) {
        expect(Exit.isSuccess(exit) && exit.value.startsWith(item)).toBe(true)
      }
    }).pipe(Effect.provide(EmbeddedCatalog.layer(options)))
  )

  it.effect("sends the headers and half the body before it waits", () =>
    Effect.gen(function* () {
      const response = yield* get("/anime/1")
      const whole = yield* Effect.provide(textOf("/anime/1"), EmbeddedCatalog.layer())
      const parts: Array<string> = []
      const decoder = new TextDecoder()
      const fiber = yield* Fibers.fork(
        Stream.runForEach(response.stream, (bytes) => Effect.sync(() => parts.push(decoder.decode(bytes))))
      )
      yield* TestClock.adjust("1 second")
      expect(parts).toEqual([whole.slice(0, Math.ceil(whole.length / 2))])
      yield* TestClock.adjust("1 second")
      yield* Fibers.join(fiber)
      expect(parts.join("")).toBe(whole)
    }).pipe(Effect.provide(EmbeddedCatalog.layer({ faults: [{ bodyDelay: "2 seconds" }] })))
  )

  const drops: ReadonlyArray<Fault> = [
    { drop: "before-headers", times: 1 },
    { drop: "in-body", bodyDelay: 1000 }
  ]
  it.effect("drops connections with the errors of a transport", () =>
    Effect.gen(function* () {
      const before = yield* Effect.flip(get("/anime/1"))
      expect(reasonOf(before)).toBe("Transport")
      const [time, exit] = yield* timed(Effect.flip(textOf("/anime/1")))
      expect(Duration.toMillis(time)).toBe(1000)
      expect(exit && Exit.map(exit, reasonOf)).toEqual(Exit.succeed("Decode"))
    }).pipe(Effect.provide(EmbeddedCatalog.layer({ faults: drops })))
  )

  it.effect("does not handle a request that is interrupted during latency, on the test's clock", () =>
    Effect.gen(function* () {
      const first = yield* Fibers.fork(remove)
      yield* TestClock.adjust("1 second")
      yield* Fibers.interrupt(first)
      const second = yield* Fibers.fork(remove)
      yield* TestClock.adjust("2 seconds")
      expect((yield* Fibers.join(second)).status).toBe(200)
    }).pipe(Effect.provide(EmbeddedCatalog.layer({ latency: "2 seconds", quirks: { deleteMissing: 404 } })))
  )

  it.live("stops sending when reading the body is interrupted", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const sleep = () =>
        Effect.zipRight(
          Effect.sync(() => log.push("asleep")),
          Effect.onInterrupt(Effect.never, () => Effect.sync(() => log.push("interrupted")))
        )
      const clock: Clock.Clock = Object.assign(Object.create(Clock.make()), { sleep })
      const settled = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      yield* Effect.withClock(
        Effect.gen(function* () {
          const response = yield* get("/anime/1")
          const reading = yield* Fibers.fork(response.text)
          yield* settled
          expect(log).toEqual(["asleep"])
          yield* Fibers.interrupt(reading)
          yield* settled
          expect(log).toEqual(["asleep", "interrupted"])
        }),
        clock
      )
    }).pipe(Effect.provide(EmbeddedCatalog.layer({ faults: [{ bodyDelay: "1 minute" }] })))
  )
})

/** How many signals depend on this one, as a member of the engine says. */
const dependants = (signal: AbortSignal): number => {
  const symbol = Object.getOwnPropertySymbols(signal).find(({ description }) => description === "kDependantSignals")
  const signals = symbol === undefined ? undefined : (Reflect.get(signal, symbol) as { readonly size: number } | null)
  return signals?.size ?? 0
}

describe("the web handler", () => {
  test("keeps nothing of a finished request", async () => {
    const Original = globalThis.AbortController
    onTestFinished(() => {
      globalThis.AbortController = Original
    })
    const made: Array<WeakRef<AbortController>> = []
    globalThis.AbortController = class extends Original {
      constructor() {
        super()
        made.push(new WeakRef(this))
      }
    }
    const { handler } = start({
      faults: [
        { on: "anime.get", bodyDelay: 1 },
        { on: "manga.get", drop: "before-headers" },
        { on: "forum.topic", drop: "in-body" }
      ]
    })
    const alive = () => made.flatMap((ref) => ref.deref() ?? [])
    const signals: Array<AbortSignal> = []
    for (let round = 0; round < 20; round++) {
      for (const path of ["/forum/boards", "/anime/1", "/manga/1", "/forum/topic/1", "/nothing"]) {
        const request = new Request(`${base}${path}`)
        signals.push(request.signal)
        await handler(request).then(
          (response) => response.text().catch(() => undefined),
          () => undefined
        )
      }
      const cancelled = await handler(new Request(`${base}/anime/1`))
      await cancelled.body?.cancel()
    }
    expect(signals.flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([])
    expect(alive().reduce((sum, { signal }) => sum + dependants(signal), 0)).toBe(0)
    for (let tries = 0; tries < 50 && alive().length > 5; tries++) {
      await sleep(20)
      gc()
    }
    expect(alive().length).toBeLessThan(6)
  })

  test("ends with the request's signal", async () => {
    const { handler } = start({ latency: "1 minute" })
    const controller = new AbortController()
    const reply = handler(new Request(`${base}/anime/1`, { signal: controller.signal }))
    const reason = new Error("no longer wanted")
    setTimeout(() => controller.abort(reason), 10)
    await expect(reply).rejects.toBe(reason)
    await expect(handler(new Request(`${base}/anime/1`, { signal: controller.signal }))).rejects.toBe(reason)
  })

  test("ends when it is disposed", async () => {
    const { dispose, handler } = EmbeddedCatalog.toWebHandler({
      faults: [
        { delay: "1 minute", on: "anime.get" },
        { bodyDelay: "1 minute", on: "manga.get" }
      ]
    })
    const waiting = handler(new Request(`${base}/anime/1`))
    const body = (await handler(new Request(`${base}/manga/1`))).text()
    setTimeout(() => void dispose(), 10)
    await expect(waiting).rejects.toThrow("disposed")
    await expect(body).rejects.toThrow("disposed")
    await expect(handler(new Request(`${base}/forum/boards`))).rejects.toThrow("disposed")
  })
})
