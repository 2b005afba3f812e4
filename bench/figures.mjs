// What a question says of its sides: figures, each with its budget.

/**
 * @typedef {{ readonly url: string, readonly anime: string, readonly page: string }} Service The server, and its bodies.
 * @typedef {Readonly<Record<string, number>>} Sample What is measured of a call: `cpu` and `time` in microseconds, or a side's own.
 * @typedef {() => unknown} Call
 * @typedef {{ readonly many: (calls: number, atATime: number) => Promise<unknown> }} Many
 * @typedef {{ readonly sample: () => Promise<Sample> }} Measured It measures itself, and is asked once in a turn.
 * @typedef {(service: Service) => Call | Many | Measured | Promise<Call | Many | Measured>} Side
 *
 * @typedef {object} Plan How sides take turns.
 * @property {number} [calls] of a slice
 * @property {number} [atATime]
 * @property {number} [turns] of each process
 * @property {number} [rounds] sets of processes: each process compiles the same code a little differently
 * @property {number} [runs] how often sides are measured that miss a budget: the best run counts
 * @property {boolean} [together] they are in one process: for what differs by a few percent
 * @property {number} [alone] calls that are also made one after the other in each turn
 *
 * @typedef {object} Budget
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [aim] what it should become
 * @property {boolean} [quick] in the quick run, too: it is the same in each run, or a ratio of CPU
 * @property {Plan} [plan]
 *
 * @typedef {object} Measure
 * @property {string} title
 * @property {string} of a member of the samples
 * @property {(value: number) => string} show
 *
 * @typedef {object} Compared
 * @property {string} side
 * @property {string} [against] the side by whose measurement it is divided
 * @property {string} [beyond] the side whose measurement is taken off
 *
 * @typedef {Measure & Compared & Budget} Figure
 * @typedef {Measure & { readonly against?: (name: string) => string }} Column
 *
 * @typedef {object} Question A file of questions/. A name is that of a side, or one like `effect on Effect 4`: of a side at a place.
 * @property {string} heading
 * @property {Readonly<Record<string, Side>>} sides
 * @property {Readonly<Record<string, string>>} titles of the sides
 * @property {ReadonlyArray<Figure>} figures
 * @property {Plan} [plan]
 * @property {ReadonlyArray<ReadonlyArray<string>>} [groups] the names that take turns: if there are none, those that a figure compares
 * @property {string} [text] above its table in docs/performance.md
 * @property {ReadonlyArray<Column>} [columns] of that table
 */

export const whole = (/** @type {number} */ value) => value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, " ")
export const times = (/** @type {number} */ value) => value.toFixed(2)
export const kilobytes = (/** @type {number} */ value) => `${(value / 1000).toFixed(1)} kB`
export const milliseconds = (/** @type {number} */ value) => (value / 1000).toFixed(0)

/** A ratio of CPU for a call, which is also valid on a busy machine. @type {(side: string, against: string, budget: Budget) => Figure} */
export const cpu = (side, against, budget) => ({
  title: "CPU",
  of: "cpu",
  show: times,
  side,
  against,
  quick: true,
  ...budget
})

/** A ratio of calls per second. @type {(side: string, against: string, budget: Budget) => Figure} */
export const rate = (side, against, budget) => ({
  title: "calls/s",
  of: "perSecond",
  show: times,
  side,
  against,
  ...budget
})

/** What is the same in each run. @type {(title: string, of: string, side: string, most: number, show?: Measure["show"]) => Figure} */
export const exact = (title, of, side, most, show = whole) => ({ title, of, side, most, show, quick: true })

/** A side and its place. @param {string} name */
export const partsOf = (name) => {
  const [side = "", place = ""] = name.split(" on ")
  return { side, place }
}

/** @param {Question} question @param {string} name */
export const titleOf = ({ titles }, name) => {
  const { side, place } = partsOf(name)
  return `${titles[side] ?? side}${place && `, ${place}`}`
}
