// Asks processes by turns: the sides of a question make small slices of calls, one side after the other, so that other load on
// the machine affects all of them.
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { placeOf } from "./places.mjs"

/**
 * @import { Compared, Figure, Question, Sample } from "./figures.mjs"
 * @typedef {Readonly<Record<string, ReadonlyArray<ReadonlyArray<Sample>>>>} Taken The slices of each name, by rounds.
 * @typedef {ReturnType<typeof groupsOf>[number]} Group
 */

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
 * The values of a figure, one for each round: the median of its slices. The slice of the side `beyond` is subtracted first, and
 * the result is divided by that of the side `against`.
 *
 * @param {Taken} taken
 * @param {Compared & { readonly of: string }} figure
 */
export const valuesOf = (taken, { side, against, beyond, of }) => {
  const at = (/** @type {string} */ name, round = 0, turn = 0) => taken[name]?.[round]?.[turn]?.[of] ?? NaN
  return (taken[side] ?? []).map((slices, round) =>
    median(
      slices.map((_, turn) => {
        const value = at(side, round, turn) - (beyond === undefined ? 0 : at(beyond, round, turn))
        return against === undefined ? value : value / at(against, round, turn)
      })
    )
  )
}

/** The share of its budget that a figure takes: above 1, it misses the budget. @param {Taken} taken @param {Figure} figure */
export const shareOf = (taken, figure) => {
  const value = median(valuesOf(taken, figure))
  return figure.least === undefined ? value / (figure.most ?? NaN) : figure.least / value
}

/** The groups of a question, with the names of the sides that a run asks. @param {Question} question @param {boolean} quick */
export const groupsOf = ({ groups }, quick) =>
  groups
    .map(({ others = [], ...group }) => {
      const figures = group.figures.filter((figure) => !quick || figure.quick)
      const named = figures.flatMap(({ side, against = side, beyond = side }) => [side, against, beyond])
      return { ...group, figures, names: [...new Set([...named, ...(quick ? [] : others)])] }
    })
    .filter(({ names }) => names.length > 0)

/**
 * Starts a module in a process of its own, which sends a message when it is ready, and then answers each message in turn.
 *
 * @param {URL} module
 * @param {string} argument
 * @param {{ readonly execPath?: string, readonly execArgv?: Array<string> }} [engine]
 */
export const start = async (module, argument, { execPath = process.execPath, execArgv = [] } = {}) => {
  const path = fileURLToPath(module)
  const child = fork(path, [argument], { execArgv, execPath, stdio: ["ignore", "ignore", "inherit", "ipc"] })
  /** @type {Promise<never>} */
  const ended = new Promise((_, reject) => {
    child.once("exit", (code) => reject(new Error(`${path} ${argument} ended with ${code}`)))
  })
  ended.catch(() => {})
  // Even if this process ends early.
  process.setMaxListeners(0).once("exit", () => child.kill())
  const next = () => Promise.race([once(child, "message").then(([message]) => message), ended])
  return {
    ready: await next(),
    ask: () => {
      child.send("next")
      return next()
    },
    stop: () => child.kill()
  }
}

/** @param {string} question @param {string} url @param {Group} group @returns {Promise<Taken>} */
const byTurns = async (question, url, { names, turns = 20, rounds = 3, calls, atATime, alone }) => {
  const taken = names.map(() => Array.from({ length: rounds }, () => /** @type {Array<Sample>} */ ([])))
  /** @type {Array<Array<Awaited<ReturnType<typeof start>>>>} */
  const clients = Array.from({ length: rounds }, () => [])
  try {
    for (const started of clients) {
      for (const { side, folder, engine } of names.map(placeOf)) {
        const argument = JSON.stringify({ question, side, url, calls, atATime, alone })
        started.push(await start(new URL("side.mjs", folder), argument, engine))
      }
    }
    // All rounds advance together, so that a busy moment of the machine does not decide about one of them.
    for (let turn = 0; turn < turns; turn++) {
      for (const [round, started] of clients.entries()) {
        for (let place = 0; place < names.length; place++) {
          const at = (place + turn + round) % names.length
          taken[at]?.[round]?.push(await started[at]?.ask())
        }
      }
    }
    return Object.fromEntries(names.map((name, at) => [name, taken[at] ?? []]))
  } finally {
    clients.flat().forEach((client) => client.stop())
  }
}

/** @param {string} name @param {Question} question @param {string} url @param {boolean} quick */
export const answer = async (name, question, url, quick) => {
  /** @type {Taken} */
  let taken = {}
  for (const group of groupsOf(question, quick)) {
    const { figures, runs = 1 } = group
    const [first] = figures
    for (let run = 0; run < runs; run++) {
      const asked = quick && runs === 1 ? { ...group, rounds: 1, alone: 0 } : group
      const again = { ...taken, ...(await byTurns(name, url, asked)) }
      taken = run === 0 || (first && shareOf(again, first) < shareOf(taken, first)) ? again : taken
      figures.forEach((figure) =>
        console.log(`  ${figure.side}, ${figure.title}: ${figure.show(median(valuesOf(again, figure)))}`)
      )
      if (figures.every((figure) => shareOf(taken, figure) <= 1)) {
        break
      }
    }
  }
  return taken
}
