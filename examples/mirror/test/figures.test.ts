/**
 * What a run costs: the quota that it uses, its memory, the time until it goes on, what it leaves in the engine.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync, statSync } from "node:fs"
import { loadavg } from "node:os"
import { expect, test } from "vitest"
import { clientOf, databaseOf } from "../src/Database.js"
import { Store } from "../src/Store.js"
import { directory, isSoak, items, query, run, type Service, serviceOf, sizeOf, start } from "./support/mirror.js"

/** The seconds of CPU that a process has used so far, on Linux. */
const cpuOf = (pid: number | undefined): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

test("uses all of the quota while answers take longer than a slot, and never more", async () => {
  // In real time one request a second and answers after 1.5 s; else a fifth of that.
  const scale = isSoak ? 1 : 0.2
  const interval = 1000 * scale
  const service = await serviceOf(items(sizeOf(60, 120, 300), 0), { latency: 1500 * scale })
  const database = `${directory()}/mirror.db`
  const args = ["sync", "--lists", "anime/bypopularity", "--interval", `${interval} millis`]
  expect(await start(args, { database, url: service.url }).ended).toMatchObject({ code: 0 })
  // The service hears the first page alone, since it takes its next from it.
  const times = service.requests.filter(({ what }) => what !== "page").map(({ at }) => at)
  const slots = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / interval
  const share = (times.length - 1) / slots
  console.log(
    `${times.length} requests at ${1000 / interval}/s with answers after ${1500 * scale} ms: ${(100 * share).toFixed(1)} % of the quota`
  )
  // The short run shares the cores with other tests.
  expect(share).toBeGreaterThan(isSoak ? 0.97 : 0.6)
  expect(share).toBeLessThanOrEqual(1 + 1 / slots + 0.02)
})

/** How long it takes to look how far a run is, in milliseconds: the median of several times. */
const progressOf = (database: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    const times: Array<number> = []
    for (let n = 0; n < 9; n++) {
      const begun = performance.now()
      yield* store.progress()
      times.push(performance.now() - begun)
    }
    return times.sort((a, b) => a - b)[4] ?? Infinity
  }).pipe(Effect.provide(Store.layer.pipe(Layer.provide(clientOf(databaseOf(database))))), Effect.runPromise)

/** Looks every second how much memory a process has, in MB, until it is asked. */
const memoryOf = ({ child }: ReturnType<typeof start>) => {
  const samples: Array<number> = []
  const timer = setInterval(() => {
    try {
      const [, used] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? []
      if (used !== undefined) {
        samples.push(Number(used) / 1024)
      }
    } catch {
      // It has ended.
    }
  }, 1000)
  return () => {
    clearInterval(timer)
    return samples
  }
}

/** Waits for the first request of a process: the seconds until then, and those of CPU. */
const firstRequest = async (service: Service, process: ReturnType<typeof start>) => {
  const begun = performance.now()
  const from = service.requests.length
  await service.more(1, process.ended)
  const cpu = cpuOf(process.child.pid)
  return { cpu, seconds: ((service.requests[from]?.at ?? Infinity) - begun) / 1000 }
}

test("a night costs a request for each item and the pages of the lists; the next one costs the pages", async () => {
  const count = sizeOf(300, 1_000, 1_000)
  const pages = 2 * Math.ceil(count / 500)
  const all = items(count, 0)
  const service = await serviceOf(all)
  const database = `${directory()}/mirror.db`
  const night = async () => {
    const from = service.requests.length
    const args = ["sync", "--lists", "anime/bypopularity,anime/all", "--interval", "0.5 millis"]
    expect(await run(args, { database, url: service.url })).toMatchObject({ code: 0 })
    return service.requests.length - from
  }
  expect([await night(), await night()]).toEqual([count + pages, pages])
  // What has changed in a list, and nothing else.
  const [first, ...rest] = all.anime
  const changed = await serviceOf({ anime: [{ ...first, title: "Changed" } as never, ...rest], manga: [] })
  const args = ["sync", "--lists", "anime/bypopularity,anime/all"]
  expect(await run(args, { database, url: changed.url })).toMatchObject({ code: 0 })
  expect(changed.requests).toHaveLength(1 + pages)
})

