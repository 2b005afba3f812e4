// This build and that of a commit, in small slices by turns: other load on the machine affects both.
import { measurePages } from "../bundles/measure.mjs"
import { folder as effect4 } from "../effect4.mjs"
import { start } from "../fork.mjs"
import { median, ratios } from "../statistics.mjs"
import { build } from "./build.mjs"

/**
 * @import { Process } from "../fork.mjs"
 * @import { FigureName } from "../figures.mjs"
 * @import { Kind, Taken } from "./client.mjs"
 * @typedef {Process<string, number, Taken>} Client
 * @typedef {Record<"ours" | "theirs" | "ratio", Array<number>>} Run
 */

/**
 * What is measured, the calls of a slice, and the slices of a pair of processes.
 *
 * @type {Readonly<Record<Kind, { readonly of: keyof Taken, readonly calls: number, readonly slices: number }>>}
 */
const kinds = {
  memory: { of: "cpu", calls: 250, slices: 50 },
  // Only a major collection removes a `Response`: each slice must be long enough to have some.
  fetch: { of: "cpu", calls: 400, slices: 50 },
  page: { of: "cpu", calls: 5, slices: 20 },
  socket: { of: "perSecond", calls: 600, slices: 20 },
  survival: { of: "bytes", calls: 8000, slices: 3 },
  "effect-memory": { of: "cpu", calls: 250, slices: 50 },
  "effect-fetch": { of: "cpu", calls: 400, slices: 50 }
}

/** @type {ReadonlyArray<Kind>} */
const inQuick = ["memory", "fetch", "effect-memory"]

/** Pairs of processes: each process compiles the same code a little differently. */
const pairs = 6

/**
 * One run of a kind: of each pair of processes the medians of their slices, and the median ratio of these.
 *
 * @param {Kind} kind
 * @param {{ readonly ours: URL, readonly theirs: URL }} programs
 * @param {string} url
 */
const runOf = async (kind, programs, url) => {
  const { of, calls, slices } = kinds[kind]
  /** @type {Array<Client>} */
  const clients = []
  const begin = async (/** @type {URL} */ program) => {
    /** @type {Client} */
    const client = await start(program, {
      args: [kind, url, String(calls)],
      // Both sides pay for garbage alike, and only for their own.
      execArgv: ["--expose-gc", "--no-memory-reducer"]
    })
    clients.push(client)
    /** @type {Array<number>} */
    const taken = []
    return { client, taken }
  }
  /** @type {Run} */
  const run = { ours: [], theirs: [], ratio: [] }
  try {
    const both = []
    for (let pair = 0; pair < pairs; pair++) {
      const [ours, theirs] = await Promise.all([begin(programs.ours), begin(programs.theirs)])
      both.push({ ours, theirs })
    }
    // All pairs advance together, so that a busy moment of the machine does not decide about one of them.
    for (let turn = 0; turn < slices; turn++) {
      for (const [pair, { ours, theirs }] of both.entries()) {
        for (const { client, taken } of (turn + pair) % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
          taken.push((await client.ask(calls))[of])
        }
      }
    }
    for (const { ours, theirs } of both) {
      run.ours.push(median(ours.taken))
      run.theirs.push(median(theirs.taken))
      run.ratio.push(median(ratios(ours.taken, theirs.taken)))
    }
    return run
  } finally {
    for (const client of clients) {
      client.stop()
    }
  }
}

/**
 * The runs of each kind, and the pages of both builds. A kind that does not reach its budget is measured up to twice more, and the
 * best run counts: on a busy machine the ratio of two equal builds differs by 3 %.
 *
 * @param {{ readonly url: string }} server
 * @param {string} commit
 * @param {{ readonly quick: boolean, readonly reaches: (name: FigureName, value: number) => boolean }} options
 */
export const measure = async ({ url }, commit, { quick, reaches }) => {
  const { bench, hash } = build(commit)
  const programs = { ours: new URL("client.mjs", import.meta.url), theirs: new URL("against/client.mjs", bench) }
  const all = /** @type {Array<Kind>} */ (Object.keys(kinds))
  /** @type {Partial<Record<Kind, ReadonlyArray<Run>>>} */
  const runs = {}
  for (const kind of all.filter((kind) => !quick || inQuick.includes(kind))) {
    console.log(`  ${kind}`)
    /** @type {Array<Run>} */
    const measured = []
    do {
      measured.push(await runOf(kind, programs, url))
    } while (measured.length < 3 && !measured.some(({ ratio }) => reaches(`against-${kind}`, median(ratio))))
    runs[kind] = measured
  }
  const [ours, theirs] = await Promise.all([measurePages(), measurePages(bench)])
  return { commit: hash, runs, pages: { ours, theirs } }
}

/**
 * The packages for Effect 4 against those for Effect 3: calls that use no socket, since the section of calls has the others.
 *
 * @param {{ readonly url: string }} server
 * @param {{ readonly quick: boolean }} options
 * @returns {Promise<{ readonly memory: Run, readonly fetch?: Run }>}
 */
export const measureEffect4 = async ({ url }, { quick }) => {
  const programs = { ours: new URL("against/client.mjs", effect4), theirs: new URL("client.mjs", import.meta.url) }
  const memory = await runOf("effect-memory", programs, url)
  return quick ? { memory } : { memory, fetch: await runOf("effect-fetch", programs, url) }
}
