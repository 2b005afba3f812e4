// Programs by turns in child processes: the sides of a question make small slices of calls, one side after the other, so that other
// load on the machine affects all of them.
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/**
 * @typedef {{ readonly url: string, readonly anime: string, readonly page: string }} Service The server, and its bodies.
 * @typedef {(() => unknown) | { readonly many: (calls: number, atATime: number) => Promise<unknown> }} Calls
 * @typedef {Readonly<Record<string, (service: Service) => Calls | Promise<Calls>>>} Sides What each side calls.
 *
 * @typedef {{ readonly name: string, readonly calls: number, readonly atATime: number, readonly survivors?: boolean }} Slice
 * @typedef {Readonly<Record<string, number>>} Sample What a slice measures, for a call: `cpu` and `time` in microseconds, or `bytes`.
 * @typedef {Readonly<Record<string, ReadonlyArray<ReadonlyArray<Sample>>>>} Taken The slices of each side, by rounds.
 *
 * @typedef {object} Figure A measurement of a side, or its ratio to that of another one; budgets.json has its budget.
 * @property {string} title
 * @property {string} side
 * @property {string} [against]
 * @property {string} [beyond] the side whose measurement is taken off, in place of a ratio
 * @property {string} of a member of the samples
 * @property {"exact" | "quick" | "repeated"} [when] in the quick run, too: it is the same in each run, a ratio of CPU, or the best of runs
 *
 * @typedef {object} Column
 * @property {string} title
 * @property {string} of
 * @property {(value: number) => string} show
 * @property {(side: string) => string} [against]
 *
 * @typedef {object} Table A section of docs/performance.md.
 * @property {string} heading
 * @property {string} text
 * @property {string} first the title of the first column
 * @property {ReadonlyArray<Column>} columns
 * @property {Readonly<Record<string, string>>} rows the title of each side; a side that was not measured is left out
 *
 * @typedef {{ readonly url: string, readonly quick: boolean }} Options
 *
 * @typedef {object} Plan How the sides of a question take turns.
 * @property {number} calls of a slice
 * @property {number} [atATime]
 * @property {number} [turns] of each process
 * @property {number} [rounds] sets of processes: each process compiles the same code a little differently
 * @property {boolean} [together] a group of sides is in one process: for what differs by a few percent
 * @property {number} [alone] calls that are also made one after the other in each turn
 * @property {boolean} [survivors]
 *
 * @typedef {object} Question A file of questions/.
 * @property {Plan} [plan]
 * @property {Sides} [sides]
 * @property {ReadonlyArray<ReadonlyArray<string>>} [names] groups of sides that take turns; `effect on Effect 4` is `effect` with
 *   those packages
 * @property {ReadonlyArray<ReadonlyArray<string>>} [quickNames] those of the quick run
 * @property {((options: Options) => Promise<Taken>) | undefined} [measure] instead of taking turns
 * @property {Readonly<Record<string, Figure>>} figures
 * @property {Table} [table]
 *
 * @typedef {{ readonly side: string, readonly folder: URL, readonly question: string }} Program
 * @typedef {{ readonly name: string, readonly side: string, readonly client: Awaited<ReturnType<typeof start>> }} Side
 */

const here = new URL("./", import.meta.url)

/** What the name of a side ends with that runs with the packages for Effect 4. */
export const onEffect4 = " on Effect 4"

/** The copy of these programs that finds the packages for Effect 4. */
export const effect4 = new URL("../effect4/dist/bench/", import.meta.url)

/** @param {ReadonlyArray<number>} values @param {number} part */
export const quantile = (values, part) => {
  const sorted = values.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * part
  const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place % 1)
}

/** @param {ReadonlyArray<number>} values */
export const median = (values) => quantile(values, 0.5)

/**
 * A side's value in each round, or that of its ratio or its difference to another side: the median of the slices.
 *
 * @param {Taken} taken
 * @param {Pick<Figure, "side" | "against" | "beyond" | "of">} figure
 */
