/**
 * What a run asks for, and what the mirror holds afterwards.
 */
import type { AnimeRecord, Fault } from "@catalog-client/testing"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { textOf } from "../src/Plan.js"
import {
  directory,
  isQuick,
  type Items,
  items,
  keysOf,
  mirrored,
  query,
  run,
  serviceOf,
  start
} from "./support/mirror.js"

const fileOf = () => `${directory()}/mirror.db`
const done = { code: 0, errors: "" }
const list = ["--lists", "anime/bypopularity,manga/bypopularity"]

const stateOf = (database: string, key: string) => {
  const [kind, id] = key.split("/")
  return query(database, `SELECT * FROM mirror_item WHERE kind = '${kind}' AND id = ${id}`)[0]
}
const opsOf = (database: string, run = "%") =>
  query(database, `SELECT op, kind, id FROM mirror_change WHERE run LIKE '${run}' ORDER BY seq`).map(
    ({ id, kind, op }) => `${String(op)} ${String(kind)}/${String(id)}`
  )
const lastRun = (database: string) =>
  String(query(database, "SELECT id FROM mirror_run ORDER BY started_at DESC LIMIT 1")[0]?.["id"])
/** Lets days pass: all that is remembered was longer ago. */
const age = (database: string, days: number) => {
  const millis = days * 86_400_000
  query(
    database,
    `UPDATE mirror_item SET fetched_at = fetched_at - ${millis}, due_at = due_at - ${millis}, missing_since = missing_since - ${millis}`
  )
}

const keys = (asked: ReadonlyMap<string, number>) => [...asked.keys()].sort()
const without = (all: Items, id: number): Items => ({ ...all, anime: all.anime.filter((anime) => anime.id !== id) })
const anime = (n: number) => 900_001 + n
const withAnime = (all: Items, n: number, change: Partial<AnimeRecord>): Items => ({
  ...all,
  anime: all.anime.map((each, index) => (index === n ? { ...each, ...change } : each))
})

test.skipIf(isQuick)(
  "a full run asks once for each page and each item, the next one for the pages; records are kept as they came",
  async () => {
    const all = items(50, 20)
    const searches = new Map<string, string>()
    const service = await serviceOf(all, { onRequest: ({ path, search }) => void searches.set(path, search) })
    const database = fileOf()
    expect(await run(["sync", ...list], { database, url: service.url })).toMatchObject(done)
    expect(service.pages()).toBe(2)
    expect([...service.asked().values()].every((times) => times === 1)).toBe(true)
    expect(keys(service.asked())).toEqual(keysOf(all))
    expect(mirrored(database)).toEqual(keysOf(all))

    for (const key of [`anime/${anime(0)}`, `anime/${anime(49)}`, `manga/${anime(7)}`]) {
      const response = await fetch(`${service.url}/${key}${searches.get(`/v2/${key}`)}`, {
        headers: { "x-mal-client-id": "embedded-client" }
      })
      expect(JSON.parse(String(stateOf(database, key)?.["body"]))).toEqual(await response.json())
      expect(stateOf(database, key)?.["body"]).toContain("recommendations")
    }

    const asked = service.requests.length
    expect(await run(["sync", ...list], { database, url: service.url })).toMatchObject(done)
    expect(service.requests.length - asked).toBe(2)
    expect(opsOf(database, lastRun(database))).toEqual([])
  }
)

test("keeps details and list entries as the service sent them: null, unknown members and members of another type", async () => {
  const key = `anime/${anime(0)}`
  const odd = {
    rank: null,
    num_episodes: "12",
    from_tomorrow: { deep: [null, 1.5, { text: "" }] },
    genres: [{ id: "1" }]
  }
  const entry = { id: anime(0), title: "One", synopsis: null, ...odd }
  const item = { id: anime(0), title: "One", background: null, ...odd, related_anime: [{ node: null }] }
  const page = { data: [{ node: entry, ranking: { rank: 1 } }], paging: {} }
  const faults: ReadonlyArray<Fault> = [
    { on: "anime.ranking", body: page },
    { on: ({ path }) => path.endsWith(`/${key}`), body: item }
  ]
  const service = await serviceOf(items(1, 0), { faults })
  const database = fileOf()
  const args = ["sync", "--lists", "anime/bypopularity"]
  expect(await run(args, { database, url: service.url })).toMatchObject({ code: 0 })

  const kept = stateOf(database, key)
  expect(JSON.parse(String(kept?.["body"]))).toEqual(item)
  expect(JSON.parse(String(kept?.["listed"]))).toEqual(entry)
  const [hash, listed] = [textOf(item).hash, textOf(entry).hash]
  expect(kept).toMatchObject({ body_hash: hash, listed_hash: listed, fetched_hash: listed })
  const file = `${directory()}/out.ndjson`
  expect(await run(["export", "ndjson", file], { database, url: service.url })).toMatchObject({ code: 0 })
  const exported = readFileSync(file, "utf8").split("\n", 1)[0] ?? ""
  expect(JSON.parse(exported)).toMatchObject({ id: anime(0), body: item, listed: entry })

  // Nothing has changed, and what the client does not know counts as a change.
  expect(await run(args, { database, url: service.url })).toMatchObject({ code: 0 })
  expect(opsOf(database, lastRun(database))).toEqual([])
  Object.assign(entry, { from_tomorrow: null })
  Object.assign(item, { from_tomorrow: null })
  expect(await run(args, { database, url: service.url })).toMatchObject({ code: 0 })
  expect(opsOf(database, lastRun(database))).toEqual([`changed ${key}`])
})

