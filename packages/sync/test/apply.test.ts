import { it } from "@effect/vitest"
import { Sync } from "@catalog-client/sync"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { type Catalog, createCatalog, DEFAULT_REQUEST_TIMEOUT, Resilience } from "catalog-client"
import {
  apply,
  type ApplyOptions,
  type Entry,
  type Journal,
  plan,
  readList,
  undo,
  type Wanted
} from "catalog-client/sync"
import type { EmbeddedCatalogOptions, Fault } from "catalog-client/testing"
import { Chunk, Context, Effect, Schema, Stream } from "effect"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { isBundle } from "../../core/test/support/only.js"

const accessToken = "embedded-token"

/** What a duration can be besides a number. */
const duration = isBundle
  ? 'a string like "5 seconds" (milliseconds, seconds, minutes, hours or days)'
  : 'a Duration like "5 seconds"'

/** A service that counts what was written, with its catalog. */
const start = (options: EmbeddedCatalogOptions = {}) => {
  const requests: Array<string> = []
  const writes: Array<string> = []
  const fetch = EmbeddedCatalog.fetch({
    onRequest: ({ method }) => requests.push(method),
    onWrite: ({ body, path }) => writes.push(`${path.split("/")[3]} ${body}`),
    ...options
  })
  return { fetch, requests, writes, catalog: createCatalog({ fetch, accessToken }) }
}

const onWrite: Pick<Fault, "on"> = { on: ["anime.updateMyListStatus", "anime.deleteFromList"] }

/** Plans some scores of 3 for titles of the list, by default one. */
const scoresOf = async (catalog: Catalog, count = 1) => {
  const current = await readList(catalog, "anime")
  const listed = [...current.values()].filter(({ score }) => score !== 3).slice(0, count)
  return plan({ kind: "anime", current, wanted: listed.map(({ id }) => ({ id, score: 3 })), rule: "replace" })
}

const memoryJournal = (text = ""): Journal & { text: string } => ({
  text,
  async read() {
    return this.text
  },
  async append(more) {
    this.text += more
  }
})

/** A service for Effect that counts what was written, and the lines of a journal. */
const startEffect = () => {
  const writes: Array<string> = []
  const text: Array<string> = []
  return { writes, text, layer: EmbeddedCatalog.layerClient({ onWrite: ({ path }) => writes.push(path) }) }
}

class Shelf extends Context.Tag("Shelf")<Shelf, { readonly name: string }>() {}

/** Plans scores of 3 for so many titles of the list. */
const planOf = (count: number) =>
  Effect.map(Sync.readList("anime"), (current) => {
    const listed = [...current.values()].filter(({ score }) => score !== 3).slice(0, count)
    return Sync.plan({ kind: "anime", current, wanted: listed.map(({ id }) => ({ id, score: 3 })), rule: "replace" })
  })

const resultsOf = ({ outcomes }: Awaited<ReturnType<typeof apply>>) =>
  [...outcomes.values()].map(({ result }) => result)

describe("a write whose reply is lost", () => {
  const gone = { drop: "before-headers" } as const
  test.each<readonly [string, Fault, ReadonlyArray<string>, number]>([
    ["that was written is found", { ...gone }, ["found"], 1],
    ["that was not written is sent again", { ...gone, status: 503 }, ["sent"], 1],
    ["that was written although the status is 503 is found", { status: 503, executesAfter: 0 }, ["found"], 1],
    ["that lands after its client has gone is not sent again", { ...gone, executesAfter: 100 }, ["found"], 1]
  ])("%s", async (_, fault, results, count) => {
    const { catalog, writes } = start({ faults: [{ ...onWrite, ...fault, times: 1 }] })
    const result = await apply(catalog, await scoresOf(catalog), { settle: "500 millis" })
    expect([resultsOf(result), result.stopped, writes.length]).toEqual([results, undefined, count])
    expect((await scoresOf(catalog)).changes[0]?.id).not.toBe([...result.outcomes.keys()][0])
  })

  test("is read after all other changes were made", async () => {
    const { catalog, requests } = start({ faults: [{ ...onWrite, drop: "before-headers", times: 1 }] })
    const changes = await scoresOf(catalog, 3)
    requests.length = 0
    const result = await apply(catalog, changes, { settle: 0 })
    expect(requests).toEqual(["GET", "PATCH", "PATCH", "PATCH", "GET"])
    expect([resultsOf(result), result.requests]).toEqual([["sent", "sent", "found"], 5])
  })

  test("is read when the default timeout of a client has passed, unless settle says otherwise", async () => {
    const { catalog, requests } = start({ faults: [{ ...onWrite, drop: "before-headers", times: 1 }] })
    const changes = await scoresOf(catalog)
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    requests.length = 0
    const applied = apply(catalog, changes)
    while (!requests.includes("PATCH")) {
      await vi.advanceTimersByTimeAsync(0)
    }
    await vi.advanceTimersByTimeAsync(DEFAULT_REQUEST_TIMEOUT - 1)
    expect(requests).toEqual(["GET", "PATCH"])
    await vi.advanceTimersByTimeAsync(1)
    expect(resultsOf(await applied)).toEqual(["found"])
  })

  test("stops the run after five in a row", async () => {
    const { catalog, requests } = start({ faults: [{ ...onWrite, status: 503 }] })
    const changes = await scoresOf(catalog, 9)
    requests.length = 0
    const { outcomes, stopped } = await apply(catalog, changes, { settle: 0 })
    expect([outcomes.size, stopped?.status, requests.length]).toEqual([0, 503, 6])
  })
})

