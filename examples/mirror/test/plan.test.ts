/**
 * What to ask for, and when again.
 */
import { expect, test } from "vitest"
import { dueAt, type Known, missed, namedBy, reasonOf, textOf } from "../src/Plan.js"

const day = 86_400_000
const now = 1_000 * day

test("an item of a list is read for a reason, or not at all", () => {
  const known: Known = { fetched_hash: "a", fetched_at: now - 2 * day, strikes: 0, listed_run: "before" }
  const seen = (hash: string, status = "finished_airing") => ({ hash, status })
  expect(reasonOf(undefined, seen("a"), now)).toBe("new")
  expect(reasonOf({ ...known, fetched_hash: null, fetched_at: null }, seen("a"), now)).toBe("new")
  expect(reasonOf(known, seen("b"), now)).toBe("changed")
  expect(reasonOf(known, seen("a"), now)).toBe(undefined)
  expect(reasonOf(known, seen("a", "currently_airing"), now)).toBe(undefined)
  expect(reasonOf(known, seen("a", "currently_airing"), now + 6 * day)).toBe("unfinished")
  expect(reasonOf(known, seen("a"), now + 6 * day)).toBe(undefined)
  // A list that goes on showing it, and one that shows it again.
  expect(reasonOf({ ...known, strikes: 2 }, seen("b"), now)).toBe(undefined)
  expect(reasonOf({ ...known, strikes: 2, listed_run: null }, seen("b"), now)).toBe("back")
})

test("numbers that always move are no change", () => {
  const hash = (record: object) => textOf(record).hash
  const record = { id: 1, title: "One", mean: 8, rank: 3, num_list_users: 5, statistics: { num_list_users: 5 } }
  expect(hash({ ...record, mean: 7, rank: 4, num_list_users: 6, statistics: {} })).toBe(hash(record))
  expect(hash({ ...record, title: "Two" })).not.toBe(hash(record))
  expect(hash({ ...record, num_episodes: 12 })).not.toBe(hash(record))
  expect(JSON.parse(textOf(record).text)).toEqual(record)
})

test("what does not change is read less and less, at least every twelve weeks", () => {
  const days = (unchanged: number, share: number) => (dueAt(now, unchanged, share) - now) / day
  expect([days(0, 0), days(0, 1), days(1, 0), days(2, 0), days(2, 1), days(30, 0)]).toEqual([14, 28, 28, 56, 84, 84])
})

test("an item is gone after two 404s a day apart, however many come between, and is asked for ever less", () => {
  let state: { strikes: number; since: number | null; due: number } = { strikes: 0, since: null, due: now }
  const at = (time: number) => {
    const after = missed(time, state.strikes, state.since)
    state = after
    return { isGone: after.isGone, days: (after.due - now) / day }
  }
  expect(at(now)).toEqual({ isGone: false, days: 1 })
  expect(at(now + day / 2)).toEqual({ isGone: false, days: 1 })
  expect(at(now + day - 1)).toEqual({ isGone: false, days: 1 })
  expect(at(now + day)).toEqual({ isGone: true, days: 1 + 7 })
  expect(at(now + 8 * day)).toEqual({ isGone: true, days: 8 + 30 })
  expect(at(now + 38 * day)).toEqual({ isGone: true, days: 38 + 90 })
  expect(at(now + 128 * day)).toEqual({ isGone: true, days: 128 + 90 })
})

test("relations and recommendations name items", () => {
  const body = {
    related_anime: [{ node: { id: 1 } }, { relation_type: "other" }],
    related_manga: [{ node: { id: 2 } }, { node: null }, { node: { id: "4" } }, { node: { id: 4.5 } }],
    recommendations: [{ node: { id: 3 } }, null, { node: { id: 0 } }, { node: { id: 2 ** 31 } }]
  }
  expect(namedBy("manga", body)).toEqual([
    { kind: "anime", id: 1 },
    { kind: "manga", id: 2 },
    { kind: "manga", id: 3 }
  ])
  expect(namedBy("anime", { related_anime: "none" })).toEqual([])
})