export const valuesOf = (taken, { side, against, beyond, of }) => {
  const at = (/** @type {string} */ side, round = 0, turn = 0) => taken[side]?.[round]?.[turn]?.[of] ?? NaN
  return (taken[side] ?? []).map((slices, round) =>
    median(
      slices.map((_, turn) => {
        const value = at(side, round, turn) - (beyond === undefined ? 0 : at(beyond, round, turn))
        return against === undefined ? value : value / at(against, round, turn)
      })
    )
  )
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set()
// Also if this process ends early.
process.on("exit", () => running.forEach((child) => child.kill()))

/**
 * Starts a module in a process of its own, which sends a message when it is ready, and then answers one question after the other.
 *
 * @param {URL} module
 * @param {string} argument
 * @param {{ readonly execPath?: string | undefined, readonly execArgv?: Array<string> }} [engine]
 */
export const start = async (module, argument, { execPath = process.execPath, execArgv = [] } = {}) => {
  const path = fileURLToPath(module)
  const child = fork(path, [argument], { execArgv, execPath, stdio: ["ignore", "ignore", "inherit", "ipc"] })
  running.add(child)
  const next = async () => {
    const aborter = new AbortController()
    const ended = once(child, "exit", aborter).then(([code]) => {
      throw new Error(`${path} ${argument.slice(0, 200)} ended with ${code}`)
    })
    try {
      const [message] = await Promise.race([once(child, "message", aborter), ended])
      return message
    } finally {
      aborter.abort()
    }
  }
  return {
    ready: await next(),
    ask: (/** @type {import("node:child_process").Serializable} */ question) => {
      const answer = next()
      child.send(question)
      return answer
    },
    stop: () => {
      running.delete(child)
      child.kill()
    }
  }
}

/** A garbage collection during the turns of the others drops compiled code. */
const ofNode = { execPath: process.execPath, execArgv: ["--expose-gc", "--no-memory-reducer"] }

/** Where the program of a side is. @param {string} question @param {string} name @returns {Program} */
export const programOf = (question, name) => ({
  question,
  side: name.replace(onEffect4, ""),
  folder: name.endsWith(onEffect4) ? effect4 : here
})

/**
 * Measures programs by turns.
 *
 * @param {Readonly<Record<string, Program>>} programs by the names of the sides
 * @param {string} url
 * @param {Plan} plan
 * @param {{ readonly execPath: string, readonly execArgv: Array<string> }} [engine]
 * @returns {Promise<Taken>}
 */
export const byTurns = async (programs, url, plan, engine = ofNode) => {
  const { calls, atATime = 1, turns = 20, rounds = 3, together = false, alone = 0, survivors = false } = plan
  const names = Object.keys(programs)
  /** @type {Record<string, Array<Array<Sample>>>} */
  const taken = Object.fromEntries(names.map((name) => [name, Array.from({ length: rounds }, () => [])]))
  /** @type {Array<ReadonlyArray<Side>>} */
  const clients = []
  try {
    for (let round = 0; round < rounds; round++) {
      /** @type {Array<Side>} */
      const started = []
      clients.push(started)
      for (const [name, { folder, question, side }] of Object.entries(programs)) {
        const sides = together ? Object.values(programs).map(({ side }) => side) : [side]
        const argument = JSON.stringify({ question, names: sides, url, calls })
        const shared = together ? started[0]?.client : undefined
        started.push({ name, side, client: shared ?? (await start(new URL("side.mjs", folder), argument, engine)) })
      }
    }
    // All rounds advance together, so that a busy moment of the machine does not decide about one of them.
    for (let turn = 0; turn < turns; turn++) {
      for (const [round, started] of clients.entries()) {
        const first = (turn + round) % started.length
        for (const { name, side, client } of [...started.slice(first), ...started.slice(0, first)]) {
          const sample = await client.ask({ name: side, calls, atATime, survivors })
          const single = alone > 0 ? await client.ask({ name: side, calls: alone, atATime: 1 }) : sample
          taken[name]?.[round]?.push({ ...sample, perSecond: 1e6 / sample.time, alone: single.time / 1000 })
        }
      }
    }
    return taken
  } finally {
    for (const { client } of clients.flat()) {
      client.stop()
    }
  }
}

/** Answers a question. @param {string} question @param {Question} asked @param {Options} options */
export const answer = async (question, { measure, plan, names = [], quickNames = names }, { url, quick }) => {
  if (measure !== undefined || plan === undefined) {
    return measure?.({ url, quick }) ?? {}
  }
  const groups = []
  for (const sides of quick ? quickNames : names) {
    const programs = Object.fromEntries(sides.map((name) => [name, programOf(question, name)]))
    groups.push(await byTurns(programs, url, quick ? { ...plan, rounds: 1, alone: 0 } : plan))
  }
  return Object.assign({}, ...groups)
}
