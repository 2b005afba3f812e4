// Calls of all clients against one server, a slice of each in turn.
import { createRequire } from "node:module"
import { folder as effect4 } from "../effect4.mjs"
import { start } from "../fork.mjs"
import { names as allNames, onEffect4, quickNames } from "./contenders.mjs"

/**
 * @import { Process } from "../fork.mjs"
 * @import { ContenderName } from "./contenders.mjs"
 * @typedef {{ readonly seconds: number, readonly concurrency: number }} Question
 * @typedef {Record<"perSecond" | "cpu" | "latency", number>} Slice The latency is that of calls one at a time.
 * @typedef {{ readonly perSecond: Array<number>, readonly cpu: Array<number>, readonly latency?: Array<number> }} Taken
 */

/**
 * Runs each client in turn, for a number of rounds; each round begins with another one.
 *
 * @param {ReadonlyArray<Process<string, Question, Slice>>} clients
 * @param {number} rounds
 * @param {Question} question
 */
const interleaved = async (clients, rounds, question) => {
  const sides = clients.map((client) => ({ client, slices: /** @type {Array<Slice>} */ ([]) }))
  console.log(`  ${question.concurrency} at a time: ${rounds} rounds`)
  for (let round = 0; round < rounds; round++) {
    const first = round % sides.length
    for (const { client, slices } of [...sides.slice(first), ...sides.slice(0, first)]) {
      slices.push(await client.ask(question))
    }
  }
  return sides.map(({ slices }) => slices)
}

/** The minimum must be the same copy of undici as the Node package's. */
const checkUndici = () => {
  const [ours, theirs] = [import.meta.url, new URL("../../packages/node/package.json", import.meta.url)].map((from) =>
    createRequire(from).resolve("undici")
  )
  if (ours !== theirs) {
    throw new Error(`the bench has another undici than packages/node: ${ours}, ${theirs}`)
  }
}

/**
 * The measurements of each client: 64 at a time in calls per second and microseconds of CPU, one at a time the median
 * latency in milliseconds. Each is an array with a number for each round. `execPath` is another runtime, with its `execArgv`.
 *
 * @param {{ readonly url: string, readonly anime: string }} server
 * @param {object} options
 * @param {boolean} [options.quick]
 * @param {ReadonlyArray<ContenderName>} [options.names]
 * @param {number} [options.rounds]
 * @param {number} [options.seconds] of each slice, 64 at a time
 * @param {boolean} [options.alone] whether calls one at a time are measured too
 * @param {string} [options.execPath]
 * @param {Array<string>} [options.execArgv]
 * @returns {Promise<Partial<Record<ContenderName, Taken>>>}
 */
export const measure = async (
  { url, anime },
  {
    quick = false,
    names = quick ? quickNames : allNames,
    rounds = quick ? 3 : 7,
    seconds = 0.5,
    execPath,
    execArgv,
    alone: isAlone = !quick && execPath === undefined
  } = {}
) => {
  checkUndici()
  /** @type {Array<Process<string, Question, Slice>>} */
  const clients = []
  try {
    for (const name of names) {
      clients.push(
        await start(
          name.endsWith(onEffect4) ? new URL("calls/client.mjs", effect4) : new URL("client.mjs", import.meta.url),
          {
            args: [name.replace(onEffect4, ""), url, anime],
            // A garbage collection during the turns of the others drops compiled code.
            execArgv: execArgv ?? ["--no-memory-reducer"],
            execPath
          }
        )
      )
    }
    const at64 = await interleaved(clients, rounds, { seconds, concurrency: 64 })
    const alone = isAlone ? await interleaved(clients, rounds, { seconds: 0.3, concurrency: 1 }) : undefined
    return Object.fromEntries(
      names.map((name, index) => [
        name,
        {
          perSecond: (at64[index] ?? []).map(({ perSecond }) => perSecond),
          cpu: (at64[index] ?? []).map(({ cpu }) => cpu),
          ...(alone && { latency: (alone[index] ?? []).map(({ latency }) => latency) })
        }
      ])
    )
  } finally {
    for (const client of clients) {
      client.stop()
    }
  }
}
