/**
 * Several processes on one PostgreSQL: one quota, one run, and a process that ends does not end it.
 */
import type { Fault } from "@catalog-client/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isSoak, type Items, items, keysOf, type Service, serviceOf, sizeOf, start } from "./support/mirror.js"
import { type Postgres, programs, startPostgres } from "./support/postgres.js"

/** Requests that a process repeats after a kill at most: what was answered in a second, and what was in flight. */
const atRisk = (interval: number): number => 1_000 / interval + 40

let postgres: Postgres
beforeAll(async () => {
  if (programs !== undefined) {
    postgres = await startPostgres()
  } else {
    console.log("Skipped: PostgreSQL is not here. apt-get install postgresql, or set POSTGRES_PATH.")
  }
})
afterAll(() => postgres?.stop())

const runner = (database: string, service: Service, ...args: ReadonlyArray<string>) =>
  start(["sync", ...args], { database, url: service.url })

type Runner = ReturnType<typeof runner>

/** How many processes have locks. */
const owners = (database: string): number =>
  Number(postgres.query(database, "SELECT COUNT(DISTINCT address) FROM cluster_locks")[0]?.[0])

/** The holder of each share so far, counted: a share that moves has another epoch. */
const epochs = (database: string): number =>
  Number(postgres.query(database, "SELECT COALESCE(SUM(epoch), 0) FROM mirror_share")[0]?.[0])

/** How a process ends within 90 seconds. */
const endedSoon = ({ ended }: Runner) =>
  Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 90_000, "the run stands still"))])

const expectWhole = (database: string, service: Service, all: Items, repeated: number) => {
  const rows = postgres.query(
    database,
    "SELECT kind || '/' || id FROM mirror_item WHERE body IS NOT NULL AND state = 'live'"
  )
  expect(rows.flat().sort()).toEqual(keysOf(all))
  expect(service.repeated()).toBeLessThanOrEqual(repeated)
  return service.repeated()
}

/** The longest time without a request, in seconds, from a request on. */
const longestPause = ({ requests }: Service, from: number): number => {
  const times = requests.slice(from).map(({ at }) => at)
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))) / 1000
}

/** Two processes in the middle of a run, of which the second joined the first and took over shares. */
const fleetAtWork = async (faults: ReadonlyArray<Fault> = []) => {
  const all = items(sizeOf(260, 500, 800), 20)
  const service = await serviceOf(all, { faults })
  const database = postgres.database()
  const busy = runner(database, service, "--interval", "40 millis")
  await service.more(20, busy.ended)
  const idle = runner(database, service, "--interval", "40 millis")
  await service.more(80, idle.ended)
  return { all, busy, database, idle, service }
}

/** Freezes a process in the middle of a transaction. */
const freezeInTransaction = async (database: string, { child }: Runner) => {
  const open = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction' AND state_change < NOW() - INTERVAL '200 ms'`
  for (let tries = 0; tries < 100; tries++) {
    child.kill("SIGSTOP")
    await new Promise((resolve) => setTimeout(resolve, 300))
    if (postgres.query(database, open).length > 0) {
      return
    }
    child.kill("SIGCONT")
    await new Promise((resolve) => setTimeout(resolve, 10 + 7 * tries))
  }
  throw new Error("the process was never in a transaction")
}

