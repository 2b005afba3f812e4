// What does a program pay for the client when it starts: an import, `--help`, and the first call?
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { cpu } from "../figures.mjs"
import { effect4, onEffect4 } from "../runner.mjs"

const bench = new URL("../", import.meta.url)

/** A program that imports modules: it is measured from there. @param {ReadonlyArray<string>} modules */
const importing = (...modules) =>
  `begin()\n${modules.map((module) => `await import(${JSON.stringify(module)})`).join("\n")}`

/** A command-line program, which only prints what it takes. @param {string} imports */
const help = (imports) => `${imports}
  import { parseArgs } from "node:util"
  const { values } = parseArgs({ args: ["--help"], options: { help: { type: "boolean" } } })
  if (values.help) console.log("usage: titles <id>")`

/** @type {Readonly<Record<string, (url: string) => string>>} */
const programs = {
  "catalog-client": () => importing("catalog-client"),
  node: () => importing("@catalog-client/node"),
  parts: () => importing("effect/Effect", "@effect/platform/HttpClient", "undici"),
  "node on Effect 4": () => importing("@catalog-client/node"),
  "parts on Effect 4": () => importing("effect/Effect", "effect/http/HttpClient", "undici"),
  "platform-node": () => importing("@effect/platform-node/NodeHttpClient"),
  help: () => help('import { createCatalog } from "catalog-client"'),
  "help by hand": () => help(""),
  first: (url) => `
    import { createCatalog } from "catalog-client"
    const catalog = createCatalog({ baseUrl: "${url}", clientId: "my-client-id" })
    await catalog.anime.get({ id: 30230 })
    await catalog.close()`,
  "first by hand": (url) => `await (await fetch("${url}/anime/30230")).json()`
}

/** Prints the CPU and the time of a process when it ends: since its start, or since it called `begin`. */
const meter = `data:text/javascript,${encodeURIComponent(`
  let started = 0
  let before
  globalThis.begin = () => ([started, before] = [performance.now(), process.cpuUsage()])
  process.on("exit", () => {
    const { user, system } = process.cpuUsage(before)
    process.stderr.write(JSON.stringify({ cpu: user + system, time: (performance.now() - started) * 1000 }))
  })`)}`

/**
 * Runs a program in a process of its own.
 *
 * @param {string} program
 * @param {URL} folder
 * @returns {Promise<import("../runner.mjs").Sample>}
 */
const run = (program, folder) =>
  new Promise((resolve, reject) => {
    const args = ["--import", meter, "--input-type=module", "-e", program]
    const child = spawn(process.execPath, args, { cwd: fileURLToPath(folder), stdio: ["ignore", "ignore", "pipe"] })
    let printed = ""
    child.stderr.on("data", (text) => (printed += text))
    child.on("close", (status) => (status === 0 ? resolve(JSON.parse(printed)) : reject(new Error(printed))))
  })

/** @type {import("../runner.mjs").Question["measure"]} */
export const measure = async ({ url, quick }) => {
  /** @type {Record<string, Array<Array<import("../runner.mjs").Sample>>>} */
  const taken = {}
  for (let round = 0; round < (quick ? 5 : 11); round++) {
    for (const [name, program] of Object.entries(programs)) {
      const sample = await run(program(url), name.endsWith(onEffect4) ? effect4 : bench)
      taken[name] = [...(taken[name] ?? []), [sample]]
    }
  }
  return taken
}

export const figures = {
  import: cpu(
    "importing `@catalog-client/node` against `effect/Effect`, `HttpClient` and undici alone",
    "node",
    "parts"
  ),
  "import-beyond": {
    title: "importing `@catalog-client/node` beyond the same: ms of CPU",
    of: "cpu",
    side: "node",
    beyond: "parts"
  },
  "effect4-import": cpu("Effect 4: importing `@catalog-client/node`, against Effect 3", "node on Effect 4", "node"),
  "promise-import": cpu("`catalog-client`: importing it, against `@catalog-client/node`", "catalog-client", "node"),
  "promise-help": cpu(
    "`catalog-client`: `--help` of a small program, against the same without a client",
    "help",
    "help by hand"
  ),
  "promise-first": cpu(
    "`catalog-client`: a program with one call, against one with one `fetch`",
    "first",
    "first by hand"
  )
}

const milliseconds = (/** @type {number} */ value) => (value / 1000).toFixed(0)

/** @type {import("../runner.mjs").Table} */
export const table = {
  heading: "Import",
  text:
    "What the first `import` in a fresh process adds to the start of a command-line program or a serverless function. Most of it is " +
    "Effect and undici: the second row imports only these.",
  first: "modules",
  columns: [
    { title: "ms", of: "time", show: milliseconds },
    { title: "ms CPU", of: "cpu", show: milliseconds }
  ],
  rows: {
    node: "`@catalog-client/node`",
    parts: "`effect/Effect`, `@effect/platform/HttpClient`, `undici`",
    "node on Effect 4": "`@catalog-client/node` for Effect 4",
    "parts on Effect 4": "`effect/Effect`, `effect/http/HttpClient` of Effect 4, `undici`",
    "platform-node": "`@effect/platform-node/NodeHttpClient`",
    "catalog-client": "`catalog-client`"
  }
}
