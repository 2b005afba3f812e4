/**
 * The page about faults says what the tests prove.
 */
import { expect, test } from "vitest"
import {
  type Fault,
  faults,
  type Outcome,
  outcomeOf,
  type Transport,
  transports
} from "../packages/core/test/support/wireFaults.js"
import { read } from "./readme.js"

const plain = JSON.stringify({ id: 1, title: "One" }, null, 1)

const shown = (outcome: Outcome): string => {
  if ("answer" in outcome) {
    const json: string | undefined = JSON.stringify(outcome.answer, null, 1)
    // With spaces, which a narrow column needs.
    return json === undefined ? "done" : json === plain ? "the reply" : `\`${json.replaceAll(/\n */g, " ")}\``
  }
  return outcome._tag === "ClientRestError"
    ? `\`${outcome.reason}\`, ${outcome.status}`
    : `\`${outcome.reason}\`${outcome.cause === undefined ? "" : `, \`${outcome.cause.code}\``}`
}

/** The transports with which something else comes out than with the package's own on that platform. */
const others = (fault: Fault, own: Transport): string => {
  const usual = shown(outcomeOf(fault, own))
  const names = (Object.keys(transports) as Array<Transport>).filter((name) => transports[name] === transports[own])
  const byOutcome = new Map<string, ReadonlyArray<string>>()
  for (const name of names) {
    const outcome = shown(outcomeOf(fault, name))
    byOutcome.set(outcome, [...(byOutcome.get(outcome) ?? []), `\`${name}\``])
  }
  byOutcome.delete(usual)
  const both = "`NodeHttpClient.layerUndici`, `NodeHttpClient.layer`"
  return [...byOutcome]
    .map(([outcome, names]) => `${names.join(", ").replace(both, "`NodeHttpClient`")}: ${outcome}`)
    .join("; ")
}

const row = (fault: Fault): string => {
  const node = shown(outcomeOf(fault, "CatalogNode.layer"))
  const chromium = shown(outcomeOf(fault, "CatalogBrowser.layer"))
  const elsewhere = [
    chromium === node ? "" : `Chromium: ${chromium}`,
    others(fault, "CatalogNode.layer"),
    others(fault, "CatalogBrowser.layer")
  ].filter((text) => text !== "")
  return `| ${fault.name.replace("__proto__", "`__proto__`")} | ${fault.does} | ${node} | ${elsewhere.join("; ") || "as on Node"} |`
}

const table = [
  "| fault | what happens | on Node | elsewhere |",
  "|---|---|---|---|",
  ...faults.filter(({ does }) => does !== undefined).map(row)
]

test("the table of docs/faults.md equals that of the tests", () => {
  const [, section = ""] = /^## On the network\n([^]*?)^## /m.exec(read("docs/faults.md")) ?? []
  const written = section.split("\n").filter((line) => line.startsWith("|"))
  expect(written.join("\n")).toBe(table.join("\n"))
})