describe.skipIf(programs === undefined)("a fleet", () => {
  test("shares a quota and a hold, and all its processes end with the run", async () => {
    const all = items(sizeOf(130, 300, 600), 20)
    let from = 0
    const isNow = (operation: string | undefined) => operation === "anime.get" && ++from > 60
    const faults = [{ on: ({ operation }: { operation?: string }) => isNow(operation), status: 403, times: 4 }]
    const service = await serviceOf(all, { faults })
    const database = postgres.database()
    const pace = ["--interval", "40 millis", "--hold", "3 seconds"]
    const fleet = [runner(database, service, ...pace), runner(database, service, ...pace)]
    for (const { ended } of fleet) {
      expect(await ended).toMatchObject({ code: 0 })
    }
    // The refusals. What moves to a process that joins is not repeated: its answers are committed before.
    expectWhole(database, service, all, 4 + atRisk(40))
    // The refusals that were in flight together, and after them silence.
    expect(longestPause(service, 40)).toBeGreaterThan(2.5)
    const times = service.requests.map(({ at }) => at)
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
    expect(times.length).toBeLessThanOrEqual(seconds * 25 + 1 + atRisk(40))
  })

  test("goes on without the process that does the work, which is killed, within 30 seconds", async () => {
    const { all, busy, database, idle, service } = await fleetAtWork()
    // A frozen process would keep locks of its session.
    const advisory = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'"
    expect(postgres.query(database, advisory)).toEqual([["0"]])
    const tables = "SELECT tablename FROM pg_tables WHERE tablename LIKE 'cluster%' ORDER BY 1"
    expect(postgres.query(database, tables)).toEqual([["cluster_locks"], ["cluster_runners"]])
    await busy.kill()
    const from = service.requests.length
    expect(await idle.ended).toMatchObject({ code: 0 })
    const pause = longestPause(service, from - 1)
    const repeated = expectWhole(database, service, all, atRisk(60))
    console.log(`a process killed for good: a pause of ${pause.toFixed(1)} s, ${repeated} requests repeated`)
    expect(pause).toBeLessThan(30)
  })

  test("hands over the work of a process that is asked to end, within two seconds", async () => {
    const { all, busy, database, idle, service } = await fleetAtWork()
    const asked = performance.now()
    expect(await busy.kill("SIGTERM")).toMatchObject({ code: 143 })
    // Two seconds, and those of a machine under load.
    expect(performance.now() - asked).toBeLessThan(4_000)
    expect(owners(database)).toBe(1)
    const from = service.requests.length
    expect(await idle.ended).toMatchObject({ code: 0 })
    const pause = longestPause(service, from - 1)
    const repeated = expectWhole(database, service, all, 2 * atRisk(60))
    console.log(`a process asked to end: a pause of ${pause.toFixed(1)} s, ${repeated} requests repeated`)
    expect(pause).toBeLessThan(8)
  })

  test("goes on while a process is frozen in a transaction, and keeps nothing of it after a stop and a restart", async () => {
    let isRefused = false
    const { all, busy, database, idle, service } = await fleetAtWork([{ on: () => isRefused, status: 401 }])
    await freezeInTransaction(database, busy)
    isRefused = true
    expect(await endedSoon(idle)).toMatchObject({ code: 3 })
    isRefused = false
    const again = runner(database, service, "--interval", "20 millis")
    await service.more(40, again.ended)
    busy.child.kill("SIGCONT")
    expect(await endedSoon(again)).toMatchObject({ code: 0 })
    // It shows the run that the other one has ended.
    expect(await endedSoon(busy)).toMatchObject({ code: 0 })
    expectWhole(database, service, all, 4 * atRisk(60))
    expect(postgres.query(database, "SELECT state FROM mirror_run")).toEqual([["finished"]])
    expect(postgres.query(database, "SELECT COUNT(*) FROM mirror_plan WHERE outcome <> 'added'")).toEqual([["0"]])
  })

  test("moves shares to processes that join, without a pause", async () => {
    const all = items(320, 20)
    const service = await serviceOf(all)
    const database = postgres.database()
    const pace = ["--interval", "60 millis"]
    const fleet = [runner(database, service, ...pace)]
    const ended = () => Promise.race(fleet.map(({ ended }) => ended))
    await service.more(30, ended())
    const before = epochs(database)
    const from = service.requests.length
    for (const count of [2, 3]) {
      fleet.push(runner(database, service, ...pace))
      for (let tries = 0; owners(database) < count && tries < 30; tries++) {
        await service.more(10, ended())
      }
      await service.more(30, ended())
    }
    const pause = longestPause(service, from)
    const moved = epochs(database) - before
    console.log(`2 processes joined, ${moved} shares moved: a pause of ${pause.toFixed(1)} s`)
    expect(moved).toBeGreaterThan(0)
    expect(owners(database)).toBe(3)
    expect(service.repeated()).toBeLessThanOrEqual(2 * atRisk(60))
    expect(pause).toBeLessThan(10)
  })

  test("ends with its code when PostgreSQL refuses what is written, whoever writes it, and so does the next start", async () => {
    const refusals = [
      ["53100", "cluster_locks", "disk is full"],
      ["25006", "cluster_runners", "read-only"],
      ["53100", "mirror_share", "disk is full"],
      ["53100", "catalog_client_quota", "disk is full"]
    ] as const
    const refuse = async ([code, table, advice]: (typeof refusals)[number]) => {
      const service = await serviceOf(items(300, 0))
      const database = postgres.database()
      const one = runner(database, service, "--interval", "60 millis")
      await service.more(20, one.ended)
      postgres.query(
        database,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'it refuses' USING ERRCODE = '${code}'; END $$`
      )
      postgres.query(
        database,
        `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`
      )
      for (const each of [one, runner(database, service, "--interval", "60 millis")]) {
        expect([table, await endedSoon(each)]).toMatchObject([
          table,
          { code: 6, errors: expect.stringContaining(advice) }
        ])
      }
    }
    await Promise.all(refusals.map(refuse))
  })

  test("leaves a run to a newer version, and to the same one with another number of shares", async () => {
    const all = items(140, 20)
    const service = await serviceOf(all)
    const database = postgres.database()
    const pace = ["--interval", "40 millis"]
    const old = runner(database, service, ...pace)
    await service.more(30, old.ended)
    const other = runner(database, service, "--shares", "3", ...pace)
    await service.more(60, other.ended)
    postgres.query(database, "UPDATE mirror_run SET version = 99, attempt = attempt + 1")
    for (const each of [old, other]) {
      expect(await endedSoon(each)).toMatchObject({ code: 8, errors: expect.stringContaining("newer version") })
    }
    expect(await endedSoon(runner(database, service, ...pace))).toMatchObject({ code: 8 })
    postgres.query(database, "UPDATE mirror_run SET version = 3")
    expect(await endedSoon(runner(database, service, ...pace))).toMatchObject({ code: 0 })
    expectWhole(database, service, all, 2 * atRisk(40))
    expect(postgres.query(database, "SELECT shares FROM mirror_run")).toEqual([["8"]])
    expect(await endedSoon(runner(database, service, "--shares", "3", ...pace))).toMatchObject({ code: 0 })
    expect(postgres.query(database, "SELECT shares FROM mirror_run ORDER BY started_at")).toEqual([["8"], ["3"]])
  })

  test("goes on after its locks were out of reach", async () => {
    const all = items(180, 20)
    const service = await serviceOf(all)
    const database = postgres.database()
    const one = runner(database, service, "--interval", "50 millis")
    await service.more(60, one.ended)
    const from = service.requests.length
    postgres.query(database, "ALTER TABLE cluster_locks RENAME TO cluster_locks_away")
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    postgres.query(database, "ALTER TABLE cluster_locks_away RENAME TO cluster_locks")
    expect(await endedSoon(one)).toMatchObject({ code: 0 })
    expectWhole(database, service, all, atRisk(60))
    expect(longestPause(service, from - 1)).toBeLessThan(30)
  })

  test.runIf(isSoak)("goes on without the process that does the work, which freezes, and takes it back", async () => {
    const all = items(sizeOf(0, 800, 1200), 100)
    const service = await serviceOf(all)
    const database = postgres.database()
    const busy = runner(database, service, "--interval", "100 millis")
    await service.more(20, busy.ended)
    const idle = runner(database, service, "--interval", "100 millis")
    await service.more(150, idle.ended)
    busy.child.kill("SIGSTOP")
    const from = service.requests.length
    await new Promise((resolve) => setTimeout(resolve, 45_000))
    const pause = longestPause(service, from - 1)
    const committed = postgres
      .query(database, "SELECT kind || '/' || id FROM mirror_plan WHERE outcome IS NOT NULL")
      .flat()
    const thawed = service.requests.length
    expect(thawed).toBeGreaterThan(from)
    busy.child.kill("SIGCONT")
    expect(await idle.ended).toMatchObject({ code: 0 })
    expect(await busy.ended).toMatchObject({ code: 0 })
    // The other one joins, one freezes, and joins again.
    const repeated = expectWhole(database, service, all, 3 * atRisk(100))
    const after = service.asked(thawed)
    expect(committed.filter((key) => after.has(key))).toEqual([])
    console.log(`a process frozen for 45 s: a pause of ${pause.toFixed(1)} s, ${repeated} requests repeated`)
    expect(pause).toBeLessThan(30)
  })

  test("waits for a database that restarts", async () => {
    const all = items(sizeOf(120, 250, 400), sizeOf(20, 100, 100))
    const service = await serviceOf(all)
    const database = postgres.database()
    const fleet = [
      runner(database, service, "--interval", "40 millis"),
      runner(database, service, "--interval", "40 millis")
    ]
    await service.more(sizeOf(60, 150, 150), Promise.race(fleet.map(({ ended }) => ended)))
    await postgres.restart()
    for (const { ended } of fleet) {
      expect(await ended).toMatchObject({ code: 0 })
    }
    expectWhole(database, service, all, 2 * atRisk(40))
  })

  test.runIf(isSoak)("restarts its processes again and again and loses nothing", async () => {
    const all = items(sizeOf(0, 500, 1000), 200)
    const service = await serviceOf(all)
    const database = postgres.database()
    const pace = ["--interval", "50 millis"]
    let [one, other] = [runner(database, service, ...pace), runner(database, service, ...pace)]
    const kills = sizeOf(0, 3, 6)
    for (let kill = 0; kill < kills; kill++) {
      await service.more(120, Promise.race([one.ended, other.ended]))
      await one.kill()
      ;[one, other] = [other, runner(database, service, ...pace)]
    }
    for (const { ended } of [one, other]) {
      expect(await ended).toMatchObject({ code: 0 })
    }
    // A process that joins takes over work as well.
    const repeated = expectWhole(database, service, all, 2 * kills * atRisk(50))
    console.log(`${kills} processes killed and replaced: ${repeated} requests repeated`)
  })
})
