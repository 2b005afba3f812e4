/**
 * What a run has done, so that the next one goes on where it was killed: a line of JSON for each write that was sent, and for
 * each outcome. It contains no secret and no title.
 *
 * @since 0.2.0
 */
import type { Outcome } from "./internal/run.js"
import type { Plan } from "./plan.js"

/**
 * Where the lines of a journal are kept. Its functions return promises, with Effect too. If one rejects, the run ends with that
 * error; with Effect, it is a defect. What was written stays on the list, and the next run goes on from there.
 */
export interface Journal {
  /** All that was appended; `""` at the beginning. */
  readonly read: () => Promise<string>
  /** Adds a text at the end. */
  readonly append: (text: string) => Promise<void>
  /** Makes sure that no other run uses the journal, or rejects. Returns what ends that. */
  readonly lock?: (() => Promise<() => Promise<void>>) | undefined
}

/** What a journal says about an entry: when a write was last sent, and what came of it. */
export interface JournaledEntry {
  readonly sent?: number | undefined
  readonly outcome?: Outcome | undefined
}

/** The hash of a plan: plans with the same changes have the same one. */
const hashOf = ({ changes, kind, version }: Plan): string => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (const character of JSON.stringify([version, kind, changes])) {
    const code = character.codePointAt(0) ?? 0
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  return (high >>> 0).toString(16) + (low >>> 0).toString(16)
}

const parsed = (line: string): (JournaledEntry & { readonly id?: number; readonly plan?: string }) | undefined => {
  try {
    return JSON.parse(line) as JournaledEntry
  } catch {
    // A kill has cut the line off. The list shows whether its write was done.
    return undefined
  }
}

/** Reads a journal, and begins it if it is empty. A `TypeError` if it belongs to another plan. */
export const openJournal = async (journal: Journal, plan: Plan): Promise<Map<number, JournaledEntry>> => {
  const text = await journal.read()
  const hash = hashOf(plan)
  const lines = text.split("\n").map(parsed)
  const head = lines.find((line) => line?.plan !== undefined)
  if (head !== undefined && head.plan !== hash) {
    throw new TypeError(
      "apply: the journal belongs to another plan. Apply the plan that it was begun with, or use a new journal"
    )
  }
  const begun = JSON.stringify({ journal: 1, plan: hash, kind: plan.kind, changes: plan.changes.length })
  // Begins on a new line, after one that was cut off.
  await journal.append((text === "" || text.endsWith("\n") ? "" : "\n") + (head === undefined ? `${begun}\n` : ""))
  return new Map(lines.flatMap((line) => (line?.id === undefined ? [] : [[line.id, line] as const])))
}