test("asks for what is new, changed, missing, unfinished or due; deletes after two 404s a day apart, and not before", async () => {
  const before = items(60, 10)
  const database = fileOf()
  const first = await serviceOf(before)
  expect(await run(["sync", ...list], { database, url: first.url })).toMatchObject(done)

  const moved = withAnime(before, 3, { mean: 1.5, rank: 5, popularity: 1, num_list_users: 9, num_scoring_users: 8 })
  const changed = withAnime(withAnime(moved, 4, { title: "Another title" }), 5, { num_episodes: 99 })
  const after = without({ ...changed, anime: [...changed.anime, ...items(61, 0).anime.slice(60)] }, anime(6))
  const second = await serviceOf(after)
  const sync = async () => {
    const from = second.requests.length
    expect(await run(["sync", ...list], { database, url: second.url })).toMatchObject({ code: 0 })
    return keys(second.asked(from))
  }
  const gone = `anime/${anime(6)}`
  expect(await sync()).toEqual([4, 5, 6, 60].map((n) => `anime/${anime(n)}`))
  expect(opsOf(database, lastRun(database)).sort()).toEqual([
    `added anime/${anime(60)}`,
    `changed anime/${anime(4)}`,
    `changed anime/${anime(5)}`
  ])
  // The numbers of the list are kept all the same.
  expect(stateOf(database, `anime/${anime(3)}`)?.["listed"]).toContain('"mean":1.5')
  expect(stateOf(database, gone)).toMatchObject({ state: "live", strikes: 1 })

  // Not before a day has passed.
  expect(await sync()).toEqual([])
  age(database, 1.1)
  expect(await sync()).toEqual([gone])
  expect(stateOf(database, gone)).toMatchObject({ state: "gone", strikes: 2 })
  expect(String(stateOf(database, gone)?.["body"])).toContain('"title"')
  expect(opsOf(database, lastRun(database))).toEqual([`gone ${gone}`])
  expect(await sync()).toEqual([])

  // Those that are still running, after a week; the tombstone, too.
  age(database, 7.1)
  const unfinished = after.anime.filter(({ status }) => status !== "finished_airing").map(({ id }) => `anime/${id}`)
  const unfinishedManga = after.manga
    .filter(({ status }) => status !== "finished" && status !== "discontinued")
    .map(({ id }) => `manga/${id}`)
  expect(await sync()).toEqual([...unfinished, ...unfinishedManga, gone].sort())

  // All are due at some time.
  age(database, 90)
  expect(await sync()).toEqual([...keysOf(after), gone].sort())

  const back = await serviceOf(before)
  expect(await run(["sync", ...list], { database, url: back.url })).toMatchObject({ code: 0 })
  expect(stateOf(database, gone)).toMatchObject({ state: "live", strikes: 0 })
  expect(opsOf(database, lastRun(database))).toContain(`back ${gone}`)
})

test("reads what only other items name", async () => {
  const all = items(120, 0)
  const upcoming = all.anime.flatMap(({ status }, n) => (status === "not_yet_aired" ? [n] : []))[0] ?? 0
  const related = withAnime(
    withAnime(all, upcoming, { related: [{ kind: "anime", id: anime(1), relation_type: "sequel" }] }),
    1,
    { recommendations: [{ id: anime(2), num_recommendations: 3 }] }
  )
  const service = await serviceOf(related)
  const database = fileOf()
  expect(await run(["sync", "--lists", "anime/upcoming"], { database, url: service.url })).toMatchObject(done)
  expect(mirrored(database)).toEqual([1, 2, upcoming].map((n) => `anime/${anime(n)}`).sort())
})

