/**
 * How a run shows itself.
 */
import { expect, test } from "vitest"
import { jsonOf, lineOf, paceOf } from "../src/Progress.js"
import type { Progress } from "../src/Store.js"
import { readFileSync } from "node:fs"

const now = 1_000_000_000
const progress: Progress = {
  run: "2026-11-22T09:00:00.000Z",
  phase: "items",
  pages: 220,
  entries: 105_000,
  planned: 32_500,
  answered: 12_345,
  lately: 60,
  requests: 12_568,
  retries: 3,
  interval: 1000,
  outcomes: { added: 12_343, missing: 2 },
  startedAt: now - 12_600_000,
  finishedAt: null,
  reason: null
}

test("on a terminal: phase, done of planned, the time left in 80 columns, pace, outcomes and retries, as the page shows it", () => {
  const line = lineOf(progress, paceOf(progress, now))
  expect(line).toBe(
    "items  12 345 of 32 500  37 %  ████████░░░░░░░░░░░░  5 h 36 min left  1.00/s of 1/s  12 343 added  2 missing  3 retries"
  )
  expect(line.slice(0, 79)).toContain("5 h 36 min left")
  expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(line)
})

test("the first minute counts as long as it has lasted; before the first answer the quota is the pace", () => {
  const young = { ...progress, startedAt: now - 10_000, lately: 8 }
  expect(paceOf(young, now)).toEqual({ rate: 0.8, quota: 1, secondsLeft: Math.round(20_155 / 0.8) })
  expect(paceOf({ ...young, lately: 0, interval: 500 }, now).secondsLeft).toBe(Math.round(20_155 / 2))
  expect(paceOf({ ...young, phase: "lists" }, now).secondsLeft).toBe(undefined)
})

test("lists, and the end", () => {
  const lists: Progress = { ...progress, phase: "lists", outcomes: {}, retries: 0 }
  expect(lineOf(lists, paceOf(lists, now))).toBe("lists  220 pages  105 000 entries  0 retries")
  const end: Progress = { ...progress, phase: "finished", answered: 32_500, finishedAt: now }
  expect(lineOf(end, paceOf(end, now))).toBe(
    "finished  32 500 of 32 500  12 343 added  2 missing  3 retries  12 568 requests  3 h 30 min"
  )
})

test("elsewhere: a line of JSON", () => {
  expect(JSON.parse(jsonOf(progress, paceOf(progress, now), now))).toMatchObject({
    at: "1970-01-12T13:46:40.000Z",
    phase: "items",
    answered: 12_345,
    rate: 1,
    quota: 1,
    secondsLeft: 20_155
  })
})
