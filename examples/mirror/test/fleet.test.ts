/**
 * Several processes on one PostgreSQL: one quota, one run, and a process that ends does not end it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isSoak, type Items, items, keysOf, type Service, serviceOf, sizeOf, start } from "./support/mirror.js"
import { freePort, type Postgres, programs, startPostgres } from "./support/postgres.js"

/** Requests that a fleet can have in flight: a run reads two chunks at a time, and of each two items. */
const inFlight = 4

let postgres: Postgres
beforeAll(async () => {
  if (programs !== undefined) postgres = await startPostgres()
  else console.log("Skipped: PostgreSQL is not here. apt-get install postgresql, or set POSTGRES_PATH.")
})
afterAll(() => postgres?.stop())

const runner = async (database: string, service: Service, ...args: ReadonlyArray<string>) => {
  const address = `127.0.0.1:${await freePort()}`
  return start(["sync", "--runner", address, ...args], { database, url: service.url })
}

const expectWhole = (database: string, service: Service, all: Items, repeated: number) => {
  const rows = postgres.query(
    database,
    "SELECT kind || '/' || id FROM mirror_item WHERE body IS NOT NULL AND state = 'live'"
  )
  expect(rows.flat().sort()).toEqual(keysOf(all))
  const asked = [...service.asked().values()].reduce((sum, times) => sum + times - 1, 0)
  expect(asked).toBeLessThanOrEqual(repeated)
  return asked
}

/** The longest time without a request, in seconds, from a request on. */
const longestPause = ({ requests }: Service, from: number): number => {
  const times = requests.slice(from).map(({ at }) => at)
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))) / 1000
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
    for (const { ended } of fleet) expect(await ended).toMatchObject({ code: 0 })
    expectWhole(database, service, all, 4)
    // The refusals that were in flight together, and after them silence.
    expect(longestPause(service, 40)).toBeGreaterThan(2.5)
    const times = service.requests.map(({ at }) => at)
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
    expect(times.length).toBeLessThanOrEqual(seconds * 25 + 1 + inFlight)
  })

  test("goes on without a process that is killed, within 30 seconds", async () => {
    const all = items(sizeOf(220, 300, 600), 20)
    const service = await serviceOf(all)
    const database = postgres.database()
    const one = await runner(database, service, "--interval", "60 millis")
    await service.more(20, one.ended)
    const other = await runner(database, service, "--interval", "60 millis")
    await service.more(80, other.ended)
    // A frozen process would keep locks of its session.
    const advisory = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'"
    expect(postgres.query(database, advisory)).toEqual([["0"]])
    await one.kill()
    const from = service.requests.length
    expect(await other.ended).toMatchObject({ code: 0 })
    const pause = longestPause(service, from - 1)
    const repeated = expectWhole(database, service, all, inFlight)
    console.log(`a process killed for good: a pause of ${pause.toFixed(1)} s, ${repeated} requests repeated`)
    expect(pause).toBeLessThan(30)
  })

  test.runIf(isSoak)("goes on without a process that freezes, and takes it back", async () => {
    const all = items(sizeOf(0, 600, 900), 100)
    const service = await serviceOf(all)
    const database = postgres.database()
    const one = await runner(database, service, "--interval", "100 millis")
    await service.more(20, one.ended)
    const other = await runner(database, service, "--interval", "100 millis")
    await service.more(150, other.ended)
    const from = service.requests.length
    one.child.kill("SIGSTOP")
    await new Promise((resolve) => setTimeout(resolve, 45_000))
    const pause = longestPause(service, from - 1)
    const committed = postgres
      .query(database, "SELECT kind || '/' || id FROM mirror_plan WHERE outcome IS NOT NULL")
      .flat()
    const thawed = service.requests.length
    one.child.kill("SIGCONT")
    expect(await other.ended).toMatchObject({ code: 0 })
    expect(await one.ended).toMatchObject({ code: 0 })
    const repeated = expectWhole(database, service, all, 2 * inFlight)
    const after = service.asked(thawed)
    expect(committed.filter((key) => after.has(key))).toEqual([])
    console.log(`a process frozen for 45 s: a pause of ${pause.toFixed(1)} s, ${repeated} requests repeated`)
    expect(pause).toBeLessThan(30)
  })

  test.runIf(isSoak)("waits for a database that restarts", async () => {
    const all = items(sizeOf(0, 250, 400), 100)
    const service = await serviceOf(all)
    const database = postgres.database()
    const fleet = [
      await runner(database, service, "--interval", "40 millis"),
      await runner(database, service, "--interval", "40 millis")
    ]
    await service.more(150, Promise.race(fleet.map(({ ended }) => ended)))
    await postgres.restart()
    for (const { ended } of fleet) expect((await ended).code).not.toBe(1)
    const last = await runner(database, service, "--interval", "2 millis")
    expect(await last.ended).toMatchObject({ code: 0 })
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
    for (const { ended } of [one, other]) expect(await ended).toMatchObject({ code: 0 })
    const repeated = expectWhole(database, service, all, kills * inFlight)
    console.log(`${kills} processes killed and replaced: ${repeated} requests repeated`)
  })
})