test("asks again for an item in no list that failed: at the end of the run, and in each run until it is answered", async () => {
  const all = items(120, 0)
  const upcoming = all.anime.flatMap(({ status }, n) => (status === "not_yet_aired" ? [n] : []))[0] ?? 0
  const key = `anime/${anime(1)}`
  const related = withAnime(all, upcoming, { related: [{ kind: "anime", id: anime(1), relation_type: "sequel" }] })
  const database = fileOf()
  const only = ["sync", "--lists", "anime/upcoming"]
  const failing = await serviceOf(related, { faults: [{ on: ({ path }) => path.endsWith(key), status: 500 }] })
  for (const reason of ["related", "failed"]) {
    const from = failing.requests.length
    const result = await run(only, { database, url: failing.url, isFast: true })
    expect(result).toMatchObject({ code: 7, errors: expect.stringMatching(`1 items had no usable response: ${key} `) })
    expect(result.errors).not.toContain("fields=")
    // Four attempts, and four at the end.
    expect([reason, failing.asked(from).get(key)]).toEqual([reason, 8])
    const [plan] = query(database, `SELECT reason FROM mirror_plan WHERE id = ${anime(1)}`)
    expect(plan).toEqual({ reason })
  }
  const doctor = await run(["doctor"], { database, url: failing.url })
  expect(doctor.output).toMatch(new RegExp(`✗ 1 items had no usable response: ${key} `))

  const sound = await serviceOf(related)
  expect(await run(only, { database, url: sound.url })).toMatchObject(done)
  expect(keys(sound.asked())).toEqual([key])
  expect(mirrored(database)).toEqual([1, upcoming].map((n) => `anime/${anime(n)}`).sort())
  expect(await run(["doctor"], { database, url: sound.url })).toMatchObject({ code: 0 })
})

test.skipIf(isQuick)("follows pages that are short, long or empty to the one without next", async () => {
  const all = items(1200, 0)
  for (const quirks of [
    { shortPages: true },
    { longPages: true, emptyPage: true },
    { nextWithout: ["fields", "nsfw"] }
  ]) {
    const service = await serviceOf(all, { quirks })
    const database = fileOf()
    const args = ["sync", "--depth", "list", "--lists", "anime/bypopularity"]
    expect(await run(args, { database, url: service.url })).toMatchObject(done)
    const rows = query(database, "SELECT id FROM mirror_item WHERE listed LIKE '%\"synopsis\"%'")
    expect(rows).toHaveLength(1200)
  }
})

