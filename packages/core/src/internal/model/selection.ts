/**
 * Selectors as values: their form on the wire, and their names.
 */
import type { AnySelector } from "../../Selector.js"

/** Fast path: without these, nothing to normalize. */
const untidy = /\s|,,|,}|{,|^,|,$/

/** A selector as it is sent: without blanks around names and without empty names. */
export const toWire = (selector: string): string =>
  untidy.test(selector)
    ? selector
        .replace(/[^,{}]+/g, (name) => name.trim())
        .replace(/,(?=[,}]|$)/g, "")
        .replace(/(^|\{),/g, "$1")
    : selector

/** The selected names, each with the names in its braces. */
export interface Selection extends ReadonlyMap<string, Selection> {}

interface Growing extends Map<string, Growing> {}

/** Parses a selector in the same way as the types above. */
export const parse = (selector: AnySelector): Selection => {
  const root: Growing = new Map()
  const open: Array<Growing> = [root]
  let last = root
  for (const [token] of toWire(typeof selector === "string" ? selector : selector.join(",")).matchAll(
    /[{}]|[^,{}]+/g
  )) {
    const level = open.at(-1) ?? root
    if (token === "{") {
      open.push(last)
    } else if (token === "}") {
      open.pop()
    } else {
      last = level.get(token) ?? new Map<string, Growing>()
      level.set(token, last)
    }
  }
  return root
}
