// Calls of all contenders against one server, a slice of each in turn.
import { median } from "../statistics.mjs"
import { start } from "../fork.mjs"

const here = (name) => new URL(name, import.meta.url)

/** Asks each client in turn, so many rounds; each round begins with another one. */
const interleaved = async (clients, rounds, question) => {
  const slices = clients.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < clients.length; turn++) {
      const index = (round + turn) % clients.length
      slices[index].push(await clients[index].ask(question))
    }
  }
  return slices
}

/**
 * What each contender's calls took: 64 at a time in calls per second and microseconds of CPU, one at a time the median
 * latency in milliseconds. Each is an array with a number for each round.
 */
export const measure = async (names, { rounds, many, single }) => {
  const server = await start(here("server.mjs"))
  const { url, anime } = server.ready
  const clients = []
  try {
    for (const name of names) {
      // A collection of garbage while the others have their turns throws compiled code away.
      const execArgv = ["--no-memory-reducer"]
      clients.push(await start(here("client.mjs"), { args: [name, url, anime], execArgv }))
    }
    const at64 = await interleaved(clients, rounds, { count: many, concurrency: 64 })
    const alone = single === 0 ? undefined : await interleaved(clients, rounds, { count: single, concurrency: 1 })
    return Object.fromEntries(
      names.map((name, index) => [
        name,
        {
          perSecond: at64[index].map(({ perSecond }) => perSecond),
          cpu: at64[index].map(({ cpu }) => cpu),
          ...(alone && {
            latency: alone[index].map(({ latency }) => latency),
            cpuAlone: alone[index].map(({ cpu }) => cpu)
          })
        }
      ])
    )
  } finally {
    for (const each of [...clients, server]) each.stop()
  }
}

/** The table of all contenders, in the order of their speed. */
export const table = (calls) =>
  Object.entries(calls)
    .map(([name, { perSecond, cpu, latency, cpuAlone }]) => ({
      name,
      perSecond: median(perSecond),
      cpu: median(cpu),
      latency: latency && median(latency),
      cpuAlone: cpuAlone && median(cpuAlone)
    }))
    .toSorted((one, other) => one.cpu - other.cpu)
