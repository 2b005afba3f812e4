// One client in its own process, so that it has its own garbage collection.
import { deepStrictEqual } from "node:assert"
import { make } from "./contenders.mjs"

const [name, baseUrl, anime] = process.argv.slice(2)
const contender = await make(name, baseUrl)
deepStrictEqual(await contender.call(), JSON.parse(anime))

/** Calls made one after the other: their median time in milliseconds. */
const median = async (count) => {
  const times = []
  for (let call = 0; call < count; call++) {
    const started = performance.now()
    await contender.call()
    times.push(performance.now() - started)
  }
  return times.toSorted((one, other) => one - other)[count >> 1]
}

/** Makes calls for some seconds, or at most a number of calls, and returns how many it made per second. */
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

/** As many calls as fit into some seconds, so that a slow client does not take most of the time. */
const slice = async ({ seconds: wanted, concurrency }) => {
  // After an idle time connections may be closed, and the heap and the caches differ from those under load.
  const count = Math.ceil(wanted * (await warmUp(wanted / 2, concurrency)))
  const cpu = process.cpuUsage()
  const started = performance.now()
  const latency = concurrency === 1 ? await median(count) : undefined
  if (concurrency > 1) {
    await contender.many(count, concurrency)
  }
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: count / seconds, cpu: (user + system) / count, latency }
}

process.on("message", (question) => void slice(question).then((answer) => process.send(answer)))
await warmUp(3, 64, 8000)
process.send("ready")
