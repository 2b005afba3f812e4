/**
 * Several processes on one PostgreSQL: one quota, one run, and a process that ends does not end it.
 */
import type { Fault } from "@catalog-client/testing"
import * as Duration from "effect/Duration"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isSoak, type Items, items, keysOf, type Service, serviceOf, sizeOf, start } from "./support/mirror.js"
import { itemsAtATime } from "../src/Workflows.js"
import { freePort, type Postgres, programs, startPostgres } from "./support/postgres.js"

/** Requests that a fleet can have in flight at the intervals of these tests. */
const inFlight = 2 * itemsAtATime(Duration.millis(40))

let postgres: Postgres
beforeAll(async () => {
  if (programs !== undefined) {
    postgres = await startPostgres()
  } else {
    console.log("Skipped: PostgreSQL is not here. apt-get install postgresql, or set POSTGRES_PATH.")
  }
})
afterAll(() => postgres?.stop())

const runner = async (database: string, service: Service, ...args: ReadonlyArray<string>) => {
  const address = `127.0.0.1:${await freePort()}`
  return { address, ...start(["sync", "--runner", address, ...args], { database, url: service.url }) }
}

type Runner = Awaited<ReturnType<typeof runner>>

/** The activities that are under way, with the address of the process that executes each. */
const activities = (database: string): ReadonlyMap<string, string> =>
  new Map(
    postgres
      .query(
        database,
        `SELECT m.id, l.address FROM cluster_messages m JOIN cluster_locks l ON l.shard_id = m.shard_id
          WHERE m.tag = 'activity' AND NOT m.processed`
      )
      .map(([id = "", address = ""]) => [id, address])
  )

