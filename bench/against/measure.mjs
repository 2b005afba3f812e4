// This build and that of a commit, in small slices by turns: other load on the machine affects both.
import { measurePage } from "../bundles/measure.mjs"
import { start } from "../fork.mjs"
import { median, ratios } from "../statistics.mjs"
import { build } from "./build.mjs"

/** What is measured, the calls of a slice, and the slices of a pair of processes. */
const kinds = {
  memory: { of: "cpu", calls: 250, slices: 50 },
  fetch: { of: "cpu", calls: 100, slices: 50 },
  page: { of: "cpu", calls: 5, slices: 20 },
  socket: { of: "perSecond", calls: 600, slices: 20 },
  survival: { of: "bytes", calls: 8000, slices: 3 }
}

/** Pairs of processes: each process compiles the same code a little differently. */
const pairs = 6

/** One run of a kind: of each pair of processes the medians of their slices, and the median ratio of these. */
const runOf = async (kind, programs, url) => {
  const { of, calls, slices } = kinds[kind]
  const clients = []
  const taken = { ours: [], theirs: [], ratio: [] }
  try {
    for (let pair = 0; pair < pairs; pair++) {
      const both = await Promise.all(
        programs.map((program) =>
          start(program, {
            args: [kind, url, String(calls)],
            // Both sides pay for garbage alike, and only for their own.
            execArgv: ["--expose-gc", "--no-memory-reducer"]
          })
        )
      )
      clients.push(both)
    }
    const sides = clients.map((both) => both.map(() => []))
    // All pairs advance together, so that a busy moment of the machine does not decide about one of them.
    for (let turn = 0; turn < slices; turn++) {
      for (const [pair, both] of clients.entries()) {
        for (const side of (turn + pair) % 2 === 0 ? [0, 1] : [1, 0]) {
          sides[pair][side].push((await both[side].ask(calls))[of])
        }
      }
    }
    for (const [ours, theirs] of sides) {
      taken.ours.push(median(ours))
      taken.theirs.push(median(theirs))
      taken.ratio.push(median(ratios(ours, theirs)))
    }
    return taken
  } finally {
    for (const client of clients.flat()) {
      client.stop()
    }
  }
}

/**
 * The runs of each kind, and the page of both builds. A kind that does not reach its budget is measured once more, and the better
 * run counts.
 */
export const measure = async ({ url }, commit, { quick, reaches }) => {
  const { bench, hash } = build(commit)
  const programs = [new URL("client.mjs", import.meta.url), new URL("against/client.mjs", bench)]
  const runs = {}
  for (const kind of quick ? ["memory", "fetch"] : Object.keys(kinds)) {
    console.log(`  ${kind}`)
    const run = () => runOf(kind, programs, url)
    const first = await run()
    runs[kind] = reaches(`against-${kind}`, median(first.ratio)) ? [first] : [first, await run()]
  }
  const [ours, theirs] = await Promise.all([measurePage(), measurePage(bench)])
  return { commit: hash, runs, pages: { ours, theirs } }
}
