// A child process: it makes the calls of some sides of a question, when the runner asks for a slice of them.
import { Session } from "node:inspector/promises"
import { setImmediate } from "node:timers/promises"

/**
 * @import { HeapProfiler } from "node:inspector"
 * @import { Service, Sides, Slice } from "./runner.mjs"
 */

/** @type {{ readonly question: string, readonly names: ReadonlyArray<string>, readonly url: string, readonly calls: number }} */
const { question, names, url, calls } = JSON.parse(process.argv[2] ?? "")
const bodyOf = async (/** @type {string} */ path) => (await fetch(url + path)).text()
/** @type {Service} */
const service = { url, anime: await bodyOf("/anime"), page: await bodyOf("/users") }
/** @type {{ readonly sides: Sides }} */
const { sides } = await import(`./questions/${question}.mjs`)

/** @param {string} name */
const prepare = (name) => {
  const side = sides[name]
  if (side === undefined) {
    throw new Error(`${question} has no side ${name}`)
  }
  return side(service)
}
const prepared = new Map(
  await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await prepare(name)])))
)

/** @param {Slice} slice */
const run = async ({ name, calls, atATime }) => {
  const call = prepared.get(name) ?? prepare(name)
  if (typeof call === "object" && "many" in call) {
    await call.many(calls, atATime)
    return
  }
  const one = /** @type {() => unknown} */ (call)
  let left = calls
  const loop = async () => {
    while (left-- > 0) {
      await one()
      // One at a time may never wait for anything.
      if (atATime === 1 && left % 20 === 0) {
        await setImmediate()
      }
    }
  }
  await Promise.all(Array.from({ length: atATime }, loop))
}

/** Microseconds of CPU and of time for a call. @param {Slice} slice */
const timed = async (slice) => {
  const started = performance.now()
  const before = process.cpuUsage()
  await run(slice)
  const time = (performance.now() - started) * 1000
  // Each slice pays for its own garbage.
  globalThis.gc?.({ type: "minor" })
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / slice.calls, time: time / slice.calls }
}

/** Bytes of a call that outlive the young generation. @param {Slice} slice */
const survivors = async (slice) => {
  const session = new Session()
  session.connect()
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 512,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: false
  })
  await run(slice)
  const { profile } = await session.post("HeapProfiler.stopSampling")
  session.disconnect()
  /** @type {(node: HeapProfiler.SamplingHeapProfileNode) => number} */
  const sizeOf = ({ children, selfSize }) => children.reduce((size, child) => size + sizeOf(child), selfSize)
  return { bytes: sizeOf(profile.head) / slice.calls }
}

for (let slice = 0; slice < 16; slice++) {
  for (const name of names) {
    await timed({ name, calls: Math.min(calls, 500), atATime: Math.min(calls, 64) })
  }
}
process.on("message", (/** @type {Slice} */ slice) => {
  void (slice.survivors ? survivors : timed)(slice).then((sample) => process.send?.(sample))
})
process.send?.("ready")