describe("one entry", () => {
  test("that the service does not take is refused, and not asked again", async () => {
    const journal = memoryJournal()
    const { catalog, requests, writes } = start({
      faults: [{ ...onWrite, status: 400, body: { error: "bad_request" }, times: 1 }]
    })
    const wanted: ReadonlyArray<Wanted> = [
      { id: 1, score: 5 },
      { id: 999_999, score: 5 },
      { id: 30_230, score: 5 }
    ]
    const changes = plan({ kind: "anime", current: await readList(catalog, "anime"), wanted, rule: "replace" })
    const first = await apply(catalog, changes, { journal })
    expect(resultsOf(first)).toEqual(["refused", "refused", "sent"])
    expect([...first.outcomes.values()].map(({ error }) => error?.status)).toEqual([400, 404, undefined])
    requests.length = 0
    const again = await apply(catalog, changes, { journal })
    expect([requests, resultsOf(again), writes.length]).toEqual([["GET"], ["refused", "refused", "sent"], 1])
    expect(again.outcomes.get(1)).toEqual(first.outcomes.get(1))
  })

  test("refused when it is read back, too", async () => {
    const { catalog } = start({
      faults: [
        { ...onWrite, status: 500, times: 1 },
        { on: "anime.get", status: 404, times: 1 }
      ]
    })
    expect(resultsOf(await apply(catalog, await scoresOf(catalog), { settle: 0 }))).toEqual(["refused"])
  })

  test.each<readonly [string, Partial<Entry>, string]>([
    ["with the same member edited is skipped", { score: 4 }, "skipped"],
    ["with another member edited is written", { comments: "mine" }, "sent"],
    ["that is as wanted is found", { score: 3 }, "found"]
  ])("%s", async (_, edit, result) => {
    const { catalog, requests } = start()
    const changes = await scoresOf(catalog)
    await catalog.anime.updateMyListStatus({
      id: changes.changes[0]?.id ?? 0,
      score: edit.score,
      comments: edit.comments
    })
    requests.length = 0
    expect(resultsOf(await apply(catalog, changes))).toEqual([result])
    expect(requests).toEqual(result === "sent" ? ["GET", "PATCH"] : ["GET"])
  })

  test("of which the service keeps a member", async () => {
    const { catalog } = start({ quirks: { finishDate: "completed" } })
    const wanted = [{ id: 1, status: "watching", finish_date: "2020-02-02" }]
    const changes = plan({ kind: "anime", current: new Map(), wanted })
    const { outcomes } = await apply(catalog, changes)
    expect(outcomes.get(1)).toMatchObject({ result: "kept", kept: ["finish_date"], entry: { status: "watching" } })
  })

  test("is added, removed and taken back", async () => {
    const { catalog } = start()
    const current = await readList(catalog, "anime")
    const [one, two] = [...current.values()]
    const wanted: ReadonlyArray<Wanted> = [...[...current.values()].slice(1), { id: 1, score: 5 }]
    const made = plan({ kind: "anime", current, wanted, remove: true })
    expect(resultsOf(await apply(catalog, made))).toEqual(["sent", "sent"])
    const after = await readList(catalog, "anime")
    expect([after.has(one?.id ?? 0), after.get(1)?.status]).toEqual([false, "plan_to_watch"])
    expect(resultsOf(await apply(catalog, made))).toEqual(["found", "found"])
    expect(resultsOf(await apply(catalog, undo(made)))).toEqual(["sent", "sent"])
    const back = await readList(catalog, "anime")
    const without = (list: ReadonlyMap<number, Entry>) =>
      [...list.values()].map((entry) => ({ ...entry, updated_at: "" }))
    expect(without(back)).toEqual(expect.arrayContaining(without(current)))
    expect([back.size, two]).toEqual([current.size, back.get(two?.id ?? 0)])
  })

  test("undo leaves a title that was added and edited since", async () => {
    const { catalog } = start()
    const made = plan({ kind: "anime", current: await readList(catalog, "anime"), wanted: [{ id: 1 }] })
    await apply(catalog, made)
    await catalog.anime.updateMyListStatus({ id: 1, score: 9 })
    expect(resultsOf(await apply(catalog, undo(made)))).toEqual(["skipped"])
    expect((await readList(catalog, "anime")).get(1)?.score).toBe(9)
  })
})

