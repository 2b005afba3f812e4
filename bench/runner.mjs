// Asks processes by turns: the sides of a question make small slices of calls, one side after the other, so that other load on the
// machine affects all of them.
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { placeOf } from "./places.mjs"

/**
 * @import { Compared, Figure, Plan, Question, Sample } from "./figures.mjs"
 * @typedef {Readonly<Record<string, ReadonlyArray<ReadonlyArray<Sample>>>>} Taken The slices of each name, by rounds.
 * @typedef {Plan & { readonly names: ReadonlyArray<string>, readonly figures: ReadonlyArray<Figure> }} Group
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

/** A figure in each round: the median of the slices. @param {Taken} taken @param {Compared & { readonly of: string }} figure */
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

/** How much of its budget a figure takes: above 1 it is past it. @param {Taken} taken @param {Figure} figure */
export const shareOf = (taken, figure) => {
  const value = median(valuesOf(taken, figure))
  return figure.least === undefined ? value / (figure.most ?? NaN) : figure.least / value
}

/** The sides that take turns, with what is asked of them. @param {Question} question @param {boolean} quick @returns {Array<Group>} */
export const groupsOf = ({ figures, groups, plan }, quick) => {
  const asked = figures.filter((figure) => !quick || figure.quick)
  const namesOf = (/** @type {Figure} */ { side, against = side, beyond = against }) => [side, beyond]
  const others = [...new Set(asked.map((figure) => namesOf(figure)[1]))]
  const pairs = others.map((other) => asked.filter((figure) => namesOf(figure)[1] === other))
  const named = groups?.filter((names) => !quick || asked.some(({ side }) => names.includes(side)))
  const needed = new Set(asked.flatMap(namesOf))
  return (
    named?.map((names) => ({
      ...plan,
      names: quick ? names.filter((name) => needed.has(name)) : names,
      figures: asked.filter(({ side }) => names.includes(side))
    })) ??
    pairs.map((figures) => ({ ...plan, ...figures[0]?.plan, names: [...new Set(figures.flatMap(namesOf))], figures }))
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
 * @param {{ readonly execPath?: string, readonly execArgv?: Array<string> }} [engine]
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
    ask: (/** @type {string} */ side) => {
      const answer = next()
      child.send(side)
      return answer
    },
    stop: () => {
      running.delete(child)
      child.kill()
    }
  }
}

/** @param {string} question @param {string} url @param {Group} group @returns {Promise<Taken>} */
const byTurns = async (question, url, { names, turns = 20, rounds = 3, together = false, ...plan }) => {
  const places = names.map(placeOf)
  const sides = places.map(({ side }) => side)
  /** @type {Record<string, Array<Array<Sample>>>} */
  const taken = Object.fromEntries(names.map((name) => [name, Array.from({ length: rounds }, () => [])]))
  /** @type {Array<Array<Awaited<ReturnType<typeof start>>>>} */
  const clients = Array.from({ length: rounds }, () => [])
  try {
    for (const started of clients) {
      for (const { side, folder, engine } of places) {
        const argument = JSON.stringify({ ...plan, question, url, sides: together ? sides : [side] })
        const shared = together ? started[0] : undefined
        started.push(shared ?? (await start(new URL("side.mjs", folder), argument, engine)))
      }
    }
    // All rounds advance together, so that a busy moment of the machine does not decide about one of them.
    for (let turn = 0; turn < turns; turn++) {
      for (const [round, started] of clients.entries()) {
        for (let place = 0; place < names.length; place++) {
          const at = (place + turn + round) % names.length
          taken[names[at] ?? ""]?.[round]?.push(await started[at]?.ask(sides[at] ?? ""))
        }
      }
    }
    return taken
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
