import { format, inspect } from "node:util"
import { printings } from "./canary.js"

/** What prints a value in Node alone. */
export const nodePrinters = {
  inspect,
  format: (value: unknown) => format("%s %o %j", value, value, value),
  "inspect, deep": (value: unknown) => inspect(value, { depth: 20, showHidden: true, getters: true }),
  "inspect, deep and raw": (value: unknown) => inspect(value, { depth: 20, showHidden: true, customInspect: false })
}

/** All that is printed of a value in Node. */
export const printedInNode = (value: unknown): string =>
  printings(value, nodePrinters)
    .map(([, text]) => text)
    .join("\n")
