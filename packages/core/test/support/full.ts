declare global {
  interface ImportMeta {
    /** What a page of vitest has instead of `process.env`. */
    readonly env: NodeJS.ProcessEnv
  }
}

const env = typeof process === "undefined" ? import.meta.env : process.env

/** Whether slow suites go through their whole tables, as `npm test -- full` does; they take samples otherwise. */
export const isFull = env["CATALOG_TESTS"] === "full"

/** Every nth row of a table; `shift` selects other rows. To test pairs of two tables, use the row of one as the other's `shift`. */
export const sampled = <A>(rows: ReadonlyArray<A>, every: number, shift = 0): ReadonlyArray<A> =>
  isFull ? rows : rows.filter((_, index) => (index + shift) % Math.min(every, rows.length) === 0)

/** How often a property is tried: a quarter of the times, unless all is tested. */
export const runs = (numRuns: number) => ({ numRuns: isFull ? numRuns : Math.ceil(numRuns / 4) })
