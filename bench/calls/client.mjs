// One client in its own process, so that it has its own garbage collection.
import { deepStrictEqual } from "node:assert"
import { answerWith } from "../fork.mjs"
import { cpuOf } from "../many.mjs"
import { median } from "../statistics.mjs"
import { make } from "./contenders.mjs"

/**
 * @import { Question, Slice } from "./measure.mjs"
 */

const [name = "", baseUrl = "", anime = ""] = process.argv.slice(2)
const contender = await make(name, baseUrl)
deepStrictEqual(await contender.call(), JSON.parse(anime))

/**
 * Calls made one after the other: their median time in milliseconds.
 *
 * @param {number} count
 */
const latencyOf = async (count) => {
  const times = []
  for (let call = 0; call < count; call++) {
    const started = performance.now()
    await contender.call()
    times.push(performance.now() - started)
  }
  return median(times)
}

/**
 * Makes calls for some seconds, or at most a number of calls, and returns how many it made per second.
 *
 * @param {number} seconds
 * @param {number} concurrency
 * @param {number} [most]
 */
const warmUp = async (seconds, concurrency, most = Infinity) => {
  const started = performance.now()
  let made = 0
  let elapsed = 0
  while (elapsed < seconds && made < most) {
    await contender.many(concurrency * 4, concurrency)
    made += concurrency * 4
    elapsed = (performance.now() - started) / 1000
  }
  return made / elapsed
}

/**
 * As many calls as fit into some seconds, so that a slow client does not take most of the time.
 *
 * @param {Question} question
 * @returns {Promise<Slice>}
 */
const slice = async ({ seconds: wanted, concurrency }) => {
  // After an idle time connections may be closed, and the heap and the caches differ from those under load.
  const count = Math.ceil(wanted * (await warmUp(wanted / 2, concurrency)))
  const started = performance.now()
  let latency = 0
  const cpu = await cpuOf(async () => {
    if (concurrency === 1) {
      latency = await latencyOf(count)
    } else {
      await contender.many(count, concurrency)
    }
  })
  const seconds = (performance.now() - started) / 1000
  return { perSecond: count / seconds, cpu: cpu / count, latency }
}

await warmUp(3, 64, 8000)
answerWith(slice)