describe("a service that", () => {
  const all = items(60, 0)
  const only = ["--lists", "anime/bypopularity"]
  const item =
    (n: number): NonNullable<Fault["on"]> =>
    ({ path }) =>
      path.endsWith(`/${anime(n)}`)

  test.skipIf(isQuick)(
    "fails for some items does not stop the others, and these are asked for again in the next run",
    async () => {
      const broken: ReadonlyArray<Fault> = [
        { on: item(7), status: 500 },
        { on: item(8), body: "<html>" },
        { on: item(9), status: 503, times: 1 },
        { on: item(10), drop: "in-body", times: 1 }
      ]
      const database = fileOf()
      const failing = await serviceOf(all, { faults: broken })
      expect(await run(["sync", ...only], { database, url: failing.url, isFast: true })).toMatchObject({ code: 7 })
      expect(mirrored(database)).toHaveLength(58)
      const sound = await serviceOf(all)
      expect(await run(["sync", ...only], { database, url: sound.url })).toMatchObject(done)
      expect(keys(sound.asked())).toEqual([`anime/${anime(7)}`, `anime/${anime(8)}`])
      expect(mirrored(database)).toEqual(keysOf(all))
    }
  )

  test.skipIf(isQuick)("is down for a while is waited for, and its failures are not those of items", async () => {
    let asked = 0
    const isItem = (operation: string | undefined) => operation === "anime.get" && ++asked > 20
    const faults: ReadonlyArray<Fault> = [
      { on: "anime.ranking", status: 503, times: 6 },
      { on: ({ operation }) => isItem(operation), status: 503, times: 90 }
    ]
    const service = await serviceOf(all, { faults })
    const database = fileOf()
    expect(await run(["sync", ...only], { database, url: service.url, isFast: true })).toMatchObject(done)
    expect(mirrored(database)).toEqual(keysOf(all))
  })

  test.skipIf(isQuick)("has many items that always fail is not down", async () => {
    const isBroken = ({ path }: { readonly path: string }) => Number(path.split("/").at(-1)) > anime(45)
    const service = await serviceOf(all, { faults: [{ on: isBroken, status: 500 }] })
    const database = fileOf()
    const patience = ["--patience", "1 hour"]
    const result = await run(["sync", ...only, ...patience], { database, url: service.url, isFast: true })
    expect(result).toMatchObject({ code: 7, errors: expect.stringContaining("14 items had no usable response") })
    expect(mirrored(database)).toHaveLength(46)
  })

  test("answers with another item than the one it was asked for has not answered", async () => {
    const body = { id: anime(3), title: "Another" }
    const service = await serviceOf(items(3, 0), { faults: [{ on: item(1), body }] })
    const database = fileOf()
    const result = await run(["sync", ...only], { database, url: service.url, isFast: true })
    expect(result).toMatchObject({ code: 7, errors: expect.stringContaining(`is about item ${anime(3)}`) })
    expect(mirrored(database)).toEqual([`anime/${anime(0)}`, `anime/${anime(2)}`])
  })

  test("repeats the credential in a record has it redacted there, and all else is as it came", async () => {
    const body = { id: anime(0), title: "For embedded-client", background: null, related_anime: [{ node: null }] }
    const service = await serviceOf(items(1, 0), { faults: [{ on: item(0), body }] })
    const database = fileOf()
    expect(await run(["sync", ...only], { database, url: service.url })).toMatchObject({ code: 0 })
    const kept = stateOf(database, `anime/${anime(0)}`)?.["body"]
    expect(JSON.parse(String(kept))).toEqual({ ...body, title: "For <redacted>" })
  })

  test.skipIf(isQuick).each([
    ["403", { status: 403, times: 36 }],
    ["429", { status: 429, headers: { "retry-after": "1" }, times: 36 }]
  ] as const)("throttles with %s is left alone until the hold ends, and nothing is lost", async (_, fault) => {
    let from = 0
    const isItem = (operation: string | undefined) => operation === "anime.get" && ++from > 20
    const faults: ReadonlyArray<Fault> = [{ on: ({ operation }) => isItem(operation), ...fault }]
    const service = await serviceOf(all, { faults })
    const database = fileOf()
    const hold = fault.status === 403 ? 700 : 1000
    const started = performance.now()
    expect(await run(["sync", ...only, "--hold", "700 millis"], { database, url: service.url })).toMatchObject(done)
    expect(mirrored(database)).toEqual(keysOf(all))
    const times = service.requests.map(({ at }) => at)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? started))
    // Those in flight come together, the others after a hold.
    expect(gaps.filter((gap) => gap > hold - 50).length).toBeGreaterThanOrEqual(2)
    expect(service.requests.length).toBe(1 + 60 + fault.times)
  })

  test.skipIf(isQuick)("goes away stops the run, which goes on where it was", async () => {
    // Two shares are under way, and one of them ends the run.
    const many = items(260, 0)
    const database = fileOf()
    let left = 25
    const gone = await serviceOf(many, {
      faults: [{ on: ({ operation }) => operation === "anime.get" && --left < 0, drop: "before-headers" }]
    })
    const stopped = await run(["sync", ...only, "--patience", "1 second"], { database, url: gone.url })
    expect(stopped).toMatchObject({ code: 3 })
    expect(stopped.errors).toContain("`catalog-mirror resume` goes on")
    expect((await run(["status"], { database, url: gone.url })).output).toContain('"phase":"stopped"')
    const back = await serviceOf(many)
    expect(await run(["resume"], { database, url: back.url })).toMatchObject(done)
    expect(mirrored(database)).toEqual(keysOf(many))
    expect(back.pages()).toBe(0)
    expect(back.requests.length).toBeLessThanOrEqual(260 - 25 + 8)
    expect(await run(["resume"], { database, url: back.url })).toMatchObject({ code: 2 })
  })

  test("refuses the credential stops the run at once", async () => {
    const service = await serviceOf(all, { clientIds: ["another"] })
    const result = await run(["sync", ...only], { database: fileOf(), url: service.url })
    expect(result).toMatchObject({ code: 3 })
    expect(result.errors).toMatch(/client/i)
    expect(service.requests).toHaveLength(1)
  })
})

test.skipIf(isQuick)(
  "one process at a time works on a file; another shows it; Ctrl+C and SIGTERM end it within two seconds",
  async () => {
    const all = items(400, 0)
    const service = await serviceOf(all)
    const database = fileOf()
    const running = start(["sync", "--interval", "400 millis"], { database, url: service.url })
    await service.more(3, running.ended)
    expect(await run(["sync"], { database, url: service.url })).toMatchObject({ code: 4 })
    const shown = await run(["status"], { database, url: service.url })
    expect(JSON.parse(shown.output)).toMatchObject({ phase: expect.stringMatching(/lists|items/), quota: 2.5 })
    const end = async ({ kill }: typeof running, signal: NodeJS.Signals, code: number) => {
      const asked = performance.now()
      expect(await kill(signal)).toMatchObject({ code, errors: expect.stringContaining("Nothing is lost") })
      // Two seconds, and those of a machine under load.
      expect(performance.now() - asked).toBeLessThan(4_000)
    }
    await end(running, "SIGINT", 130)
    const again = start(["sync"], { database, url: service.url })
    await service.more(3, again.ended)
    await end(again, "SIGTERM", 143)
  }
)
