/**
 * Calls of promises before their transport is there: the first one loads undici. The number of a title is the row of docs/faults.md
 * that it proves.
 */
// Not over the bundle: it replaces the transport's module, which is part of the bundle.
import { ClientNetworkError } from "@catalog-client/core"
import type { Transport } from "@catalog-client/core"
import type { CatalogOptions } from "catalog-client"
import { setTimeout as after } from "node:timers/promises"
import { afterEach, describe, expect, test, vi } from "vitest"
import { eventually, rejection } from "../../core/test/support/eventually.js"
import { anime } from "../../core/test/support/stubService.js"

interface Loading {
  /** Milliseconds until undici is loaded. */
  readonly millis?: number
  readonly isSilent?: boolean
  readonly makeAgent?: () => { readonly destroy: () => Promise<void> }
}

/** The package, whose transport is loaded slowly and records its requests. */
const loading = async ({ isSilent = false, makeAgent, millis = 50 }: Loading = {}) => {
  const requests: Array<Transport.TransportRequest> = []
  const agents = { made: 0, destroyed: 0 }
  const send: Transport.Send = (request, receiver) => {
    requests.push(request)
    if (!isSilent) {
      receiver.onHeaders(200, () => undefined)
      receiver.onData(new TextEncoder().encode(JSON.stringify(anime)))
      receiver.onEnd()
    }
    return () => {}
  }
  const countedAgent = () => {
    agents.made++
    return { destroy: async () => void agents.destroyed++ }
  }
  vi.resetModules()
  vi.doMock("../dist/dispatch.js", async () => {
    await after(millis)
    return { makeAgent: makeAgent ?? countedAgent, sendOver: () => send }
  })
  const [{ createCatalog }, { createSession }] = await Promise.all([
    import("catalog-client"),
    import("catalog-client/oauth")
  ])
  return { agents, createCatalog, createSession, requests }
}

afterEach(() => {
  vi.doUnmock("../dist/dispatch.js")
  vi.useRealTimers()
})

const slowly = async (millis: number, options: CatalogOptions = {}) => {
  const { createCatalog, requests } = await loading({ millis })
  return { requests, catalog: createCatalog(options) }
}

const closed = { _tag: "ClientNetworkError", reason: "Cancelled", cause: { message: "the catalog was closed" } }

test("calls wait until undici is loaded, and all of them get it", async () => {
  const { catalog, requests } = await slowly(50, { clientId: "c" })
  expect(await Promise.all([catalog.anime.get({ id: 1 }), catalog.anime.get({ id: 2 })])).toEqual([anime, anime])
  expect(await catalog.anime.get({ id: 3 })).toEqual(anime)
  expect(requests.map(({ headers }) => headers["x-mal-client-id"])).toEqual(["c", "c", "c"])
})

test("a call keeps the inputs and credentials that it was made with", async () => {
  const { catalog, requests } = await slowly(50, { accessToken: "alice" })
  const fields = ["mean" as const, "rank" as const]
  const call = catalog.anime.get({ id: 1 }, { fields })
  catalog.accessToken = "bob"
  fields.pop()
  await call
  expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer alice" })
  expect(decodeURIComponent(requests[0]?.url ?? "")).toContain("?fields=mean,rank")
})

test("loading counts for totalTimeout", async () => {
  const { catalog, requests } = await slowly(300, { totalTimeout: 250 })
  await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({ reason: "Timeout", timeoutMs: 250 })
  expect(requests).toEqual([])
})

test("rules and tokens wait", async () => {
  const { catalog, requests } = await slowly(50, { accessToken: "bad\nthing" })
  await expect(catalog.anime.search({ q: "" })).rejects.toMatchObject({ _tag: "ClientValidationError" })
  await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "Unusable" })
  expect(requests).toEqual([])
})

