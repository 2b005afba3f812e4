/** Pages in the service's form, with its unusual behavior. */
import type { Quirks } from "../../Quirks.js"
import { whole } from "./requestInputs.js"
import { descending } from "./kind.js"
import { pairsOf } from "../pairs.js"
import type { GrantedRequest } from "./service.js"

export interface Limits {
  readonly default: number
  readonly max: number
  /** Pages also have the URL of the previous one. */
  readonly previous?: boolean
}

interface Window {
  readonly from: number
  readonly to: number
  /** Where the next page begins, if the list goes on. */
  readonly next: number | undefined
}

/**
 * The entries of a page. Offsets include the gap of `emptyPage`, if it is on: it begins after
 * the first `limit` entries and is as long, so a walk along `next` never misses or repeats an entry.
 */
const windowOf = (total: number, offset: number, limit: number, quirks: Quirks): Window => {
  const gap = quirks.emptyPage === true && total > limit ? limit : 0
  const entryAt = (place: number) => Math.min(total, place <= limit ? place : Math.max(limit, place - gap))
  const goesOn = (end: number) => end < total + gap
  const grown = goesOn(offset + limit) && quirks.longPages === true ? limit + 1 : limit
  const size = goesOn(offset + limit) && quirks.shortPages === true ? Math.max(1, grown - 1) : grown
  const end = offset + size
  return { from: entryAt(offset), to: entryAt(end), next: goesOn(end) ? end : undefined }
}

/** The service has its own order of parameters, and writes blanks as `+` and commas as `%2C`, as `URLSearchParams` does. */
const withOffset = (url: URL, offset: number, quirks: Quirks, without: ReadonlyArray<string>): string => {
  const others = pairsOf(url.searchParams)
    .filter(([name]) => name !== "offset" && !without.includes(name))
    .sort(descending(([name]) => name))
  const query = new URLSearchParams([["offset", String(offset)], ...others])
  return `${quirks.nextOrigin ?? url.origin}${url.pathname}?${query.toString()}`
}

const nextOf = (url: URL, offset: number, next: number, quirks: Quirks): string => {
  const { nextLeadsTo, nextOrigin, nextWithout = [] } = quirks
  if (nextLeadsTo === undefined) {
    return withOffset(url, next, quirks, nextWithout)
  }
  switch (nextLeadsTo) {
    case "itself":
      return `${nextOrigin ?? url.origin}${url.pathname}${url.search}`
    case "first":
      return withOffset(url, 0, quirks, nextWithout)
    case "same-page": {
      const view = Number(url.searchParams.get("view") ?? 0) + 1
      return `${withOffset(url, offset, quirks, [...nextWithout, "view"])}&view=${view}`
    }
  }
}

export interface Page {
  readonly data: ReadonlyArray<unknown>
  readonly paging: { readonly next?: string; readonly previous?: string }
}

/** One page of all entries; only the entries on it are converted. */
export const pageOf = <A>(
  { query, service: { quirks }, url }: GrantedRequest<"limit" | "offset">,
  { default: size, max, previous = false }: Limits,
  all: ReadonlyArray<A>,
  show: (entry: A, index: number) => unknown
): Page => {
  const limit = whole(query.limit, "limit", size, 1, max)
  const offset = whole(query.offset, "offset", 0)
  const { from, to, next } = windowOf(all.length, offset, limit, quirks)
  const data = all.slice(from, to).map((entry, index) => show(entry, from + index))
  return {
    data,
    paging: {
      ...(previous && offset > 0 ? { previous: withOffset(url, Math.max(0, offset - limit), quirks, []) } : {}),
      ...(next === undefined ? {} : { next: nextOf(url, offset, next, quirks) })
    }
  }
}
