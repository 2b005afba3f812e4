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
 * @typedef {{ readonly question: Question, readonly taken: Taken, readonly rows: ReadonlyArray<Row> }} Answer
 */

/** How much worse than its budget a ratio may be in a quick run, whose rounds are few. */
const slack = 1.5

/** @param {Question} question @param {Figure} figure */
const named = (question, { side, against, beyond, title }) => {
  const other = against ?? beyond
  const { place } = partsOf(other ?? "")
  const otherTitle = other === `${side} on ${place}` ? place : titleOf(question, other ?? "")
  const word = against === undefined ? "beyond" : "against"
  const compared = other === undefined ? "" : ` ${word} ${otherTitle}`
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

/** The section of a question, if it has one. @param {Answer} answer */
const sectionOf = ({ question, taken }) => {
  const { heading, text, columns = [] } = question
  const rows = Object.keys(taken).map((name) => [
    titleOf(question, name),
    ...columns.map(({ of, show, against }) => {
      const value = median(valuesOf(taken, { side: name, of, ...(against && { against: against(name) }) }))
      return Number.isNaN(value) ? "" : show(value)
    })
  ])
  const measured = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ""))
  return text === undefined
    ? []
    : [`## ${heading}`, text, tableOf(["", ...columns.map(({ title }) => title)], measured)]
}

/** @param {ReadonlyArray<Answer>} answers */
const budgets = (answers) => {
  const rows = answers.flatMap(({ rows }) => rows)
  const missed = rows.filter(({ ok }) => !ok)
  return [
    "What each figure must reach, and what it aims at. Half of the rounds were between the two numbers.",
    `**${rows.length - missed.length} of ${rows.length} budgets were met.**` +
      (missed.length === 0
        ? ""
        : " These were not met; where the budget lies within half of the rounds, the next run can meet it."),
    ...(missed.length === 0
      ? []
      : [missed.map(({ title, value, budget }) => `- ${title}: ${value}, must reach ${budget}`).join("\n")]),
    tableOf(
      ["figure", "measured", "half of the rounds", "must reach", "aim", "met"],
      rows.map(({ title, value, spread, budget, aim, ok }) => [
        title,
        `**${value}**`,
        spread,
        budget,
        aim,
        ok ? "✓" : "✗"
      ])
    )
  ]
}

/** All measurements. @param {ReadonlyArray<Answer>} answers */
export const report = (answers) => [...answers.flatMap(sectionOf), "## Budgets", ...budgets(answers)].join("\n\n")

const require = createRequire(import.meta.url)
const [load = 0] = loadavg()

const machine = () => {
  const all = cpus()
  const versions = ["effect", "@effect/platform", "@effect/platform-node", "undici", "esbuild", "axios"]
    .map((name) => `${name} ${require(`${name}/package.json`).version}`)
    .join(", ")
  // The axios that a client brings is another one than that of the row `axios`.
  const theirs = createRequire(require.resolve("node-myanimelist"))("axios/package.json").version
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${all.length} × ${all[0]?.model.trim()}, ` +
    `${Math.round(totalmem() / 1024 ** 3)} GB, ${type()} ${release()}, Node ${process.versions.node} (its \`fetch\` is undici ` +
    `${process.versions["undici"]}); ${versions} (\`node-myanimelist\` brings its own, ${theirs}). ` +
    `Load average when it began: ${load.toFixed(1)}.`
  )
}

const begin = "<!-- measured: everything below is generated by the bench -->"
const end = "<!-- measured: end -->"

/** Puts blocks between the two marks of a page in docs/. @param {string} name @param {ReadonlyArray<string>} blocks */
const writeBetween = (name, blocks) => {
  const page = new URL(`../docs/${name}`, import.meta.url)
  const text = readFileSync(page, "utf8")
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) {
    throw new Error(`docs/${name} has lost its marks`)
  }
  const written = [begin, ...blocks, end].join("\n\n")
  writeFileSync(page, text.slice(0, before) + written + text.slice(after + end.length))
}

/** @param {ReadonlyArray<Answer>} answers */
export const writeReport = (answers) => {
  writeBetween("performance.md", [machine(), ...answers.flatMap(sectionOf)])
  writeBetween("decisions/performance.md", budgets(answers))
}