describe("the run", () => {
  test("stops when the token ends, and goes on with another one", async () => {
    const journal = memoryJournal()
    let left = 2
    const on: Fault["on"] = ({ method }) => method === "PATCH" && left-- <= 0
    const { catalog, fetch, writes } = start({
      faults: [{ on, status: 401, body: { error: "invalid_token" }, times: 1 }]
    })
    const changes = await scoresOf(catalog, 5)
    const { outcomes, stopped } = await apply(catalog, changes, { journal })
    expect([outcomes.size, stopped?.status]).toEqual([2, 401])
    const next = await apply(createCatalog({ fetch, accessToken }), changes, { journal, settle: 0 })
    expect([next.outcomes.size, next.stopped, writes.length]).toEqual([5, undefined, 5])
  })

  test("what the user edits after its write stays, with a journal", async () => {
    const journal = memoryJournal()
    const { catalog } = start()
    const changes = await scoresOf(catalog, 2)
    const id = changes.changes[0]?.id ?? 0
    await apply(catalog, changes, { journal })
    await catalog.anime.updateMyListStatus({ id, score: 10 })
    await apply(catalog, changes, { journal })
    expect((await readList(catalog, "anime")).get(id)?.score).toBe(10)
  })

  test("goes on after a kill, in the middle of a line", async () => {
    const journal = memoryJournal()
    const { catalog, writes } = start()
    const changes = await scoresOf(catalog, 4)
    const ids = changes.changes.map(({ id }) => id)
    await apply(catalog, changes, { journal })
    const lines = journal.text.split("\n")
    // Killed when the second write was sent, and the line about the third cut off.
    const killed = memoryJournal([...lines.slice(0, 4), lines[5]?.slice(0, 9)].join("\n"))
    await catalog.anime.updateMyListStatus({ id: ids[2] ?? 0, score: changes.changes[2]?.before.score })
    const { outcomes } = await apply(catalog, changes, { journal: killed, settle: 0 })
    expect(ids.map((id) => outcomes.get(id)?.result)).toEqual(["sent", "found", "sent", "found"])
    expect(writes).toHaveLength(6)
    const only = memoryJournal(`${lines[0]?.slice(0, 12)}`)
    expect((await apply(catalog, changes, { journal: only })).outcomes.size).toBe(4)
  })

  test.each<readonly [string, number, ReadonlyArray<string>, number]>([
    ["before the second write", 4, ["sent", "sent"], 1],
    ["after the second write", 5, ["sent", "found"], 2]
  ])("ends with the error of a journal that fails %s, and goes on", async (_, fails, results, count) => {
    const journal = memoryJournal()
    let appends = 0
    const full: Journal = {
      read: () => journal.read(),
      append: (more) =>
        ++appends === fails ? Promise.reject(new RangeError("the disk is full")) : journal.append(more)
    }
    const { catalog, writes } = start()
    const changes = await scoresOf(catalog, 2)
    await expect(apply(catalog, changes, { journal: full })).rejects.toThrow(new RangeError("the disk is full"))
    expect(writes).toHaveLength(count)
    expect(resultsOf(await apply(catalog, changes, { journal, settle: 0 }))).toEqual(results)
    expect(writes).toHaveLength(2)
  })

  test("stops by its signal, also while it waits, and goes on", async () => {
    const { catalog } = start({ faults: [{ ...onWrite, drop: "before-headers", times: 1 }] })
    const changes = await scoresOf(catalog, 2)
    const controller = new AbortController()
    const journal = memoryJournal()
    const options: ApplyOptions = {
      journal,
      signal: controller.signal,
      settle: 3_600_000,
      onOutcome: () => controller.abort()
    }
    const { outcomes, stopped } = await apply(catalog, changes, options)
    expect([outcomes.size, stopped?.reason]).toEqual([1, "Cancelled"])
    expect(resultsOf(await apply(catalog, changes, { journal, settle: 0 }))).toEqual(["sent", "found"])
  })

  test("a journal of another plan is a mistake", async () => {
    const journal = memoryJournal()
    const { catalog } = start()
    const changes = await scoresOf(catalog, 2)
    await apply(catalog, changes, { journal })
    const other = { ...changes, changes: changes.changes.slice(1) }
    await expect(apply(catalog, other, { journal })).rejects.toThrow(TypeError)
    const stored: typeof changes = JSON.parse(JSON.stringify(changes))
    expect((await apply(catalog, stored, { journal })).outcomes.size).toBe(2)
  })

  test("reads past a cache", async () => {
    const { catalog, fetch } = start()
    const policies = [Resilience.cache({ capacity: 9, timeToLive: "1 hour" })]
    const cached = createCatalog({ fetch, accessToken, policies })
    const changes = await scoresOf(cached)
    await catalog.anime.updateMyListStatus({ id: changes.changes[0]?.id ?? 0, score: 4 })
    expect(resultsOf(await apply(cached, changes))).toEqual(["skipped"])
  })

  test("makes several changes at a time if it may, and ends those that have begun", async () => {
    const faults: ReadonlyArray<Fault> = [
      { ...onWrite, status: 403, times: 1 },
      { ...onWrite, delay: 50 }
    ]
    const { catalog, writes } = start({ faults })
    const changes = await scoresOf(catalog, 6)
    const { outcomes, stopped } = await apply(catalog, changes, { concurrency: 3 })
    expect([stopped?.status, outcomes.size, writes.length]).toEqual([403, 2, 2])
    const onOutcome = () => {
      throw new RangeError("of the program")
    }
    await expect(apply(catalog, changes, { onOutcome })).rejects.toThrow(RangeError)
    expect((await apply(catalog, changes, { concurrency: 3 })).outcomes.size).toBe(6)
  })

  test.each<readonly [object, object, string]>([
    [{ concurrency: NaN }, {}, "apply: concurrency must be 1 or more, but it is NaN"],
    [{ concurrency: 0 }, {}, "apply: concurrency must be 1 or more, but it is 0"],
    [{ settle: NaN }, {}, `apply: settle must be a number of milliseconds, 0 or more, or ${duration}, but it is NaN`],
    [{}, { kind: "Anime" }, 'apply: kind must be "anime" or "manga", but it is "Anime"'],
    [{}, { version: 2 }, "apply: it applies plans of version 1, but this one has version 2"]
  ])("refuses the options %o for a plan with %o, before it sends anything", async (options, members, message) => {
    const { catalog, requests } = start()
    const changes = await scoresOf(catalog)
    requests.length = 0
    await expect(apply(catalog, { ...changes, ...members }, options)).rejects.toThrow(new TypeError(message))
    expect(requests).toEqual([])
  })

  test("needs a journal only for itself", async () => {
    const { catalog } = start()
    const changes = await scoresOf(catalog)
    await expect(apply(catalog, changes, { ...({ file: "x" } as object) })).rejects.toThrow("apply has no option")
    const locked: Journal = { ...memoryJournal(), lock: () => Promise.reject(new Error("another run")) }
    await expect(apply(catalog, changes, { journal: locked })).rejects.toThrow("another run")
  })

  it.effect.each(["signal", "onOutcome"])("has no option %s with Effect", (name) =>
    Effect.gen(function* () {
      const plan: Sync.Plan = { version: 1, kind: "anime", changes: [], kept: [], problems: [] }
      const run = Stream.runDrain(Sync.apply(plan, { ...({ [name]: "x" } as object) }))
      expect(yield* Effect.catchAllDefect(run, Effect.succeed)).toEqual(
        new TypeError(`apply has no option "${name}": it takes journal, concurrency, settle`)
      )
    }).pipe(Effect.provide(EmbeddedCatalog.layerClient()))
  )

  it.effect("fails with the error of its journal, with Effect, and goes on", () => {
    const { layer, text, writes } = startEffect()
    return Effect.gen(function* () {
      const made = yield* planOf(3)
      let room = 4
      const journal: Sync.Journal<Sync.JournalError> = {
        read: Effect.sync(() => text.join("")),
        append: (line) =>
          room-- > 0
            ? Effect.sync(() => text.push(line))
            : Effect.fail(new Sync.JournalError({ cause: new RangeError("the disk is full") }))
      }
      const run = Stream.runCollect(Sync.apply(made, { journal, settle: "0 seconds" }))
      const error = yield* Effect.flip(run)
      expect([error._tag, error.message]).toEqual(["JournalError", "the journal failed: the disk is full"])
      expect(writes).toHaveLength(2)
      room = Infinity
      const rest = Chunk.toReadonlyArray(yield* run)
      expect(rest.map(({ result }) => result)).toEqual(["sent", "sent", "found"])
      expect(writes).toHaveLength(3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("reads the journal of a plan that a Schema has decoded", () => {
    const { layer, text, writes } = startEffect()
    return Effect.gen(function* () {
      const journal: Sync.Journal = {
        read: Effect.sync(() => text.join("")),
        append: (line) => Effect.sync(() => void text.push(line))
      }
      const made = yield* planOf(2)
      yield* Stream.runDrain(Sync.apply(made, { journal }))
      const decoded = Schema.decodeUnknownSync(Sync.PlanSchema)(JSON.parse(JSON.stringify(made)))
      const again = Chunk.toReadonlyArray(yield* Stream.runCollect(Sync.apply(decoded, { journal })))
      expect(again.map(({ result }) => result)).toEqual(["sent", "sent"])
      expect(writes).toHaveLength(2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("holds the lock of its journal until it ends, with Effect", () => {
    const { layer } = startEffect()
    return Effect.gen(function* () {
      const events: Array<string> = []
      const note = (event: string) => Effect.sync(() => void events.push(event))
      const journal: Sync.Journal<never, Shelf> = {
        read: Effect.map(Shelf, ({ name }) => void events.push(`read ${name}`)).pipe(Effect.as("")),
        append: () => note("append"),
        lock: Effect.acquireRelease(note("lock"), () => note("unlock"))
      }
      const run = Stream.runForEach(Sync.apply(yield* planOf(1), { journal }), ({ result }) => note(result))
      yield* Effect.provideService(run, Shelf, { name: "one" })
      expect(events).toEqual(["lock", "read one", "append", "append", "append", "sent", "unlock"])
      const locked = { ...journal, lock: Effect.fail("another run" as const) }
      const failed = Stream.runDrain(Sync.apply(yield* planOf(1), { journal: locked }))
      expect(yield* Effect.flip(Effect.provideService(failed, Shelf, { name: "two" }))).toBe("another run")
    }).pipe(Effect.provide(layer))
  })

  it.effect("refuses a journal of promises with Effect", () =>
    Effect.gen(function* () {
      const journal: object = memoryJournal()
      const run = Stream.runDrain(Sync.apply(yield* planOf(1), { journal: journal as Sync.Journal }))
      expect(yield* Effect.catchAllDefect(run, Effect.succeed)).toEqual(
        new TypeError("apply: journal must have `read`, an Effect, and `append`, a function that returns one")
      )
    }).pipe(Effect.provide(startEffect().layer))
  )

  it.effect("is a Stream with Effect, which fails where the run stops", () => {
    const layer = EmbeddedCatalog.layerClient({ faults: [{ on: ({ body }) => body === "score=2", status: 403 }] })
    return Effect.gen(function* () {
      const current = yield* Sync.readList("anime")
      const [one, two] = [...current.keys()]
      const planned = (score: number) =>
        Sync.plan({
          kind: "anime",
          current,
          wanted: [
            { id: one, score: 3 },
            { id: two, score }
          ],
          rule: "replace"
        })
      const seen: Array<string> = []
      const run = (plan: Sync.Plan) =>
        Stream.runForEach(Sync.apply(plan), ({ result }) => Effect.sync(() => seen.push(result)))
      const error = yield* Effect.flip(run(planned(2)))
      expect([seen, error.status]).toEqual([["sent"], 403])
      const rest = yield* Stream.runCollect(Sync.apply(planned(1)))
      expect(Chunk.toReadonlyArray(rest).map(({ result }) => result)).toEqual(["found", "sent"])
    }).pipe(Effect.provide(layer))
  })
})