test.runIf(isSoak)("100 000 items: killed five times on the way, and the night after", async () => {
  const all = items(sizeOf(0, 70_000, 70_000), sizeOf(0, 30_000, 30_000))
  const service = await serviceOf(all)
  const database = `${directory()}/mirror.db`
  // What lives is some 45 MB. Without a limit, Node takes more where the machine has more.
  const options = { database, url: service.url, env: { NODE_OPTIONS: "--max-old-space-size=96" } }
  const args = ["sync", "--lists", "anime/bypopularity,manga/bypopularity", "--interval", "0.2 millis"]
  const [memory, seconds, cpus]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
  const begun = performance.now()
  for (let kill = 0; kill < 5; kill++) {
    const process = start(args, options)
    const { seconds: first } = await firstRequest(service, process)
    seconds.push(first)
    const used = memoryOf(process)
    await service.more(15_000, process.ended)
    cpus.push(cpuOf(process.child.pid))
    await process.kill()
    memory.push(...used())
  }
  const last = start([...args, "--report", "1 second"], options)
  const used = memoryOf(last)
  expect(await last.ended).toMatchObject({ code: 0 })
  memory.push(...used())
  const minutes = (performance.now() - begun) / 60_000
  const repeated = service.repeated()
  expect(query(database, "SELECT COUNT(*) AS n FROM mirror_item WHERE body IS NOT NULL")).toEqual([{ n: 100_000 }])
  expect(service.asked().size).toBe(100_000)
  expect(repeated).toBeLessThanOrEqual(5 * 400)
  const from = service.requests.length
  const night = performance.now()
  expect(await start(args, options).ended).toMatchObject({ code: 0 })
  console.log(
    `100 000 items: ${minutes.toFixed(1)} min, ${((cpus.reduce((a, b) => a + b) / 75_000) * 1000).toFixed(2)} ms of CPU an item, ` +
      `${repeated} requests repeated after 5 kills, the first after ${Math.max(...seconds).toFixed(1)} s at most, ` +
      `at most ${Math.max(...memory).toFixed(0)} MB, ${(statSync(database).size / 1e6).toFixed(0)} MB of disk; the next night ` +
      `${service.requests.length - from} requests in ${((performance.now() - night) / 1000).toFixed(0)} s; at a load of ${loadavg()[0]?.toFixed(1)}`
  )
  expect(service.requests.length - from).toBe(200)
  expect(Math.max(...memory)).toBeLessThan(300)
})

test.runIf(isSoak)("1 000 000 items: planning, progress, the first request after a kill, and memory", async () => {
  const service = await serviceOf(items(100, 0))
  const database = `${directory()}/mirror.db`
  const options = { database, url: service.url }
  const args = ["sync", "--lists", "anime/all", "--interval", "20 millis"]
  const empty = await serviceOf(items(0, 0))
  expect(await run(args, { database, url: empty.url })).toMatchObject({ code: 0 })
  // A run that has read its lists, and the items, all of which are due.
  query(
    database,
    "UPDATE mirror_run SET state = 'running', unfinished = 1, finished_at = NULL, summary = NULL, lists_read = 0"
  )
  query(
    database,
    `INSERT INTO mirror_item (kind, id, title, listed, listed_hash, body, body_hash, fetched_hash, fetched_at, due_at)
      WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1000000)
      SELECT 'anime', id, 'Number ' || id, '{"synopsis":"' || hex(zeroblob(500)) || '"}', 'l',
        '{"background":"' || hex(zeroblob(500)) || '"}', 'b', 'l', 1, 1 FROM n`
  )

  const planning = start(args, options)
  const planned = await firstRequest(service, planning)
  await service.more(500, planning.ended)
  await planning.kill()
  expect(query(database, "SELECT planned FROM mirror_run")).toEqual([{ planned: 1_000_000 }])

  const again = start(args, options)
  const memory = memoryOf(again)
  const restarted = await firstRequest(service, again)
  await service.more(1500, again.ended)
  await again.kill("SIGINT")
  const progress = await progressOf(database)
  const most = Math.max(...memory())
  console.log(
    `1 000 000 items: planned and the first request after ${planned.seconds.toFixed(1)} s (${planned.cpu.toFixed(1)} s of CPU); ` +
      `after a kill ${restarted.seconds.toFixed(1)} s (${restarted.cpu.toFixed(1)} s); progress ${progress.toFixed(0)} ms; ` +
      `at most ${most.toFixed(0)} MB, at a load of ${loadavg()[0]?.toFixed(1)}`
  )
  expect(restarted.seconds).toBeLessThan(10)
  expect(progress).toBeLessThan(50)
  expect(most).toBeLessThan(300)
})
