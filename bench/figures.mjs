// The kinds of figures; each has its budget in budgets.json.

/** @import { Figure } from "./runner.mjs" */

/** A ratio of CPU for a call, which is also valid on a busy machine. @type {(title: string, side: string, against: string) => Figure} */
export const cpu = (title, side, against) => ({ title: `${title}: CPU`, of: "cpu", side, against, when: "quick" })

/** A ratio of calls per second. @type {(title: string, side: string, against: string) => Figure} */
export const rate = (title, side, against) => ({ title: `${title}: calls/s`, of: "perSecond", side, against })

/** What is the same in each run. @type {(title: string, of: string, side: string) => Figure} */
export const exact = (title, of, side) => ({ title, of, side, when: "exact" })
