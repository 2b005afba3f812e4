// What a question says of its sides: figures, each with its budget.

/**
 * @typedef {Readonly<Record<"url" | "anime" | "page", string>>} Service The server's URL, and its bodies.
 * @typedef {Readonly<Record<string, number>>} Sample Of a call: `cpu` and `time` in microseconds, or what a side measures.
 * @typedef {(() => unknown) | { readonly sample: () => Promise<Sample> }} Call Is timed, or measures itself.
 * @typedef {(service: Service) => Call | Promise<Call>} Side
 *
 * @typedef {object} Column
 * @property {string} title
 * @property {string} of a member of the samples
 * @property {(value: number) => string} show
 * @property {(name: string) => string} [against] the side by whose measurement it is divided
 *
 * @typedef {object} Budget
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [aim] what it should become
 * @property {boolean} [quick] whether the quick run has it: a figure that is the same in each run, or a ratio of CPU
 *
 * @typedef {object} Compared
 * @property {string} side
 * @property {string} [against] the side by whose measurement it is divided
 * @property {string} [beyond] the side whose measurement is subtracted
 *
 * @typedef {Omit<Column, "against"> & Compared & Budget} Figure
 *
 * @typedef {object} Group Sides that take turns: those of its figures, and others.
 * @property {ReadonlyArray<Figure>} figures
 * @property {ReadonlyArray<string>} [others]
 * @property {number} [calls] of a slice
 * @property {number} [atATime]
 * @property {number} [alone] calls that are also made one after the other in each turn
 * @property {number} [turns] of each process
 * @property {number} [rounds] sets of processes: each process compiles the same code a little differently
 * @property {number} [runs] how often sides are measured that miss a budget: the best run counts
 *
 * @typedef {object} Question A file of questions/. It names a side, as `effect`, or a side at a place, as `effect on Effect 4`.
 * @property {string} heading
 * @property {Readonly<Record<string, Side>>} sides
 * @property {Readonly<Record<string, string>>} titles of the sides, where a name does not say it
 * @property {ReadonlyArray<Group>} groups
 * @property {ReadonlyArray<Column>} [columns] of its table in docs/performance.md
 */

export const whole = (/** @type {number} */ value) => value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, " ")
export const times = (/** @type {number} */ value) => value.toFixed(2)
export const kilobytes = (/** @type {number} */ value) => `${(value / 1000).toFixed(1)} kB`
export const milliseconds = (/** @type {number} */ value) => (value / 1000).toFixed(0)

/** @type {(title: string, of: string, quick: boolean) => (side: string, against: string, budget: Budget) => Figure} */
const ratio = (title, of, quick) => (side, against, budget) => {
  return { title, of, show: times, side, against, quick, ...budget }
}

/** A ratio of CPU for a call, which is also valid on a busy machine. */
export const cpu = ratio("CPU", "cpu", true)

/** A ratio of calls per second. */
export const rate = ratio("calls/s", "perSecond", false)

/**
 * A figure that is the same in each run.
 *
 * @type {(title: string, of: string, side: string, most: number, show?: Column["show"]) => Figure}
 */
export const exact = (title, of, side, most, show = whole) => ({ title, of, side, most, show, quick: true })

/** A side and its place. @param {string} name */
export const partsOf = (name) => {
  const [side = "", place = ""] = name.split(" on ")
  return { side, place }
}

/** @param {Question} question @param {string} name */
export const titleOf = ({ titles }, name) => {
  const { side, place } = partsOf(name)
  return `${titles[side] ?? (side.includes(" ") ? side : `\`${side}\``)}${place && `, ${place}`}`
}
