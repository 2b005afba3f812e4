import { Sync } from "@catalog-client/sync"
import { fileJournal } from "@catalog-client/sync/node"
import { createCatalog } from "catalog-client"
import { readList } from "catalog-client/sync"
import {
  animeListOf,
  type EmbeddedCatalogOptions,
  generatedAnime,
  type ReceivedRequest,
  sample,
  serve
} from "catalog-client/testing"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { isFull } from "../../../core/test/support/full.js"

const folder = mkdtempSync(join(tmpdir(), "catalog-client-sync-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One file, since to load the modules one by one takes a second of each process. */
const program = join(folder, "applying.mjs")
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL("../support/applying.mjs", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: `import{createRequire}from"node:module";const require=createRequire(import.meta.url)` }
  })
)

const accessToken = "embedded-token"

/** A service with so many titles, all of them on the list of its one user. */
const serving = async (count: number, options: EmbeddedCatalogOptions) => {
  const { users, ...rest } = sample()
  const anime = generatedAnime(count)
  const owners = users.slice(0, 1).map((user) => ({ ...user, animeList: animeListOf(anime, 1), mangaList: [] }))
  const service = await serve({ ...options, dataset: { ...rest, anime, manga: [], users: owners } })
  onTestFinished(() => service.close())
  const catalog = createCatalog({ baseUrl: service.url, accessToken })
  onTestFinished(() => catalog.close())
  return { service, catalog }
}

const isWrite = ({ operation }: ReceivedRequest) => operation === "anime.updateMyListStatus"

/** The same share of requests in each run, spread evenly. */
const every = (share: number, offset: number) => {
  let seen = offset
  return (request: ReceivedRequest) => isWrite(request) && ++seen % share === 0
}

const [count, kills, settle] = isFull ? [2_000, 50, 300] : [200, 5, 300]

test(
  `a run of ${count} changes that is killed ${kills} times makes each of them once`,
  { timeout: 600_000 },
  async () => {
    const requests = { PATCH: 0, list: 0, read: 0 }
    const written = new Map<string, number>()
    let untilKill = Infinity
    let child: ReturnType<typeof fork> | undefined
    const { catalog, service } = await serving(count, {
      onRequest: ({ operation }) => {
        requests[operation === "user.animeList" ? "list" : operation === "anime.get" ? "read" : "PATCH"]++
      },
      onWrite: ({ path }) => {
        written.set(path, (written.get(path) ?? 0) + 1)
        if (--untilKill === 0) {
          child?.kill("SIGKILL")
        }
      },
      faults: [
        { on: every(66, 0), drop: "before-headers" },
        { on: every(66, 20), drop: "before-headers", executesAfter: settle / 3 },
        { on: every(66, 30), status: 503, executesAfter: 0 },
        { on: every(66, 40), status: 503 },
        { on: every(66, 50), status: 429, headers: { "retry-after": "0" } }
      ]
    })
    const current = await readList(catalog, "anime")
    const wanted: ReadonlyArray<Sync.Wanted> = [
      ...[...current.values()].map(({ id, score = 0 }) => ({
        id,
        score: (score % 10) + 1,
        comments: `the note of ${id}`
      })),
      ...[999_991, 999_992, 999_993].map((id) => ({ id, score: 5 }))
    ]
    const plan = Sync.plan({ kind: "anime", current, wanted, rule: "replace" })
    expect(plan.changes).toHaveLength(count + 3)
    const [planFile, journal] = [join(folder, "plan.json"), join(folder, "journal")]
    writeFileSync(planFile, JSON.stringify(plan))
    Object.assign(requests, { PATCH: 0, list: 0, read: 0 })

    let starts = 0
    for (let isDone = false; !isDone; starts++) {
      expect(starts).toBeLessThan(2 * kills + 5)
      untilKill = starts < kills ? 1 + ((starts * 7) % Math.ceil((1.6 * count) / kills)) : Infinity
      child = fork(program, [service.url, planFile, journal, String(settle)], { stdio: "ignore" })
      isDone = (await once(child, "exit"))[0] === 0
    }

    const { PATCH, list, read } = requests
    const after = await readList(catalog, "anime")
    const left = Sync.plan({ kind: "anime", current: after, wanted, rule: "replace" })
    expect(left.changes.map(({ id }) => id)).toEqual([999_991, 999_992, 999_993])
    expect([...written.values()].filter((times) => times > 1)).toEqual([])
    expect(written.size).toBe(count)
    // A read for each reply that was lost, and a list for each start; a refused title is asked for once.
    expect(PATCH).toBeLessThan(1.1 * count + 3)
    expect(list).toBeLessThan(8 * starts)
    expect(read).toBeLessThan(0.1 * count + kills)
    expect(readFileSync(journal, "utf8").match(/"refused"/g)).toHaveLength(3)
    console.log(`${starts} starts: ${PATCH} writes, ${list} pages, ${read} reads`)
  }
)

it.live("a journal in a file: a second run fails while the first one runs, and not after it was killed", () =>
  Effect.gen(function* () {
    const path = join(folder, "locked")
    const { lock = Effect.void, read } = fileJournal(path)
    expect(yield* read).toBe("")
    const refused = Effect.flip(Effect.scoped(lock))
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* lock
        const error = yield* refused
        expect(error).toBeInstanceOf(Sync.JournalError)
        expect(error.message).toContain(`another run uses the journal. If that is not so, remove ${path}.lock`)
      })
    )
    yield* Effect.scoped(lock)
    const { catalog, service } = yield* Effect.promise(() => serving(20, { latency: "1 hour" }))
    const planFile = join(folder, "locked.json")
    writeFileSync(planFile, JSON.stringify(Sync.plan({ kind: "anime", current: new Map(), wanted: [{ id: 1 }] })))
    const child = fork(program, [service.url, planFile, path, "0"], { stdio: "ignore" })
    onTestFinished(() => void child.kill("SIGKILL"))
    yield* Effect.promise(() => expect.poll(() => Effect.runPromise(read)).toContain('"plan"'))
    expect((yield* refused).message).toContain("another run uses the journal")
    child.kill("SIGKILL")
    yield* Effect.promise(() => once(child, "exit"))
    yield* Effect.scoped(lock)
    yield* Effect.promise(() => catalog.close())
  })
)

it.effect("a journal in a file that cannot be read or written fails with JournalError", () =>
  Effect.gen(function* () {
    const journal = fileJournal(folder)
    const reading = yield* Effect.flip(journal.read)
    const writing = yield* Effect.flip(fileJournal(join(folder, "missing", "journal")).append("x"))
    expect([reading.cause, writing.cause]).toMatchObject([{ code: "EISDIR" }, { code: "ENOENT" }])
    expect(writing.message).toContain("the journal failed: ENOENT")
  })
)
