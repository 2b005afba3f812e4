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
import { clientOf, databaseOf } from "../src/Database.js"
import type { Answer } from "../src/Service.js"
import { type Claim, migrations, Store } from "../src/Store.js"
import { directory, isQuick, items, keysOf, run, serviceOf, start } from "./support/mirror.js"
import { programs, startPostgres } from "./support/postgres.js"

const open = async (database: string) => {
  const client = clientOf(databaseOf(database))
  const runtime = ManagedRuntime.make(
    Store.layer.pipe(Layer.provide(Layer.effectDiscard(Store.migrate)), Layer.provideMerge(client))
  )
  onTestFinished(() => runtime.dispose())
  return { sql: await runtime.runPromise(SqlClient), store: await runtime.runPromise(Store) }
}
const storeOf = async (database: string) => (await open(database)).store

const settings = { lists: "anime/all", depth: "detail", interval_ms: 1000, shares: 1 } as const
const body = (id: number) => ({ id, title: `Number ${id}` })
const found = (id: number) => ({ _tag: "Found", body: body(id) }) as const
const promise = Effect.runPromise

/** Begins a share of the run. What it looks at may be 200 ms old. */
const begin = async (store: Store["Type"], share = 0): Promise<Claim> =>
  (await promise(Effect.delay(store.claim(share), "50 millis"))) ?? begin(store, share)
const pending = (store: Store["Type"], claim: Claim) => promise(store.pending(claim))
/** Keeps answers for the items of a share that have these ids. */
const keep = async (store: Store["Type"], claim: Claim, answers: Readonly<Record<number, Answer>>) => {
  const items = await promise(store.pending({ ...claim, epoch: 0 }))
  const judged = Effect.forEach(
    items.filter(({ id }) => answers[id] !== undefined),
    (item) => store.judge(claim, item, answers[item.id] as Answer)
  )
  return promise(Effect.either(Effect.flatMap(judged, (some) => store.keepAnswers(claim, some))))
}

test("a share that another process has taken over keeps nothing and ends nothing, and a run with pending items does not end", async () => {
  const store = await storeOf(`${directory()}/mirror.db`)
  await promise(store.openRun(settings))
  const first = await begin(store)
  await promise(store.keepPage(first, "anime/all", 0, { nodes: [1, 2, 3].map(body), next: undefined }))
  await keep(store, first, { 1: found(1) })
  await promise(store.stop(first, "refused"))
  expect(await promise(store.claim(0))).toBe(undefined)
  await promise(store.openRun(settings))
  const second = await begin(store)
  expect(second).toMatchObject({ id: first.id, epoch: first.epoch + 1 })
  expect(await promise(store.claim(1))).toBe(undefined)

  // A process that was frozen meanwhile.
  const late: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
    store.look(first),
    Effect.promise(() => keep(store, first, { 2: { _tag: "Failed", why: "late" } })).pipe(Effect.flatten),
    store.keepPage(first, "anime/all", 1, { nodes: [body(4)], next: undefined }),
    store.planDue({ ...first, depth: "list" }),
    store.stop(first, "refused")
  ]
  for (const each of late) {
    expect(await promise(Effect.flip(each))).toMatchObject({ _tag: "Lost" })
  }
  await promise(Effect.either(store.end(first)))
  expect(await promise(store.progress())).toMatchObject({
    phase: "lists",
    pages: 1,
    planned: 3,
    answered: 1,
    reason: null
  })

  await promise(store.planDue({ ...second, depth: "list" }))
  await promise(store.end(second))
  expect((await pending(store, second)).map(({ id }) => id)).toEqual([2, 3])
  await keep(store, second, { 2: found(2), 3: { _tag: "Missing" } })
  // As if it had not heard of the commit.
  const again = store.judge(second, { kind: "anime", id: 2 } as never, found(2))
  await promise(Effect.flatMap(again, (each) => store.keepAnswers(second, [each])))
  await promise(store.end(second))
  expect(await promise(store.progress())).toMatchObject({
    phase: "finished",
    planned: 3,
    answered: 3,
    outcomes: { added: 2, missing: 1 }
  })
})

test.each([
  ["a page", "listed"],
  ["answers", "body"]
])("a full disk that has ended the transaction of %s ends the run with its reason, and at once", async (_, column) => {
  const { sql, store } = await open(`${directory()}/mirror.db`)
  await promise(store.openRun(settings))
  const claim = await begin(store)
  const page = (id: number) => store.keepPage(claim, "anime/all", id, { nodes: [body(id)], next: undefined })
  await promise(page(1))
  // SQLite rolls back by itself then, and the rollback that follows fails.
  await promise(
    sql`${sql.literal(`CREATE TRIGGER full BEFORE INSERT ON mirror_item WHEN NEW.${column} IS NOT NULL
      BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`)}`
  )
  const started = performance.now()
  const failed =
    column === "listed" ? page(2) : Effect.flatten(Effect.promise(() => keep(store, claim, { 1: found(1) })))
  expect(await promise(Effect.flip(failed))).toMatchObject({
    _tag: "DatabaseFailed",
    message: expect.stringContaining("The disk is full")
  })
  expect(performance.now() - started).toBeLessThan(20_000)
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
    await promise(store.openRun({ ...settings, lists: "anime/all,manga/all" }))
    const run = await begin(store)
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
    await promise(store.keepPage(run, "manga/all", 0, { nodes: [{ ...body(3), num_chapters: 7 }], next: undefined }))
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
      const page = readFileSync(new URL("../OPERATING.md", import.meta.url), "utf8")
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
        {
          on: "anime.ranking",
          body: { data: [...nodes, null, { id: 7 }].map((node) => ({ node, ranking })), paging: {} }
        },
        ...details.map(({ body, path }) => ({
          on: (request: { readonly path: string }) => request.path.endsWith(`/anime/${path}`),
          body
        }))
      ]
    })
    const options = { database: database(), url: service.url }
    const sync = ["sync", "--lists", "anime/all", "--interval", "10 millis"]
    // SQLite can keep such a title. An entry without a record has no id.
    const broken = dialect === "SQLite" ? [0, "1.5", 2 ** 40, -1] : [0, 2, "1.5", 2 ** 40, -1, 5]
    for (const _ of ["at first", "again"]) {
      const started = performance.now()
      const { code, errors } = await run(sync, options)
      expect([code, errors]).toEqual([7, expect.stringContaining(`${broken.length} items`)])
      // A retry of two minutes would not help.
      expect(performance.now() - started).toBeLessThan(60_000)
      const doctor = await run(["doctor"], options)
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
    const running = start(["sync", "--lists", "anime/all", "--interval", "50 millis"], options)
    await service.more(10, running.ended)
    expect(await running.kill("SIGTERM")).toMatchObject({
      code: 143,
      errors: "\nStopped. Nothing is lost: `catalog-mirror sync` goes on from here.\n"
    })
    const nowhere = { ...options, database: "postgres://mirror@127.0.0.1:1/mirror" }
    const { errors } = await start(["sync"], nowhere).ended
    expect(errors).toMatch(/^The database failed: [^\n]*ECONNREFUSED[^\n]*\n$/)
    const asJson = await start(["sync", "--log", "json"], nowhere).ended
    expect(asJson).toMatchObject({ code: 6, errors: expect.stringMatching(/^\{[^\n]*ECONNREFUSED[^\n]*\}\n$/) })
  }
)

