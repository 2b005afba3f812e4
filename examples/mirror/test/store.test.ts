/**
 * What the tables keep, and of whom.
 */
import * as Migrator from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { readFileSync } from "node:fs"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { clientOf, databaseOf } from "../src/Engine.js"
import { migrations, Store } from "../src/Store.js"
import { directory, isQuick, items, keysOf, run, serviceOf, start } from "./support/mirror.js"
import { freePort, programs, startPostgres } from "./support/postgres.js"

const open = async (database: string) => {
  const client = clientOf(databaseOf(database))
  const runtime = ManagedRuntime.make(
    Store.layer.pipe(Layer.provide(Layer.effectDiscard(Store.migrate)), Layer.provideMerge(client))
  )
  onTestFinished(() => runtime.dispose())
  return { sql: await runtime.runPromise(SqlClient), store: await runtime.runPromise(Store) }
}
const storeOf = async (database: string) => (await open(database)).store

const settings = { lists: ["anime/all"], depth: "detail", interval_ms: 1000 } as const
const body = (id: number) => ({ id, title: `Number ${id}` })
const found = (id: number) => ({ _tag: "Found", body: body(id) }) as const
const item = (id: number) => ({ kind: "anime", id }) as const
const promise = Effect.runPromise

test("an attempt that has been replaced keeps nothing and ends nothing, and a run with pending items does not end", async () => {
  const store = await storeOf(`${directory()}/mirror.db`)
  const first = await promise(store.openRun(settings))
  await promise(store.keepPage(first, "anime/all", 0, { nodes: [1, 2, 3].map(body), next: undefined }))
  await promise(store.keepAnswer(first, item(1), found(1)))
  await promise(store.stop(first, "refused"))
  const second = await promise(store.openRun(settings))
  expect(second).toMatchObject({ id: first.id, attempt: first.attempt + 1 })

  // A process that was frozen meanwhile.
  expect(await promise(store.isPending(first, item(2)))).toBe(false)
  expect(await promise(store.pending(first, 0, 1))).toEqual([])
  await promise(store.keepAnswer(first, item(2), { _tag: "Failed", why: "late" }))
  await promise(store.keepPage(first, "anime/all", 1, { nodes: [body(4)], next: undefined }))
  expect(await promise(store.hasWork(first))).toBe(false)
  await promise(store.finish(first))
  await promise(store.stop(first, "refused"))
  expect(await promise(store.progress())).toMatchObject({
    phase: "lists",
    pages: 1,
    planned: 3,
    answered: 1,
    reason: null
  })

  expect(await promise(store.finish(second))).toBe(false)
  expect(await promise(store.pending(second, 0, 1))).toEqual([item(2), item(3)])
  await promise(store.keepAnswer(second, item(2), found(2)))
  await promise(store.keepAnswer(second, item(3), { _tag: "Missing" }))
  expect(await promise(store.hasWork(second))).toBe(false)
  expect(await promise(store.finish(second))).toBe(true)
  expect(await promise(store.progress())).toMatchObject({
    phase: "finished",
    planned: 3,
    answered: 3,
    outcomes: { added: 2, missing: 1 }
  })
})

const postgres = isQuick || programs === undefined ? undefined : await startPostgres()
afterAll(() => postgres?.stop())

