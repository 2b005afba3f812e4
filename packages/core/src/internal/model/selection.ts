/**
 * Normalizes `fields` for the query; `declaration/inputs.ts` puts it there.
 */

/** Fast path: without these, nothing to normalize. */
const untidy = /\s|,,|,}|{,|^,|,$/

/** Normalizes a selector for sending: no blanks around names, no empty names. */
export const toWire = (selector: string): string =>
  untidy.test(selector)
    ? selector
        .replace(/[^,{}]+/g, (name) => name.trim())
        .replace(/,(?=[,}]|$)/g, "")
        .replace(/(^|\{),/g, "$1")
    : selector
