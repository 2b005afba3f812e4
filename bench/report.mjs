// The answers as the tables of docs/performance.md, and the budgets as that of docs/decisions/performance.md.
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { cpus, loadavg, release, totalmem, type } from "node:os"
import { partsOf, titleOf } from "./figures.mjs"
import { groupsOf, median, quantile, shareOf, valuesOf } from "./runner.mjs"

/**
 * @import { Figure, Question } from "./figures.mjs"
 * @import { Taken } from "./runner.mjs"
 * @typedef {ReturnType<typeof judge>[number]} Row A figure, with its verdict.
 * @typedef {{ name: string, question: Question, taken: Taken, rows: ReadonlyArray<Row> }} Answer
 */

/** By what factor a ratio may miss its budget in a quick run, which has few rounds. */
const slack = 1.5

/** @param {Question} question @param {Figure} figure */
const named = (question, { side, against, beyond, title }) => {
  const other = against ?? beyond
  const { place } = partsOf(other ?? "")
  const otherTitle = other === `${side} on ${place}` ? place : titleOf(question, other ?? "")
  const compared = other === undefined ? "" : ` ${against === undefined ? "beyond" : "against"} ${otherTitle}`
  return `${question.heading}: ${titleOf(question, side)}${compared}: ${title}`.replaceAll("**", "")
}

/** @param {Question} question @param {Taken} taken @param {boolean} quick */
export const judge = (question, taken, quick) =>
  groupsOf(question, quick).flatMap(({ figures, runs = 1 }) =>
    figures.map((figure) => {
      const { least, most, aim, show, against } = figure
      const rounds = valuesOf(taken, figure)
      return {
        title: named(question, figure),
        value: show(median(rounds)),
        // The middle half of the rounds.
        spread: rounds.length === 1 ? "" : `${show(quantile(rounds, 0.25))} to ${show(quantile(rounds, 0.75))}`,
        budget: least === undefined ? `≤ ${show(most ?? NaN)}` : `≥ ${show(least)}`,
        aim: aim === undefined ? "" : show(aim),
        ok: shareOf(taken, figure) <= (quick && runs === 1 && against !== undefined ? slack : 1)
      }
    })
  )

/** @param {ReadonlyArray<string>} head @param {ReadonlyArray<ReadonlyArray<string>>} rows */
const tableOf = (head, rows) =>
  [head, head.map((title) => (title === head[0] ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/** The table of a question, if it has one: without ratios, the least comes first. @param {Answer} answer */
const measured = ({ question, taken }) => {
  const { columns = [] } = question
  const rows = Object.keys(taken).map((name) => [
    titleOf(question, name),
    ...columns.map(({ of, show, against }) => {
      const value = median(valuesOf(taken, { side: name, of, ...(against && { against: against(name) }) }))
      return Number.isNaN(value) ? "" : show(value)
    })
  ])
  const full = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ""))
  const byFirst = full.toSorted(([, a = ""], [, b = ""]) => Number.parseFloat(a) - Number.parseFloat(b))
  const sorted = columns.some(({ against }) => against) ? full : byFirst
  return columns.length === 0 ? "" : tableOf([question.heading, ...columns.map(({ title }) => title)], sorted)
}

/** @param {ReadonlyArray<Answer>} answers */
const budgets = (answers) => {
  const rows = answers.flatMap(({ rows }) => rows)
  const cells = rows.map(({ title, value, spread, budget, aim, ok }) => {
    return [title, `**${value}**`, spread, budget, aim, ok ? "✓" : "✗"]
  })
  const met = `**${rows.filter(({ ok }) => ok).length} of ${rows.length} budgets were met.**`
  return `${met}\n\n${tableOf(["figure", "measured", "half of the rounds", "must reach", "aim", "met"], cells)}`
}

/** All measurements. @param {ReadonlyArray<Answer>} answers */
export const report = (answers) =>
  [...answers.map(measured).filter((table) => table !== ""), budgets(answers)].join("\n\n")

const require = createRequire(import.meta.url)
const [load = 0] = loadavg()

const machine = () => {
  const versions = ["effect", "@effect/platform", "@effect/platform-node", "undici", "esbuild", "axios"]
    .map((name) => `${name} ${require(`${name}/package.json`).version}`)
    .join(", ")
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0]?.model.trim()}, ` +
    `${Math.round(totalmem() / 1024 ** 3)} GB, ${type()} ${release()}, Node ${process.versions.node} ` +
    `(its \`fetch\` is undici ${process.versions["undici"]}); ${versions}. Load average when it began: ${load.toFixed(1)}.`
  )
}

/** Puts a block between its marks in a page of docs/. @param {string} name @param {string} of @param {string} block */
const writeBetween = (name, of, block) => {
  const page = new URL(`../docs/${name}`, import.meta.url)
  const [begin, end] = [`<!-- measured: ${of} -->`, "<!-- measured: end -->"]
  const [before = "", rest] = readFileSync(page, "utf8").split(begin)
  if (rest === undefined) {
    throw new Error(`docs/${name} has lost its mark ${begin}`)
  }
  writeFileSync(page, `${before}${begin}\n\n${block}\n\n${rest.slice(rest.indexOf(end))}`)
}

/** @param {ReadonlyArray<Answer>} answers */
export const writeReport = (answers) => {
  writeBetween("performance.md", "machine", machine())
  for (const answer of answers.filter(({ question }) => question.columns)) {
    // Users read only what follows from these two, so their tables are beside the decisions.
    const page = ["page", "runtimes"].includes(answer.name) ? "decisions/performance.md" : "performance.md"
    writeBetween(page, answer.name, measured(answer))
  }
  writeBetween("decisions/performance.md", "budgets", budgets(answers))
}
