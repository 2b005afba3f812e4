// What do the types cost the compiler? 200 calls with selectors under each supported TypeScript, and a program's declarations.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { tsc, versions } from "../../test/compilers.mjs"
import { exact } from "../figures.mjs"

const last = versions.at(-1) ?? ""

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

/** How each operation is called. @type {ReadonlyArray<[name: string, params: string, fields: Array<string>, read: string]>} */
const operations = [
  ["anime.get", "{ id: 1 }, ", [...details, ...plain, ...anime, ...nested, ...counts], "mean"],
  ["anime.search", '{ q: "x" }, ', [...plain, ...anime, ...nested], "data[0]?.node.mean"],
  ["anime.seasonal", '{ year: 2017, season: "fall" }, ', [...nested, ...plain, ...anime], "data[0]?.node.mean"],
  ["anime.ranking", '{ rankingType: "tv" }, ', [...counts, ...plain, ...nested, ...anime], "data[0]?.node.mean"],
  ["anime.suggestions", "", [...anime, ...plain], "data[0]?.node.mean"],
  ["anime.updateMyListStatus", "{ id: 1, score: 1 }, ", status, "score"],
  ["manga.get", "{ id: 1 }, ", [...details, ...manga, ...plain, ...nested, "serialization{node{name}}"], "mean"],
  ["manga.search", '{ q: "x" }, ', [...plain, ...manga, ...nested, ...counts], "data[0]?.node.mean"],
  ["manga.ranking", '{ rankingType: "all" }, ', [...manga, ...nested, ...plain], "data[0]?.node.mean"],
  ["manga.updateMyListStatus", "{ id: 1, score: 1 }, ", status, "score"],
  ["user.me", "", user, "name"],
  ["user.get", '{ username: "@me" }, ', user, "name"],
  ["user.animeList", '{ username: "@me" }, ', [...list, ...plain, ...nested, ...anime], "data[0]?.node.mean"],
  ["user.mangaList", '{ username: "@me" }, ', [...list, ...manga, ...plain, ...counts], "data[0]?.node.mean"]
]

/** 200 calls that select up to 25 names, beginning with the one that is read. */
const calls = () => {
  const lines = ['import { Catalog } from "@catalog-client/core"', 'import type * as Effect from "effect/Effect"']
  for (let call = 0; call < 200; call++) {
    const [operation = "", params = "", names = [], read = ""] = operations[call % operations.length] ?? []
    const rotated = names.map((_, index) => names[(index + call) % names.length])
    const wanted = names.filter((name) => read.endsWith(name))
    const some = [...new Set([...wanted, ...rotated.slice(0, 3 + (call % 22))])]
    const fields = call % 2 === 0 ? JSON.stringify(some) : JSON.stringify(some.join(call % 4 === 1 ? ", " : ","))
    lines.push(
      `const call${call} = Catalog.${operation}(${params}{ fields: ${fields}, timeout: ${call} })`,
      `export const read${call} = (reply: Effect.Effect.Success<typeof call${call}>) => reply.${read}`
    )
  }
  return lines.join("\n")
}

const one = `
  import { createCatalog } from "catalog-client"
  export const anime = createCatalog().anime.get({ id: 1 }, { fields: ["mean"] })`

const flags = "--strict --exactOptionalPropertyTypes --skipLibCheck --noEmit"
const options = `${flags} --target ES2022 --lib ES2022,DOM --module NodeNext --typeRoots`.split(" ")

/** What the compiler prints of a program. @param {string} version @param {string} program @param {string} option */
const compile = async (version, program, option) => {
  const folder = fileURLToPath(new URL("../.cache/programs/", import.meta.url))
  const file = `${folder}${version}${option}.ts`
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, program)
  // Later versions refuse a file beside a project's tsconfig.json.
  const alone = Number(version) < 6 ? [] : ["--ignoreConfig"]
  const { status, printed } = await tsc(version, [...options, folder, file, option, ...alone])
  if (status !== 0) {
    throw new Error(printed)
  }
  return printed
}

/** @param {string} version */
const instantiations = async (version) => {
  const printed = await compile(version, calls(), "--extendedDiagnostics")
  return { instantiations: Number(/^Instantiations:\s+(\d+)/m.exec(printed)?.[1]) }
}

/** The lines that the compiler reads besides its own: many more if one of our declarations refers to `@types/node`. */
const declarations = async () => {
  const files = (await compile(last, one, "--listFilesOnly")).trim().split("\n")
  const ours = files.filter((file) => !file.includes("typescript") && file.endsWith("ts"))
  return { lines: ours.reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length, 0) }
}

export const sides = {
  ...Object.fromEntries(versions.map((version) => [version, () => ({ sample: () => instantiations(version) })])),
  declarations: () => ({ sample: declarations })
}

export const heading = "Types"
export const titles = {
  ...Object.fromEntries(versions.map((version) => [version, `200 calls with selectors, TypeScript ${version}`])),
  declarations: "a program of `catalog-client`, declarations that it loads"
}
export const groups = [
  {
    turns: 1,
    rounds: 1,
    figures: [
      // Before 5.9, the compiler did not keep the instantiations of its mappers.
      ...versions.map((version) => ({
        ...exact("instantiations", "instantiations", version, Number(version) < 5.9 ? 265_000 : 180_000),
        quick: version === last || version === versions[0]
      })),
      exact("lines", "lines", "declarations", 5000)
    ]
  }
]
