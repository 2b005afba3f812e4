// A child process: it makes the calls of some sides of a question, when the runner asks for a slice of them.
import { setImmediate } from "node:timers/promises"

/**
 * @import { Call, Many, Plan, Question, Service } from "./figures.mjs"
 * @typedef {{ readonly question: string, readonly sides: ReadonlyArray<string>, readonly url: string }} Asked
 */

/** @type {Asked & Plan} */
const { question, sides: names, url, calls = 1, atATime = 1, alone = 0 } = JSON.parse(process.argv[2] ?? "")
const bodyOf = async (/** @type {string} */ path) => (await fetch(url + path)).text()
/** @type {Service} */
const service = { url, anime: await bodyOf("/anime"), page: await bodyOf("/lists/1000?limit=1000") }
/** @type {Question} */
const { sides } = await import(`./questions/${question}.mjs`)

/** @param {Call | Many} call @param {number} calls @param {number} atATime */
const make = async (call, calls, atATime) => {
  if (typeof call === "object") {
    await call.many(calls, atATime)
    return
  }
  let left = calls
  const loop = async () => {
    while (left-- > 0) {
      await call()
      // One at a time may never wait for anything.
      if (atATime === 1 && left % 20 === 0) {
        await setImmediate()
      }
    }
  }
  await Promise.all(Array.from({ length: atATime }, loop))
}

/** Microseconds of CPU and of time for a call. @param {Call | Many} call @param {number} calls @param {number} atATime */
const timed = async (call, calls, atATime) => {
  const started = performance.now()
  const before = process.cpuUsage()
  await make(call, calls, atATime)
  const time = ((performance.now() - started) * 1000) / calls
  // Each slice pays for its own garbage.
  globalThis.gc?.({ type: "minor" })
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / calls, time, perSecond: 1e6 / time }
}

/** @param {string} name */
const prepare = async (name) => {
  const call = await sides[name]?.(service)
  if (call === undefined) {
    throw new Error(`${question} has no side ${name}`)
  }
  if ("sample" in call) {
    return call.sample
  }
  // Many at a time, so that the young generation has its size, too.
  for (let slice = 0; slice < 16; slice++) {
    await timed(call, Math.min(calls, 500), Math.min(calls, 64))
  }
  return async () => ({
    ...(await timed(call, calls, atATime)),
    ...(alone > 0 && { alone: (await timed(call, alone, 1)).time })
  })
}

/** @type {Map<unknown, Awaited<ReturnType<typeof prepare>>>} */
const samples = new Map()
for (const name of names) {
  samples.set(name, await prepare(name))
}
process.on(
  "message",
  (name) =>
    void samples
      .get(name)?.()
      .then((sample) => process.send?.(sample))
)
process.send?.("ready")
