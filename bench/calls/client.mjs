// One client in its own process, so that it has its own garbage collection.
import { deepStrictEqual } from "node:assert"
import { make } from "./contenders.mjs"

const [name, baseUrl, anime, warming] = process.argv.slice(2)
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

const slice = async ({ count, concurrency }) => {
  // After an idle time connections may be closed, and the heap and the caches differ from those under load.
  await contender.many(Math.ceil(count * 0.7), concurrency)
  const cpu = process.cpuUsage()
  const started = performance.now()
  const latency = concurrency === 1 ? await median(count) : undefined
  if (concurrency > 1) await contender.many(count, concurrency)
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: count / seconds, cpu: (user + system) / count, latency }
}

process.on("message", (question) => void slice(question).then((answer) => process.send(answer)))
await contender.many(Number(warming), 64)
process.send("ready")