test.each(databases)("over %s, a run that version 2 left is continued, in its tables", async (_, database) => {
  const all = items(9, 0)
  const service = await serviceOf(all)
  const options = { database: database(), url: service.url }
  const [answered, failed] = [900_001, 900_003]
  const id = "2026-11-01T03:00:00.000Z"
  const old = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* Migrator.make({})({
      loader: Migrator.fromRecord({ "4_tables": migrations["4_tables"] }),
      table: "mirror_migrations"
    })
    const run = { id, unfinished: 1, state: "running", attempt: 1, lists: "anime/all", depth: "detail", started_at: 1 }
    yield* sql`INSERT INTO mirror_run ${sql.insert({ ...run, requests: 4, version: 2, lists_read: 1, planned: 9 })}`
    yield* sql`CREATE TABLE cluster_messages (id INTEGER)`
    for (const outcome of ["added", "failed"]) {
      yield* sql`INSERT INTO mirror_count ${sql.insert({ run: id, outcome, n: 1 })}`
    }
    yield* sql`INSERT INTO mirror_page ${sql.insert({ run: id, list: "anime/all", page: 0, next: null, entries: 9, read_at: 1 })}`
    const ids = all.anime.map(({ id }) => id)
    for (const { id: item, title } of all.anime.slice(0, 2)) {
      yield* sql`INSERT INTO mirror_item ${sql.insert({ kind: "anime", id: item, title, listed: JSON.stringify(body(item)), listed_hash: "l", listed_run: id })}`
    }
    yield* sql`UPDATE mirror_item SET body = listed, body_hash = 'b', fetched_at = 1 WHERE id = ${answered}`
    // Only another item mentions it, and its request had no usable response.
    yield* sql`INSERT INTO mirror_item ${sql.insert({ kind: "anime", id: failed, failure: "status 500" })}`
    yield* sql`INSERT INTO mirror_change ${sql.insert({ run: id, kind: "anime", id: answered, op: "added", at: 1 })}`
    const outcomes = new Map([
      [answered, "added"],
      [failed, "failed"]
    ])
    for (const [place, item] of ids.entries()) {
      const outcome = outcomes.get(item) ?? null
      yield* sql`INSERT INTO mirror_plan ${sql.insert({ run: id, kind: "anime", id: item, reason: "new", place, outcome })}`
    }
  })
  await promise(Effect.provide(old, clientOf(databaseOf(options.database))))

  const sync = ["sync", "--lists", "anime/all"]
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
  expect(await run(["doctor"], options)).toMatchObject({ code: 0 })
  const file = `${directory()}/out.ndjson`
  expect(await run(["export", "ndjson", file], options)).toMatchObject({ code: 0 })
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(9)
})

test.skipIf(postgres === undefined)("on PostgreSQL, a database that is not there is named", async () => {
  const database = `${postgres?.database() ?? ""}_not`
  expect(await run(["sync"], { database, url: "http://127.0.0.1:1" })).toMatchObject({
    code: 6,
    errors: expect.stringMatching(/"mirror_\d+_not" does not exist.*There is no such database.*createdb/)
  })
})

test.skipIf(postgres === undefined)("on PostgreSQL, changes are numbered in the order of their commits", async () => {
  const database = postgres?.database() ?? ""
  const sql = (text: string) => postgres?.query(database, text) ?? []
  const [one, other] = [await storeOf(database), await storeOf(database)]
  await promise(one.openRun({ ...settings, shares: 3 }))
  const run = await begin(one)
  await promise(one.keepPage(run, "anime/all", 0, { nodes: [1, 2].map(body), next: undefined }))
  await promise(one.planDue({ ...run, depth: "list" }))
  const share = await begin(other, 2)
  // The first transaction has its number and is not committed while the second begins.
  sql(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END $$`)
  sql("CREATE TRIGGER wait BEFORE INSERT ON mirror_change FOR EACH ROW WHEN (NEW.id = 1) EXECUTE FUNCTION wait()")
  const kept = [keep(one, await begin(one, 1), { 1: found(1) })]
  while (sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'").length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  kept.push(keep(other, share, { 2: found(2) }))
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