const databases: ReadonlyArray<readonly [string, () => string]> = [
  ["SQLite", () => `${directory()}/mirror.db`],
  ...(postgres === undefined ? [] : [["PostgreSQL", postgres.database] as const])
]
test.each(databases)(
  "over %s, the views have typed columns, and null for a member of another type",
  async (dialect, database) => {
    const { sql, store } = await open(database())
    const run = await promise(store.openRun({ ...settings, lists: ["anime/all", "manga/all"] }))
    const anime = {
      ...body(1),
      alternative_titles: { en: "One" },
      mean: 8.5,
      rank: 3,
      genres: [{ name: "Drama" }, { name: "Action" }, "?"],
      start_season: { year: 2017, season: "winter" },
      num_episodes: 12
    }
    const odd = { ...body(2), mean: "8.5", genres: "Drama", num_episodes: null, start_season: [] }
    await promise(store.keepPage(run, "anime/all", 0, { nodes: [anime, odd], next: undefined }))
    await promise(
      store.keepPage(run, "manga/all", 0, { nodes: [{ ...body(3), num_chapters: 7 } as never], next: undefined })
    )
    const columns = sql.literal("id, english_title, mean, rank, genres, season_year, season, num_episodes")
    expect(await promise(sql`SELECT ${columns} FROM anime ORDER BY id`)).toEqual([
      {
        id: 1,
        english_title: "One",
        mean: 8.5,
        rank: 3,
        genres: "Drama, Action",
        season_year: 2017,
        season: "winter",
        num_episodes: 12
      },
      {
        id: 2,
        english_title: null,
        mean: null,
        rank: null,
        genres: null,
        season_year: null,
        season: null,
        num_episodes: null
      }
    ])
    expect(await promise(sql`SELECT title, num_chapters FROM manga`)).toEqual([{ title: "Number 3", num_chapters: 7 }])
    if (dialect === "SQLite") {
      const page = readFileSync(new URL("../README.md", import.meta.url), "utf8")
      const queries = [...page.matchAll(/```sql\n([^`]+)```/g)]
        .flatMap(([, block = ""]) => block.split(/;\s*/))
        .filter((text) => text !== "")
      expect(queries).toHaveLength(5)
      for (const text of queries) {
        expect([text, await promise(sql`${sql.literal(text)}`)]).toEqual([text, expect.any(Array)])
      }
    }
  }
)

test.each(databases)(
  "over %s, an item that it cannot keep is reported, from lists and single reads, and all others are mirrored",
  async (dialect, database) => {
    const ranking = { rank: 1 }
    const odd = "Two\u0000"
    const nodes = [1, 2, 1.5, 3, 2 ** 40, 4, -1, 5].map((id) => ({ ...body(id), ...(id === 2 && { title: odd }) }))
    const detail = (id: number, more: object) => ({ on: "anime.get", path: id, body: { ...body(id), ...more } })
    const details = [
      detail(1, { related_anime: [{ node: body(6) }, { node: body(2 ** 40) }], rank: 2 ** 40 }),
      detail(2, { title: odd }),
      // What a view cannot read is kept all the same.
      detail(3, { synopsis: "\u0000" }),
      detail(4, { synopsis: "\ud800", mean: 1e300, start_season: { year: 1e12 } }),
      // Sound in its list.
      detail(5, { title: "\u0000" }),
      detail(6, {})
    ]
    const service = await serviceOf(items(1, 0), {
      faults: [
        { on: "anime.ranking", body: { data: nodes.map((node) => ({ node, ranking })), paging: {} } },
        ...details.map(({ body, path }) => ({
          on: (request: { readonly path: string }) => request.path.endsWith(`/anime/${path}`),
          body
        }))
      ]
    })
    const options = { database: database(), url: service.url }
    const runner = dialect === "SQLite" ? [] : ["--runner", `127.0.0.1:${await freePort()}`]
    const sync = ["sync", "--lists", "anime/all", "--interval", "10 millis", ...runner]
    // SQLite can keep such a title.
    const broken = dialect === "SQLite" ? ["1.5", 2 ** 40, -1] : [2, "1.5", 2 ** 40, -1, 5]
    for (const _ of ["at first", "again"]) {
      const started = performance.now()
      const { code, errors } = await run(sync, options)
      expect([code, errors]).toEqual([7, expect.stringContaining(`${broken.length} items`)])
      // A retry of two minutes would not help.
      expect(performance.now() - started).toBeLessThan(60_000)
      const doctor = await run(["doctor", ...runner], options)
      expect(doctor).toMatchObject({ code: 5, output: expect.stringContaining(`${broken.length} items`) })
    }
    const { sql, store } = await open(options.database)
    const failures = await promise(store.failures)
    expect(failures.map(({ id, kind }) => `${kind}/${id}`).sort()).toEqual(broken.map((id) => `anime/${id}`).sort())
    const kept = await promise(sql`SELECT id FROM mirror_item WHERE body IS NOT NULL ORDER BY id`)
    const sound = [1, 2, 3, 4, 5, 6].filter((id) => dialect === "SQLite" || (id !== 2 && id !== 5))
    expect(kept).toEqual(sound.map((id) => ({ id })))
    expect(await promise(sql`SELECT id, mean FROM anime WHERE id IN (1, 3) ORDER BY id`)).toHaveLength(2)
    expect(await promise(sql`SELECT * FROM anime`)).not.toHaveLength(0)
    const file = `${directory()}/out.ndjson`
    expect(await run(["export", "ndjson", file], options)).toMatchObject({ code: 0 })

    // The service has mended them.
    const mended = await serviceOf(items(1, 0), {
      faults: [
        {
          on: "anime.ranking",
          body: { data: [1, 2, 3, 4, 5].map((id) => ({ node: body(id), ranking })), paging: {} }
        },
        ...[1, 2, 3, 4, 5, 6].map((id) => ({
          on: (request: { readonly path: string }) => request.path.endsWith(`/anime/${id}`),
          body: body(id)
        }))
      ]
    })
    expect(await run(sync, { ...options, url: mended.url })).toMatchObject({ code: 0, errors: "" })
    expect(await promise(store.failures)).toEqual([])
  }
)

test.skipIf(postgres === undefined)(
  "a process of a fleet prints no warning of the driver or the engine before its own message",
  async () => {
    const service = await serviceOf(items(200, 0))
    const options = { database: postgres?.database() ?? "", url: service.url }
    const runner = ["--runner", `127.0.0.1:${await freePort()}`]
    const running = start(["sync", "--lists", "anime/all", "--interval", "50 millis", ...runner], options)
    await service.more(10, running.ended)
    expect(await running.kill("SIGTERM")).toMatchObject({
      code: 143,
      errors: "\nStopped. Nothing is lost: `catalog-mirror sync` goes on from here.\n"
    })
    const nowhere = { ...options, database: "postgres://mirror@127.0.0.1:1/mirror" }
    const { errors } = await start(["sync", ...runner], nowhere).ended
    expect(errors).toMatch(/^The database failed: [^\n]*ECONNREFUSED[^\n]*\n$/)
  }
)

test.each(databases)("over %s, a run that version 1 left is continued, in its tables", async (dialect, database) => {
  const all = items(9, 0)
  const service = await serviceOf(all)
  const options = { database: database(), url: service.url }
  const [answered, failed] = [900_001, 900_003]
  const id = "2026-11-01T03:00:00.000Z"
  const old = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* Migrator.make({})({
      loader: Migrator.fromRecord({ "1_tables": migrations["1_tables"] }),
      table: "mirror_migrations"
    })
    const run = { id, unfinished: 1, state: "running", attempt: 1, lists: "anime/all", depth: "detail", started_at: 1 }
    yield* sql`INSERT INTO mirror_run ${sql.insert({ ...run, chunks: 1, requests: 4, cleared: 0 })}`
    yield* sql`INSERT INTO mirror_page ${sql.insert({ run: id, list: "anime/all", page: 0, next: null, entries: 9, read_at: 1 })}`
    const ids = all.anime.map(({ id }) => id)
    for (const { id: item, title } of all.anime.slice(0, 2)) {
      yield* sql`INSERT INTO mirror_item ${sql.insert({ kind: "anime", id: item, title, listed: JSON.stringify(body(item)), listed_hash: "l", listed_run: id })}`
    }
    yield* sql`UPDATE mirror_item SET body = listed, body_hash = 'b', fetched_at = 1 WHERE id = ${answered}`
    // Only another item mentions it, and its request had no usable response.
    yield* sql`INSERT INTO mirror_item ${sql.insert({ kind: "anime", id: failed })}`
    yield* sql`INSERT INTO mirror_change ${sql.insert({ run: id, kind: "anime", id: answered, op: "added", at: 1 })}`
    const outcomes = new Map([
      [answered, "added"],
      [failed, "failed"]
    ])
    for (const [place, item] of ids.entries()) {
      const outcome = outcomes.get(item) ?? null
      yield* sql`INSERT INTO mirror_plan ${sql.insert({ run: id, kind: "anime", id: item, reason: "new", place, chunk: 0, outcome })}`
    }
  })
  await promise(Effect.provide(old, clientOf(databaseOf(options.database))))

  const runner = dialect === "SQLite" ? [] : ["--runner", `127.0.0.1:${await freePort()}`]
  const sync = ["sync", "--lists", "anime/all", ...runner]
  expect(await run(sync, options)).toMatchObject({ code: 0, errors: "" })
  expect(service.pages()).toBe(0)
  expect([...service.asked().keys()].sort()).toEqual(keysOf(all).filter((key) => key !== `anime/${answered}`))
  const store = await storeOf(options.database)
  expect(await promise(store.progress())).toMatchObject({
    run: id,
    phase: "finished",
    planned: 9,
    answered: 9,
    requests: 12
  })

  expect(await run(sync, options)).toMatchObject({ code: 0, errors: "" })
  expect(await run(["doctor", ...runner], options)).toMatchObject({ code: 0 })
  const file = `${directory()}/out.ndjson`
  expect(await run(["export", "ndjson", file], options)).toMatchObject({ code: 0 })
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(9)
})

test.skipIf(postgres === undefined)(
  "on PostgreSQL, a database that is not there and a port in use are named",
  async () => {
    const database = postgres?.database() ?? ""
    const url = "http://127.0.0.1:1"
    const runner = ["--runner", `127.0.0.1:${await freePort()}`]
    expect(await run(["sync", ...runner], { database: `${database}_not`, url })).toMatchObject({
      code: 6,
      errors: expect.stringMatching(/"mirror_\d+_not" does not exist.*There is no such database.*createdb/)
    })
    const used = `127.0.0.1:${new URL(database).port}`
    expect(await run(["sync", "--runner", used], { database, url })).toMatchObject({
      code: 2,
      errors: expect.stringMatching(
        `The port ${new URL(database).port} is in use on this machine. Give --runner another one.`
      )
    })
  }
)

test.skipIf(postgres === undefined)("on PostgreSQL, changes are numbered in the order of their commits", async () => {
  const database = postgres?.database() ?? ""
  const sql = (text: string) => postgres?.query(database, text) ?? []
  const [one, other] = [await storeOf(database), await storeOf(database)]
  const run = await promise(one.openRun(settings))
  await promise(one.keepPage(run, "anime/all", 0, { nodes: [1, 2].map(body), next: undefined }))
  // The first transaction has its number and is not committed while the second begins.
  sql(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END $$`)
  sql("CREATE TRIGGER wait BEFORE INSERT ON mirror_change FOR EACH ROW WHEN (NEW.id = 1) EXECUTE FUNCTION wait()")
  const kept = [promise(one.keepAnswer(run, item(1), found(1)))]
  while (sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'").length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  kept.push(promise(other.keepAnswer(run, item(2), found(2))))
  let isDone = false
  const all = Promise.all(kept).then(() => (isDone = true))
  while (!isDone) {
    // An export that begins now goes on after the highest number.
    const [[highest, count] = []] = sql("SELECT COALESCE(MAX(seq), 0), COUNT(*) FROM mirror_change")
    expect(count).toBe(highest)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await all
  expect(sql("SELECT id FROM mirror_change ORDER BY seq")).toEqual([["1"], ["2"]])
})
