/**
 * A mirror that is killed loses nothing, and asks for nothing whose answer it has committed.
 */
import { describe, expect, test } from "vitest"
import {
  directory,
  isQuick,
  items,
  keysOf,
  mirrored,
  query,
  randomOf,
  run,
  type Service,
  serviceOf,
  sizeOf,
  start
} from "./support/mirror.js"

/** Answers that a process can have without having committed them, and requests in flight: a batch for each share. */
const atRisk = 8 * 50

const small = items(sizeOf(260, 500, 2000), sizeOf(140, 250, 1000))
const kills = sizeOf(6, 12, 40)

const committed = (database: string): ReadonlySet<string> =>
  new Set(
    query(database, "SELECT kind, id FROM mirror_plan WHERE outcome IS NOT NULL").map(
      ({ id, kind }) => `${String(kind)}/${String(id)}`
    )
  )

/** Kills again and again; gives how often an item was asked for after its answer had been committed. */
const survive = async (
  service: Service,
  database: string,
  kill: (n: number) => Promise<void>,
  times: number
): Promise<{ readonly after: number; readonly repeated: number; readonly kills: number }> => {
  let after = 0
  let known: ReadonlySet<string> = new Set()
  let seen = 0
  let n = 0
  const check = () => {
    for (const what of service.asked(seen).keys()) {
      if (known.has(what)) {
        after++
      }
    }
    seen = service.requests.length
  }
  for (; n < times; n++) {
    await kill(n)
    check()
    try {
      known = committed(database)
    } catch {
      // Killed before there were tables.
    }
  }
  const end = await run(["sync"], { database, url: service.url })
  expect(end).toMatchObject({ code: 0 })
  check()
  return { after, repeated: service.repeated(), kills: n }
}

test.skipIf(isQuick)("at random points of time", async () => {
  const service = await serviceOf(small)
  const database = `${directory()}/mirror.db`
  const random = randomOf(7)
  const each = Math.floor(keysOf(small).length / kills)
  const kill = async () => {
    const process = start(["sync"], { database, url: service.url })
    await service.more(random(1, Math.floor(1.6 * each)), process.ended)
    await new Promise((resolve) => setTimeout(resolve, random(0, 20)))
    await process.kill()
  }
  const result = await survive(service, database, kill, kills)
  console.log(`${result.kills} kills at random points: ${result.repeated} requests repeated`)
  expect(mirrored(database)).toEqual(keysOf(small))
  expect(result.after).toBe(0)
  expect(result.repeated).toBeLessThanOrEqual(kills * atRisk)
})

const points = [
  "mirror.page:begin:2",
  "mirror.page:end:3",
  "mirror.plan:begin:1",
  "mirror.plan:end:1",
  "mirror.answers:begin:2",
  "mirror.answers:end:2",
  "mirror.finish:begin:1",
  "mirror.finish:end:1"
]

test("in the middle of a run, once", async () => {
  const data = isQuick ? items(40, 20) : items(200, 60)
  const service = await serviceOf(data)
  const database = `${directory()}/mirror.db`
  const kill = async () => {
    const process = start(["sync", "--interval", "20 millis"], { database, url: service.url })
    await service.more(keysOf(data).length / 2, process.ended)
    await process.kill()
  }
  const result = await survive(service, database, kill, 1)
  expect(mirrored(database)).toEqual(keysOf(data))
  expect(result.after).toBe(0)
  // What was answered in a second, and what was in flight.
  expect(result.repeated).toBeLessThanOrEqual(50 + 32)
  // One process needs no engine.
  expect(query(database, "SELECT name FROM sqlite_master WHERE name LIKE 'cluster%'")).toEqual([])
})

describe.skipIf(isQuick)("at a named point", () => {
  test("of the program, one after the other", async () => {
    const data = items(150, 100)
    const service = await serviceOf(data)
    const database = `${directory()}/mirror.db`
    const kill = async (n: number) => {
      const env = { MIRROR_KILL: points[n] ?? "" }
      const { signal } = await start(["sync"], { database, url: service.url, env }).ended
      expect([points[n], signal]).toEqual([points[n], "SIGKILL"])
    }
    const result = await survive(service, database, kill, points.length)
    expect(mirrored(database)).toEqual(keysOf(data))
    expect(result.after).toBe(0)
    expect(result.repeated).toBeLessThanOrEqual(points.length * atRisk)
  })
})
