/**
 * What a run has done, so that the next one goes on where it was killed: a line of JSON for each write that was sent, and for
 * each outcome. It contains no secret and no title.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Outcome } from "./internal/run.js"
import type { Plan } from "./plan.js"

/**
 * Where a run notes what it does. If one of its Effects fails, the run fails with that error, and the next one goes on from
 * there.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { Effect } from "effect"
 *
 * // In memory, for a test.
 * export const memoryJournal = (): Sync.Journal => {
 *   let kept = ""
 *   return {
 *     read: Effect.sync(() => kept),
 *     append: (text) => Effect.sync(() => void (kept += text))
 *   }
 * }
 * ```
 */
export interface Journal<E = never, R = never> {
  /** All that was appended; `""` at the beginning. */
  readonly read: Effect.Effect<string, E, R>
  /** Adds a text at the end. */
  readonly append: (text: string) => Effect.Effect<void, E, R>
  /** Keeps other runs away until the scope closes, or fails. */
  readonly lock?: Effect.Effect<void, E, R | Scope> | undefined
}

/** A journal whose functions return promises, as a program with promises passes it. */
export interface PromisedJournal {
  readonly read: () => Promise<string>
  readonly append: (text: string) => Promise<void>
  readonly lock?: (() => Promise<() => Promise<void>>) | undefined
}

/** A journal over one of promises. `run` says what becomes of a rejection; an unlock is not expected to fail. */
export const journalOver = <E>(
  journal: PromisedJournal,
  run: <A>(ask: () => Promise<A>) => Effect.Effect<A, E>
): Journal<E> => ({
  read: run(() => journal.read()),
  append: (text) => run(() => journal.append(text)),
  lock:
    journal.lock &&
    Effect.asVoid(Effect.acquireRelease(run(journal.lock.bind(journal)), (unlock) => Effect.promise(unlock)))
})

/** What a journal says about an entry: when a write was last sent, and what came of it. */
export interface JournaledEntry {
  readonly sent?: number | undefined
  readonly outcome?: Outcome | undefined
}

/** An object with its members in one order: a Schema that decodes a plan can change it. */
const ordered = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** The hash of a plan: plans with the same changes have the same one. */
const hashOf = ({ changes, kind, version }: Plan): string => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (const character of JSON.stringify([version, kind, changes], ordered)) {
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
export const openJournal = <E, R>(
  journal: Journal<E, R>,
  plan: Plan
): Effect.Effect<Map<number, JournaledEntry>, E, R> =>
  Effect.gen(function* () {
    const text = yield* journal.read
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
    yield* journal.append((text === "" || text.endsWith("\n") ? "" : "\n") + (head === undefined ? `${begun}\n` : ""))
    return new Map(lines.flatMap((line) => (line?.id === undefined ? [] : [[line.id, line] as const])))
  })