/** The process that executes most of what is under way, and the other. */
const divide = async (database: string, [one, other]: readonly [Runner, Runner]) => {
  for (let tries = 0; tries < 600; tries++) {
    const addresses = [...activities(database).values()]
    const [ofOne, ofOther] = [one, other].map(({ address }) => addresses.filter((each) => each === address).length)
    if (ofOne !== ofOther) {
      return Number(ofOne) > Number(ofOther) ? { busy: one, idle: other } : { busy: other, idle: one }
    }
    if (addresses.length === 2) {
      return { busy: one, idle: other }
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("no process executes what is under way")
}

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

/** Two processes in the middle of a run, of which the second joined the first. */
const fleetAtWork = async (faults: ReadonlyArray<Fault> = []) => {
  const all = items(sizeOf(320, 500, 800), 20)
  const service = await serviceOf(all, { faults })
  const database = postgres.database()
  const one = await runner(database, service, "--interval", "60 millis")
  await service.more(20, one.ended)
  const other = await runner(database, service, "--interval", "60 millis")
  await service.more(80, other.ended)
  return { all, database, fleet: [one, other] as const, service }
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
    const fleet = [await runner(database, service, ...pace), await runner(database, service, ...pace)]
    for (const { ended } of fleet) {
      expect(await ended).toMatchObject({ code: 0 })
    }
    // The refusals, and what was in flight when the second process joined.
    expectWhole(database, service, all, 4 + inFlight)
    // The refusals that were in flight together, and after them silence.
    expect(longestPause(service, 40)).toBeGreaterThan(2.5)
    const times = service.requests.map(({ at }) => at)
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
    expect(times.length).toBeLessThanOrEqual(seconds * 25 + 1 + inFlight)
  })

  test("goes on without the process that does the work, which is killed, within 30 seconds", async () => {
    const { all, database, fleet, service } = await fleetAtWork()
    // A frozen process would keep locks of its session.
    const advisory = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'"
    expect(postgres.query(database, advisory)).toEqual([["0"]])
    const { busy, idle } = await divide(database, fleet)
    await busy.kill()
    const from = service.requests.length
    expect(await idle.ended).toMatchObject({ code: 0 })
    const pause = longestPause(service, from - 1)
    const repeated = expectWhole(database, service, all, inFlight)
    console.log(`a process killed for good: a pause of ${pause.toFixed(1)} s, ${repeated} requests repeated`)
    expect(pause).toBeLessThan(30)
  })

  test("hands over the work of a process that is asked to end, within two seconds", async () => {
    const { all, database, fleet, service } = await fleetAtWork()
    const { busy, idle } = await divide(database, fleet)
    const asked = performance.now()
    expect(await busy.kill("SIGTERM")).toMatchObject({ code: 143 })
    // Two seconds, and those of a machine under load.
    expect(performance.now() - asked).toBeLessThan(4_000)
    const locks = `SELECT COUNT(*) FROM cluster_locks WHERE address = '${busy.address}'`
    expect(postgres.query(database, locks)).toEqual([["0"]])
    const from = service.requests.length
    expect(await idle.ended).toMatchObject({ code: 0 })
    const pause = longestPause(service, from - 1)
    const repeated = expectWhole(database, service, all, 2 * inFlight)
    console.log(`a process asked to end: a pause of ${pause.toFixed(1)} s, ${repeated} requests repeated`)
    expect(pause).toBeLessThan(8)
  })

  test("goes on while a process is frozen in a transaction, and keeps nothing of it after a stop and a restart", async () => {
    let isRefused = false
    const { all, database, fleet, service } = await fleetAtWork([{ on: () => isRefused, status: 401 }])
    const { busy, idle } = await divide(database, fleet)
    await freezeInTransaction(database, busy)
    isRefused = true
    expect(await endedSoon(idle)).toMatchObject({ code: 3 })
    isRefused = false
    const again = await runner(database, service, "--interval", "20 millis")
    await service.more(40, again.ended)
    busy.child.kill("SIGCONT")
    expect(await endedSoon(again)).toMatchObject({ code: 0 })
    // It shows the run that the other one has ended.
    expect(await endedSoon(busy)).toMatchObject({ code: 0 })
    expectWhole(database, service, all, 4 * inFlight)
    expect(postgres.query(database, "SELECT attempt, state FROM mirror_run")).toEqual([["2", "finished"]])
    expect(postgres.query(database, "SELECT COUNT(*) FROM mirror_plan WHERE outcome <> 'added'")).toEqual([["0"]])
  })

  test("executes work that was read and not begun", async () => {
    const all = items(220, 20)
    const service = await serviceOf(all)
    const database = postgres.database()
    const one = await runner(database, service, "--interval", "20 millis")
    await service.more(1, one.ended)
    // The state that a lost read leaves: the engine would read the message again after ten minutes.
    postgres.query(database, "CREATE TABLE lost (id BIGINT)")
    postgres.query(
      database,
      `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NOT EXISTS (SELECT 1 FROM lost) THEN
            INSERT INTO lost VALUES (NEW.id);
            NEW.last_read = NOW();
          END IF;
          RETURN NEW;
        END $$`
    )
    postgres.query(
      database,
      `CREATE TRIGGER lose BEFORE INSERT ON cluster_messages FOR EACH ROW WHEN (NEW.tag = 'activity')
        EXECUTE FUNCTION lose()`
    )
    expect(await endedSoon(one)).toMatchObject({ code: 0 })
    expect(postgres.query(database, "SELECT COUNT(*) FROM lost")).toEqual([["1"]])
    expectWhole(database, service, all, 0)
    expect(longestPause(service, 0)).toBeLessThan(30)
  })

  test("moves work to a process that joins, without a pause or an interrupt that is kept", async () => {
    const all = items(900, 20)
    const service = await serviceOf(all)
    const database = postgres.database()
    const pace = ["--interval", "60 millis"]
    const fleet = [await runner(database, service, ...pace)]
    const ended = () => Promise.race(fleet.map(({ ended }) => ended))
    await service.more(20, ended())
    postgres.query(database, "CREATE TABLE kept (id BIGINT)")
    postgres.query(
      database,
      `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO kept VALUES (NEW.id);
          RETURN NEW;
        END $$`
    )
    postgres.query(
      database,
      "CREATE TRIGGER keep BEFORE INSERT ON cluster_messages FOR EACH ROW WHEN (NEW.kind = 2) EXECUTE FUNCTION keep()"
    )
    const from = service.requests.length
    let moved = 0
    while (moved === 0 && fleet.length < 6) {
      const before = activities(database)
      fleet.push(await runner(database, service, ...pace))
      await service.more(100, ended())
      for (const [id, address] of activities(database)) {
        if ((before.get(id) ?? address) !== address) {
          moved++
        }
      }
    }
    const pause = longestPause(service, from)
    console.log(`${fleet.length - 1} processes joined, ${moved} shares moved: a pause of ${pause.toFixed(1)} s`)
    expect(moved).toBeGreaterThan(0)
    expect(postgres.query(database, "SELECT COUNT(*) FROM kept")).toEqual([["0"]])
    expect(service.repeated()).toBeLessThanOrEqual((fleet.length - 1) * inFlight)
    expect(pause).toBeLessThan(30)
  })

  test("goes on after its locks were out of reach", async () => {
    const all = items(220, 20)
    const service = await serviceOf(all)
    const database = postgres.database()
    const one = await runner(database, service, "--interval", "60 millis")
    await service.more(60, one.ended)
    const from = service.requests.length
    postgres.query(database, "ALTER TABLE cluster_locks RENAME TO cluster_locks_away")
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    postgres.query(database, "ALTER TABLE cluster_locks_away RENAME TO cluster_locks")
    expect(await endedSoon(one)).toMatchObject({ code: 0 })
    expectWhole(database, service, all, inFlight)
    expect(longestPause(service, from - 1)).toBeLessThan(30)
  })

  test.runIf(isSoak)("goes on without the process that does the work, which freezes, and takes it back", async () => {
    const all = items(sizeOf(0, 800, 1200), 100)
    const service = await serviceOf(all)
    const database = postgres.database()
    const one = await runner(database, service, "--interval", "100 millis")
    await service.more(20, one.ended)
    const other = await runner(database, service, "--interval", "100 millis")
    await service.more(150, other.ended)
    const { busy, idle } = await divide(database, [one, other])
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
    const repeated = expectWhole(database, service, all, 3 * inFlight)
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
      await runner(database, service, "--interval", "40 millis"),
      await runner(database, service, "--interval", "40 millis")
    ]
    await service.more(sizeOf(60, 150, 150), Promise.race(fleet.map(({ ended }) => ended)))
    await postgres.restart()
    for (const { ended } of fleet) {
      expect(await ended).toMatchObject({ code: 0 })
    }
    expectWhole(database, service, all, 2 * inFlight)
  })

  test.runIf(isSoak)("restarts its processes again and again and loses nothing", async () => {
    const all = items(sizeOf(0, 500, 1000), 200)
    const service = await serviceOf(all)
    const database = postgres.database()
    const pace = ["--interval", "50 millis"]
    let [one, other] = [await runner(database, service, ...pace), await runner(database, service, ...pace)]
    const kills = sizeOf(0, 3, 6)
    for (let kill = 0; kill < kills; kill++) {
      await service.more(120, Promise.race([one.ended, other.ended]))
      await one.kill()
      ;[one, other] = [other, await runner(database, service, ...pace)]
    }
    for (const { ended } of [one, other]) {
      expect(await ended).toMatchObject({ code: 0 })
    }
    // A process that joins takes over work as well.
    const repeated = expectWhole(database, service, all, 2 * kills * inFlight)
    console.log(`${kills} processes killed and replaced: ${repeated} requests repeated`)
  })
})
