// A child process: it makes the calls of a side, when the runner asks for a slice of them.
import { setImmediate } from "node:timers/promises"

/** @import { Question, Service } from "./figures.mjs" */

const { question, side, url, calls = 1, atATime = 1, alone = 0 } = JSON.parse(process.argv[2] ?? "")
const bodyOf = async (/** @type {string} */ path) => (await fetch(url + path)).text()
/** @type {Service} */
const service = { url, anime: await bodyOf("/anime"), page: await bodyOf("/lists/1000?limit=1000") }
/** @type {Question} */
const { sides } = await import(`./questions/${question}.mjs`)

/** Microseconds of CPU and of time for a call. @param {() => unknown} call @param {number} calls @param {number} atATime */
const timed = async (call, calls, atATime) => {
  const started = performance.now()
  const before = process.cpuUsage()
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
  const time = ((performance.now() - started) * 1000) / calls
  // Each slice pays for its own garbage.
  globalThis.gc?.({ type: "minor" })
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / calls, time, perSecond: 1e6 / time }
}

/** @param {() => unknown} call */
const warm = async (call) => {
  // Many at a time, so that the young generation has its size, too.
  for (let slice = 0; slice < 16; slice++) {
    await timed(call, Math.min(calls, 500), Math.min(calls, 64))
  }
  return async () => ({
    ...(await timed(call, calls, atATime)),
    ...(alone > 0 && { alone: (await timed(call, alone, 1)).time })
  })
}

const call = await sides[side]?.(service)
if (call === undefined) {
  throw new Error(`${question} has no side ${side}`)
}
const sample = "sample" in call ? call.sample : await warm(call)
process.on("message", () => void sample().then((taken) => process.send?.(taken)))
process.send?.("ready")