test("signals and totalTimeout do not wait", async () => {
  const { catalog, requests } = await slowly(60_000)
  const aborted = { reason: "Cancelled" }
  await expect(catalog.anime.get({ id: 1 }, { signal: AbortSignal.abort() })).rejects.toMatchObject(aborted)
  await expect(catalog.anime.get({ id: 1 }, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject(aborted)
  await expect(catalog.anime.get({ id: 1 }, { totalTimeout: 21 })).rejects.toMatchObject({ timeoutMs: 21 })
  expect(requests).toEqual([])
  await catalog.close()
})

describe("close", () => {
  test("ends the calls that wait, whatever their inputs", async () => {
    const { catalog } = await slowly(60_000)
    const call = rejection(catalog.anime.get({ id: 1 }))
    await after(10)
    await catalog.close()
    expect(await call).toMatchObject(closed)
    expect(await call).toBeInstanceOf(ClientNetworkError)
    for (const later of [catalog.user.get({ username: "" }), catalog.anime.get({ id: NaN })]) {
      await expect(later).rejects.toMatchObject(closed)
    }
  })

  test("of a catalog that was never used loads nothing, and each catalog releases its own connections once", async () => {
    const { agents, createCatalog } = await loading({ millis: 0 })
    await createCatalog().close()
    expect(agents.made).toBe(0)
    const [first, second] = [createCatalog(), createCatalog()]
    await Promise.all([first.anime.get({ id: 1 }), first.anime.get({ id: 1 })])
    await second.anime.get({ id: 1 })
    expect(agents).toEqual({ made: 2, destroyed: 0 })
    await Promise.all([first.close(), first.close()])
    expect(agents.destroyed).toBe(1)
    expect(await second.anime.get({ id: 1 })).toEqual(anime)
    await second.close()
  })
})

test.each([
  ["totalTimeout", () => ({ totalTimeout: 60 }), "timed out after 60 ms"],
  ["a signal", () => ({ signal: AbortSignal.timeout(60) }), "was cancelled"],
  ["close", () => ({}), "was cancelled"]
])("the error of a call that has been sent since then says so: %s", async (end, options, happened) => {
  const { createCatalog, requests } = await loading({ isSilent: true, millis: 1 })
  await using catalog = createCatalog({ accessToken: "t", ...options() })
  const calls = [
    catalog.anime.deleteFromList({ id: 1 }),
    catalog.anime.search.collect({ q: "one" }, { max: 1 }),
    catalog.anime.search.items({ q: "one" })[Symbol.asyncIterator]().next()
  ].map((call) => rejection(call))
  await eventually("all are sent", () => requests.length === 3)
  if (end === "close") {
    await catalog.close()
  }
  const errors = (await Promise.all(calls)) as ReadonlyArray<Error>
  expect(errors).toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }])
  expect(errors[0]?.message).toContain(`${happened} (DELETE `)
  expect(errors[0]?.message).toContain("The write may have been carried out")
})

test("calls reject with the mistake of a transport that cannot be made", async () => {
  const mistake = new Error("no such certificate")
  const { stack } = mistake
  const { createCatalog } = await loading({
    makeAgent: () => {
      throw mistake
    }
  })
  await using catalog = createCatalog()
  await expect(catalog.anime.get({ id: 1 })).rejects.toBe(mistake)
  await expect(catalog.anime.search({ q: "" })).rejects.toBe(mistake)
  expect(mistake.stack).toBe(stack)
})

test.each<readonly [string, Loading]>([
  ["is never loaded", { millis: 1e9 }],
  ["is never released", { isSilent: true, millis: 0, makeAgent: () => ({ destroy: () => new Promise(() => {}) }) }]
])("24: a transport that %s keeps no session waiting", async (_, how) => {
  const { createSession } = await loading(how)
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const session = createSession({ clientId: "c", redirectUri: "http://localhost/callback" })
  const caught = async (promise: Promise<unknown>) => {
    const settled = promise.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    return settled
  }
  const request = await caught(session.authorizationRequest())
  if (how.isSilent !== true) {
    expect(request).toMatchObject({ _tag: "ClientNetworkError", reason: "Timeout" })
  }
  expect(await caught(session.close())).toBeUndefined()
})
