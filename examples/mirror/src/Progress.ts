/**
 * How a run shows itself: a line on a terminal, lines of JSON elsewhere.
 */
import type { Named } from "./Plan.js"
import type { Progress } from "./Store.js"

export interface Pace {
  /** Requests in a second, as measured. */
  readonly rate: number
  /** Requests in a second, as allowed. */
  readonly quota: number
  readonly secondsLeft: number | undefined
}

/** How fast the run was in the last minute, and how long the rest takes at that pace. */
export const paceOf = (progress: Progress, now: number): Pace => {
  const quota = Math.round((1000 / progress.interval) * 100) / 100
  const seconds = Math.max(1, Math.min(60, (now - progress.startedAt) / 1000))
  const rate = progress.lately / seconds
  const left = progress.planned - progress.answered
  return {
    rate: Math.round(rate * 100) / 100,
    quota,
    secondsLeft: progress.phase === "items" ? Math.round(left / (rate > 0 ? rate : quota)) : undefined
  }
}

const number = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, " ")

export const duration = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  if (seconds < 90) {
    return `${Math.round(seconds)} s`
  }
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const counts = ({ outcomes }: Progress): ReadonlyArray<string> =>
  ["added", "changed", "back", "gone", "missing", "failed"].flatMap((name) =>
    outcomes[name] === undefined ? [] : [`${number(outcomes[name])} ${name}`]
  )

/** One line for a terminal. */
export const lineOf = (progress: Progress, { quota, rate, secondsLeft }: Pace): string => {
  const parts: Array<string> = [progress.phase]
  if (progress.phase === "lists") {
    parts.push(`${number(progress.pages)} pages`, `${number(progress.entries)} entries`)
  } else {
    parts.push(`${number(progress.answered)} of ${number(progress.planned)}`)
  }
  if (progress.phase === "items") {
    const share = progress.answered / Math.max(1, progress.planned)
    parts.push(`${Math.floor(share * 100)} %`, "█".repeat(Math.round(share * 20)).padEnd(20, "░"))
    // Before what a narrow terminal cuts off.
    if (secondsLeft !== undefined) {
      parts.push(`${duration(secondsLeft)} left`)
    }
    parts.push(`${rate.toFixed(2)}/s of ${quota}/s`)
  }
  parts.push(...counts(progress), `${number(progress.retries)} retries`)
  if (progress.phase === "finished" && progress.finishedAt !== null) {
    parts.push(`${number(progress.requests)} requests`, duration((progress.finishedAt - progress.startedAt) / 1000))
  }
  if (progress.reason !== null) {
    parts.push(progress.reason)
  }
  return parts.join("  ")
}

/** Which items had no usable response: the first of them, and why. */
export const failuresIn = (items: ReadonlyArray<Named & { readonly failure: string }>): string => {
  const shown = items.slice(0, 3).map(({ failure, id, kind }) => `${kind}/${id} (${failure})`)
  const rest = items.length > shown.length ? ` and ${items.length - shown.length} more` : ""
  return `${items.length} items had no usable response: ${shown.join(", ")}${rest}. Each run requests them again.`
}

/** One line for a program. */
export const jsonOf = (progress: Progress, pace: Pace, now: number): string =>
  JSON.stringify({ at: new Date(now).toISOString(), ...progress, ...pace })
