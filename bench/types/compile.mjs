// What selectors cost the compiler: the same 200 calls with selectors and without, under each supported TypeScript.
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { manifestOf } from "../../scripts/setup.mjs"

/** @type {{ readonly types: Readonly<Record<"instantiations" | "instantiationsBefore5.9", number>> }} */
const { types } = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"))
const bench = fileURLToPath(new URL("..", import.meta.url))

/**
 * The compiler of a version: a program for Node.
 *
 * @param {string} version
 */
export const compilerOf = (version) => join(bench, "node_modules", `typescript-${version}`, "lib", "tsc.js")

/**
 * Runs a compiler: its exit code and its output.
 *
 * @param {string} version
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<{ readonly status: unknown, readonly printed: string }>}
 */
export const tsc = (version, args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [compilerOf(version), ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, printed: stdout + stderr })
    )
  })

const folder = join(bench, ".cache")

/** The versions that package.json has an alias for. Not read from node_modules: the build imports this before an installation. */
export const versions = Object.keys(manifestOf(bench).devDependencies ?? {})
  .filter((name) => name.startsWith("typescript-"))
  .map((name) => name.slice("typescript-".length))
  .toSorted((one, other) => Number(one) - Number(other))

/** The command of the newest compiler, which is the quickest by far. */
export const newest = `node "${compilerOf(versions.at(-1) ?? "")}"`

const plain = ["mean", "rank", "popularity", "synopsis", "status", "media_type", "nsfw", "start_date", "end_date"]
const counts = ["num_list_users", "num_scoring_users", "num_favorites", "created_at", "updated_at", "main_picture"]
const anime = ["num_episodes", "start_season{year}", "broadcast", "source", "rating", "studios{name}", "videos{title}"]
const nested = ["genres{name}", "alternative_titles{en,ja}", "my_list_status{status,score,tags,comments}"]
const manga = ["num_volumes", "num_chapters", "authors{first_name,last_name}"]
// Only a single item has these.
const details = [
  "related_anime{node{mean,genres{name}},relation_type}",
  "recommendations{node{mean,my_list_status{score}},num_recommendations}",
  "background"
]
const list = ["list_status{status,score,tags,comments}"]
const user = ["picture", "gender", "birthday", "time_zone", "is_supporter", "anime_statistics{num_days,mean_score}"]
const status = ["status", "score", "tags", "comments", "priority", "updated_at"]

/**
 * Each operation that takes `fields`: how it is called, the names it has, and what a caller reads of it.
 *
 * @type {ReadonlyArray<readonly [string, string | undefined, ReadonlyArray<string>, string]>}
 */
const operations = [
  ["anime.get", "{ id: 1 }", [...details, ...plain, ...anime, ...nested, ...counts], "mean"],
  ["anime.search", '{ q: "x" }', [...plain, ...anime, ...nested], "data[0]?.node.mean"],
  ["anime.seasonal", '{ year: 2017, season: "fall" }', [...nested, ...plain, ...anime], "data[0]?.node.mean"],
  ["anime.ranking", '{ rankingType: "tv" }', [...counts, ...plain, ...nested, ...anime], "data[0]?.node.mean"],
  ["anime.suggestions", undefined, [...anime, ...plain], "data[0]?.node.mean"],
  ["anime.updateMyListStatus", "{ id: 1, score: 1 }", status, "score"],
  ["manga.get", "{ id: 1 }", [...details, ...manga, ...plain, ...nested, "serialization{node{name}}"], "mean"],
  ["manga.search", '{ q: "x" }', [...plain, ...manga, ...nested, ...counts], "data[0]?.node.mean"],
  ["manga.ranking", '{ rankingType: "all" }', [...manga, ...nested, ...plain], "data[0]?.node.mean"],
  ["manga.updateMyListStatus", "{ id: 1, score: 1 }", status, "score"],
  ["user.me", undefined, user, "name"],
  ["user.get", '{ username: "@me" }', user, "name"],
  ["user.animeList", '{ username: "@me" }', [...list, ...plain, ...nested, ...anime], "data[0]?.node.mean"],
  ["user.mangaList", '{ username: "@me" }', [...list, ...manga, ...plain, ...counts], "data[0]?.node.mean"]
]

/**
 * The names that a call selects, by its number: up to 25, beginning with the one that is read.
 *
 * @param {ReadonlyArray<string>} names
 * @param {string} read
 * @param {number} call
 */
const selected = (names, read, call) => {
  const wanted = read.split(".").at(-1) ?? ""
  const rotated = names.map((_, index) => names[(index + call) % names.length])
  const some = rotated.slice(0, 3 + (call % 22))
  return names.includes(wanted) && !some.includes(wanted) ? [wanted, ...some] : some
}

/** @param {boolean} withSelectors */
const program = (withSelectors) => {
  const lines = ['import { Catalog } from "@catalog-client/core"', 'import type * as Effect from "effect/Effect"']
  const calls = Array.from({ length: 200 }, (_, call) => operations[call % operations.length] ?? []).entries()
  for (const [call, [operation, params, names = [], read = ""]] of calls) {
    const some = selected(names, read, call)
    const fields = call % 2 === 0 ? JSON.stringify(some) : JSON.stringify(some.join(call % 4 === 1 ? ", " : ","))
    const options = withSelectors ? `{ fields: ${fields}, timeout: ${call} }` : `{ timeout: ${call} }`
    const what = withSelectors ? read : read.replace("node.mean", "node.title").replace(/^mean$/, "title")
    lines.push(
      `const call${call} = Catalog.${operation}(${params === undefined ? options : `${params}, ${options}`})`,
      `export const read${call} = (reply: Effect.Effect.Success<typeof call${call}>) => reply.${what}`
    )
  }
  return lines.join("\n")
}

/**
 * Compiles one of the two programs: its errors, its instantiations, which are the same each time, and the seconds it took.
 *
 * @param {string} version
 * @param {"without" | "with"} name
 */
const compile = async (version, name) => {
  const { status, printed } = await tsc(version, ["-p", join(folder, `${name}.json`), "--extendedDiagnostics"])
  const figure = (/** @type {string} */ label) =>
    Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(printed)?.[1] ?? NaN)
  return {
    errors: status === 0 ? "" : printed.replace(/^\w[\w/ ]*:\s.*$/gm, "").trim(),
    instantiations: figure("Instantiations"),
    seconds: figure("Total time")
  }
}

/**
 * Compiles both programs under a version.
 *
 * @param {string} version
 */
export const measure = async (version) => {
  mkdirSync(folder, { recursive: true })
  for (const name of ["without", "with"]) {
    writeFileSync(join(folder, `${name}.ts`), program(name === "with"))
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      target: "ES2022",
      lib: ["ES2022", "DOM"],
      module: "NodeNext",
      types: []
    }
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  }
  return { without: await compile(version, "without"), selected: await compile(version, "with") }
}

/** What the program with selectors may cost. Before 5.9, the compiler did not keep the instantiations of its mappers. @param {string} version */
export const budgetOf = (version) => types[Number(version) < 5.9 ? "instantiationsBefore5.9" : "instantiations"]
