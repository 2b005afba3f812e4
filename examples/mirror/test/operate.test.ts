/**
 * A mirror that somebody operates: what it says of itself, when it begins, and how it is deleted.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { dirname } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { directory, items, keysOf, mirrored, query, run, serviceOf, start } from "./support/mirror.js"
import { freePort, type Postgres, programs, startPostgres } from "./support/postgres.js"

/** Asks again until it is as expected, for half a minute. */
const soon = async <A>(ask: () => Promise<A> | A, expected: (answer: A) => boolean): Promise<A> => {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await ask()
    if (expected(answer)) {
      return answer
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`it stays ${JSON.stringify(await ask())}`)
}

/** What a process serves: 0 while it does not listen. */
const served = async (port: number, path: string) => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`)
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: 0, text: "" }
  }
}

const isStatus = (wanted: number) => (answer: { readonly status: number }) => answer.status === wanted

/** The numbers of a process by name. */
const numbersOf = async (port: number): Promise<Readonly<Record<string, number>>> => {
  const { text } = await served(port, "metrics")
  const found = [...text.matchAll(/^catalog_mirror_(\w+) (\S+)$/gm)]
  return Object.fromEntries(found.map(([, name, value]) => [name, Number(value)]))
}

const nightly = ["--schedule", "0 3 * * *"]

test("health and metrics follow a run; one that stops makes a scheduled process unhealthy", async () => {
  const all = items(40, 0)
  const service = await serviceOf(all, { faults: [{ on: ({ path }) => path.endsWith("900001"), body: "<html>" }] })
  const database = `${directory()}/mirror.db`
  const port = await freePort()
  const args = ["sync", "--lists", "anime/bypopularity", "--interval", "100 millis", "--serve", `${port}`]
  const running = start([...args, "--log", "json"], { database, url: service.url })
  await soon(() => served(port, "health"), isStatus(200))
  const numbers = await soon(
    () => numbersOf(port),
    (now) => (now["items_done"] ?? 0) > 2
  )
  expect(numbers).toMatchObject({ run_stopped: 0, items_broken: expect.any(Number) })
  expect((numbers["items_done"] ?? 0) + (numbers["items_left"] ?? 0)).toBe(40)
  expect(numbers["quota_used_ratio"]).toBeGreaterThan(0)
  expect(numbers["quota_used_ratio"]).toBeLessThan(1.5)
  expect(numbers["shares_held"]).toBe(8)
  expect(numbers["oldest_item_age_seconds"]).toBeLessThan(60)
  const { text } = await served(port, "metrics")
  expect(text).toMatch(/^# TYPE catalog_\w+ histogram$/m)
  expect(text).toMatch(/^catalog_\w+_bucket\{operation="mirror\.item",.*le="\+Inf"\} \d+$/m)
  expect(text).not.toContain("effect_fiber")
  const page = readFileSync(new URL("../OPERATING.md", import.meta.url), "utf8")
  const unserved = [...new Set(page.match(/catalog_mirror_\w+/g))].filter((name) => !text.includes(name))
  expect(unserved).toEqual(["catalog_mirror_run_finished_timestamp_seconds"])
  const { code, errors } = await running.ended
  expect(code).toBe(7)
  const lines = errors
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly message: string })
  expect(lines.at(-1)?.message).toContain("1 items had no usable response")

  const refusing = await serviceOf(all, { clientIds: ["another"] })
  const options = { database, url: refusing.url }
  expect(await run(["sync", "--lists", "anime/all"], options)).toMatchObject({ code: 3 })
  const scheduled = start(["sync", ...nightly, "--serve", `${port}`], options)
  const unwell = await soon(() => served(port, "health"), isStatus(503))
  expect(unwell.text).toMatch(/^the run stopped: .*client/i)
  expect(await numbersOf(port)).toMatchObject({ run_stopped: 1, shares_held: 0 })
  await scheduled.kill("SIGTERM")
})

test("a scheduled process takes over the run that an older version works on, at once", async () => {
  const all = items(20, 0)
  const service = await serviceOf(all)
  const database = `${directory()}/mirror.db`
  const options = { database, url: service.url }
  const old = start(["sync", "--lists", "anime/bypopularity", "--interval", "100 millis"], options)
  await service.more(5, old.ended)
  await old.kill()
  query(database, "UPDATE mirror_run SET version = 2")
  const scheduled = start(["sync", ...nightly], options)
  await soon(
    () => mirrored(database),
    (kept) => kept.length === 20
  )
  expect(await scheduled.kill("SIGTERM")).toMatchObject({ code: 143 })
})

test("a collector of OpenTelemetry receives traces, metrics and logs", async () => {
  const received = new Map<string, string>()
  const collector = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (part: string) => (text += part))
    request.on("end", () => {
      received.set(request.url ?? "", `${received.get(request.url ?? "") ?? ""}${text}`)
      response.end("{}")
    })
  }).listen(0, "127.0.0.1")
  await once(collector, "listening")
  onTestFinished(() => void collector.close())
  const address = collector.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const faults = [{ on: ({ path }: { path: string }) => path.endsWith("900001"), body: "<html>" }]
  const service = await serviceOf(items(5, 0), { faults })
  const database = `${directory()}/mirror.db`
  const args = ["sync", "--lists", "anime/bypopularity", "--log", "json", "--otlp", url]
  expect(await start(args, { database, url: service.url }).ended).toMatchObject({ code: 7 })
  expect(received.get("/v1/traces")).toContain('"mirror.answers"')
  expect(received.get("/v1/traces")).toContain('"catalog-mirror"')
  expect(received.get("/v1/metrics")).toContain("catalog_")
  expect(received.get("/v1/logs")).toContain("1 items had no usable response")
})

test("delete asks first, leaves what a process works on, and then deletes the mirror and nothing else", async () => {
  const service = await serviceOf(items(30, 0))
  const database = `${directory()}/mirror.db`
  const options = { database, url: service.url }
  const running = start(["sync", "--lists", "anime/bypopularity", "--interval", "100 millis"], options)
  await service.more(18, running.ended)
  expect(await run(["delete"], options)).toMatchObject({ code: 2, errors: expect.stringContaining("--yes") })
  expect(await run(["delete", "--yes"], options)).toMatchObject({ code: 4 })
  await running.kill()
  expect(mirrored(database)).not.toEqual([])
  expect(await run(["export", "ndjson", `${dirname(database)}/out.ndjson`], options)).toMatchObject({ code: 0 })
  expect(await run(["delete", "--yes"], options)).toMatchObject({ code: 0 })
  expect(readdirSync(dirname(database)).sort()).toEqual(["out.ndjson", "out.ndjson.manifest.json"])
})

describe.skipIf(programs === undefined)("a fleet that somebody operates", () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  test("begins a run at each time of its schedule once, however many processes there are", async () => {
    const service = await serviceOf(items(6, 0))
    const options = { database: postgres.database(), url: service.url }
    const args = ["sync", "--lists", "anime/bypopularity", "--schedule", "*/4 * * * * *"]
    const fleet = [1, 2, 3].map(() => start(args, options))
    const finished = () =>
      postgres.query(options.database, "SELECT id FROM mirror_run WHERE state = 'finished' ORDER BY id").flat()
    await soon(
      () => existsOr(() => finished()),
      (runs) => runs.length >= 3
    )
    for (const { kill } of fleet) {
      expect(await kill("SIGTERM")).toMatchObject({ code: 143 })
    }
    const runs = postgres.query(options.database, "SELECT id, night FROM mirror_run ORDER BY id")
    for (const [id, night] of runs) {
      expect(id).toBe(night)
      expect(new Date(String(id)).getTime() % 4_000).toBe(0)
    }
    // A page for each run, and each item in the first.
    expect(service.pages()).toBeLessThanOrEqual(runs.length)
    expect(service.repeated()).toBe(0)
    expect(await run(["delete", "--yes"], options)).toMatchObject({ code: 0 })
    expect(postgres.query(options.database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([])
  })

  const existsOr = (ask: () => ReadonlyArray<string | undefined>) => {
    try {
      return ask()
    } catch {
      // There are no tables yet.
      return []
    }
  }

  test("runs as compose.yaml says: three processes share a run, one dies, the database stops answering, and all are well again", async () => {
    const file = readFileSync(new URL("../compose.yaml", import.meta.url), "utf8").split("\n  mirror:\n")[1] ?? ""
    const listOf = (name: string): ReadonlyArray<string> =>
      JSON.parse(new RegExp(`^ +${name}: (\\[.*\\])$`, "m").exec(file)?.[1] ?? "") as ReadonlyArray<string>
    const command = listOf("command")
    const [, program = "", ...check] = listOf("test")
    const replicas = Number(/replicas: (\d+)/.exec(file)?.[1])

    const all = items(14, 0)
    const service = await serviceOf(all)
    const database = postgres.database()
    // A run that is under way, since nobody waits for the night here.
    const begun = start(["sync", "--lists", "anime/bypopularity"], { database, url: service.url, isPaced: false })
    await service.more(3, begun.ended)
    await begun.kill()

    const ports = await Promise.all(Array.from({ length: replicas }, freePort))
    const fleet = ports.map((port) => {
      const env = { MIRROR_SERVE: `127.0.0.1:${port}` }
      const process = start(command, { database, url: service.url, env, isPaced: false })
      return { ...process, env, port }
    })
    const well = async ({ env }: { readonly env: Readonly<Record<string, string>> }) => {
      const child = spawn(program, check, {
        cwd: new URL("..", import.meta.url),
        env: { ...process.env, ...env },
        stdio: "ignore"
      })
      return ((await once(child, "close")) as ReadonlyArray<unknown>)[0] === 0
    }
    for (const each of fleet) {
      await soon(() => well(each), Boolean)
    }
    const held = async () => Promise.all(fleet.map(async ({ port }) => (await numbersOf(port))["shares_held"] ?? 0))
    await soon(held, (shares) => shares.reduce((sum, n) => sum + n, 0) === 8)
    expect(fleet).toHaveLength(3)

    await fleet[0]?.kill()
    const left = () => postgres.query(database, "SELECT 1 FROM mirror_run WHERE state = 'running'").length
    await soon(left, (n) => n === 0)
    const rows = postgres.query(database, "SELECT kind || '/' || id FROM mirror_item WHERE body IS NOT NULL")
    expect(rows.flat().sort()).toEqual(keysOf(all))

    const blocked = postgres.background(database, "BEGIN; LOCK TABLE mirror_run; SELECT pg_sleep(12); COMMIT")
    const other = { port: fleet[1]?.port ?? 0 }
    const unwell = await soon(() => served(other.port, "health"), isStatus(503))
    expect(unwell.text).toContain("the database has not answered")
    await blocked
    await soon(() => served(other.port, "health"), isStatus(200))
  })
})
