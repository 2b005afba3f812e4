// One contender in a process of its own, so that what it leaves to the garbage collector is on its own account.
import { deepStrictEqual } from "node:assert"
import { make } from "./contenders.mjs"

const [name, baseUrl, anime, warming] = process.argv.slice(2)
const contender = await make(name, baseUrl)
deepStrictEqual(await contender.call(), JSON.parse(anime))

/** One after the other; half of them took at most what comes back, in milliseconds. */
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
  // Connections may have been closed since the last time.
  await contender.many(300, concurrency)
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
