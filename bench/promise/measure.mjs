// What a program without Effect pays for `catalog-client`: its start, its size on disk and in a page, its types and its calls.
import { build } from "esbuild"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { measure as measureCalls } from "../calls/measure.mjs"
import { compilerOf } from "../types/compile.mjs"

const bench = fileURLToPath(new URL("..", import.meta.url))
const folder = join(bench, ".cache", "promise")
const typescript = "5.9"

/** Prints the CPU time of a process when it ends: since its start, or since it set `begun`. */
const cpuAtExit = `data:text/javascript,${encodeURIComponent(`process.on("exit", () => {
  const { user, system } = process.cpuUsage(globalThis.begun)
  process.stderr.write("cpu " + (user + system) / 1000)
})`)}`

/**
 * Runs a program: its output, and its milliseconds of CPU.
 *
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<{ readonly printed: string, readonly cpu: number, readonly status: number | null }>}
 */
const run = (args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["--import", cpuAtExit, ...args], { cwd: bench })
    let printed = ""
    let errors = ""
    child.stdout.on("data", (text) => (printed += text))
    child.stderr.on("data", (text) => (errors += text))
    child.on("close", (status) => {
      const cpu = Number(/cpu ([\d.]+)$/.exec(errors)?.[1] ?? NaN)
      resolve({ printed: printed + errors.replace(/cpu [\d.]+$/, ""), cpu, status })
    })
  })

/**
 * Milliseconds of CPU of programs that run by turns.
 *
 * @template {string} Name
 * @param {Readonly<Record<Name, ReadonlyArray<string>>>} programs
 * @param {number} rounds
 * @returns {Promise<Record<Name, Array<number>>>}
 */
const byTurns = async (programs, rounds) => {
  const names = /** @type {Array<Name>} */ (Object.keys(programs))
  const taken = /** @type {Record<Name, Array<number>>} */ ({})
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const { cpu, printed, status } = await run(programs[name])
      if (status !== 0) {
        throw new Error(`${name}: ${printed}`)
      }
      taken[name] = [...(taken[name] ?? []), cpu]
    }
  }
  return taken
}

/** @param {string} program */
const code = (program) => ["--input-type=module", "-e", program]

const begin = "globalThis.begun = process.cpuUsage()\n"

/** A command-line program: it only prints what it takes. @param {string} imports */
const help = (imports) => `${imports}
  import { parseArgs } from "node:util"
  const { values } = parseArgs({ args: ["--help"], options: { help: { type: "boolean" } } })
  if (values.help) console.log("usage: titles <id>")`

const page = `
  import { createCatalog } from "catalog-client"
  const catalog = createCatalog({ baseUrl: "https://my-proxy.example/catalog" })
  catalog.anime.get({ id: 30230 }, { fields: ["mean"] }).then(console.log)`

const pageOfOne = `
  import { createCatalogOf } from "catalog-client"
  import { get } from "catalog-client/anime"
  const catalog = createCatalogOf({ anime: { get } }, { baseUrl: "https://my-proxy.example/catalog" })
  catalog.anime.get({ id: 30230 }, { fields: ["mean"] }).then(console.log)`

/**
 * @param {string} contents
 * @param {import("esbuild").BuildOptions} options
 */
const bundled = async (contents, options) => {
  const { outputFiles = [] } = await build({
    stdin: { contents, resolveDir: bench },
    bundle: true,
    write: false,
    format: "esm",
    outdir: folder,
    ...options
  })
  return outputFiles
}

/** The page as minified and compressed; with `import()`, all that the first call loads. */
const pages = async () => {
  /** @type {import("esbuild").BuildOptions} */
  const options = { minify: true, platform: "browser", target: "es2022", splitting: true }
  /** @param {string} contents */
  const sizeOf = async (contents) =>
    (await bundled(contents, options)).reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  return {
    all: await sizeOf(page),
    one: await sizeOf(pageOfOne),
    late: await sizeOf(page.replace(/import (\{ .* \}) from ("[^"]+")/, "const $1 = await import($2)"))
  }
}

/** One file for Node, as it comes out of esbuild: its bytes. It makes a call. @param {string} url */
const oneFile = async (url) => {
  const program = `
    import { createCatalog } from "catalog-client"
    const catalog = createCatalog({ baseUrl: process.argv[2], clientId: "my-client-id" })
    console.log((await catalog.anime.get({ id: 30230 })).id)
    await catalog.close()`
  const [file] = await bundled(program, { platform: "node", target: "node20" })
  if (file === undefined) {
    throw new Error("esbuild wrote nothing")
  }
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "program.mjs")
  writeFileSync(path, file.contents)
  const { printed, status } = await run([path, url])
  if (status !== 0) {
    throw new Error(`the bundled program failed: ${printed}`)
  }
  return file.contents.length
}

/** What an installation adds: the package and its dependencies, and the bytes of its files. */
const installed = () => {
  const cwd = fileURLToPath(new URL("../../packages/promise", import.meta.url))
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd, encoding: "utf8" })
  const [{ unpackedSize, files }] = JSON.parse(stdout)
  return { bytes: Number(unpackedSize), files: Number(files.length) }
}

/** A component that shows a title, and fetches it. */
const component = (/** @type {string} */ titleOf) => `
  import { useEffect, useState } from "react"
  ${titleOf}
  export const Title = ({ id }: { readonly id: number }) => {
    const [title, setTitle] = useState("")
    useEffect(() => {
      void titleOf(id).then(setTitle)
    }, [id])
    return <h1>{title}</h1>
  }`

const typed = {
  ours: component(`
  import { createCatalog, isNotFound } from "catalog-client"
  const catalog = createCatalog({ clientId: "my-client-id" })
  export const titleOf = async (id: number): Promise<string> => {
    try {
      return (await catalog.anime.get({ id }, { fields: ["mean"] })).title
    } catch (error) {
      return isNotFound(error) ? "none" : "try again"
    }
  }`),
  without: component(`
  export const titleOf = async (id: number): Promise<string> => {
    const response = await fetch("https://my-proxy.example/catalog/anime/" + id)
    return response.ok ? ((await response.json()) as { readonly title: string }).title : "none"
  }`)
}

/** The compiler's options. React's types are those of the examples. */
const compilerOptions = {
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  target: "ES2022",
  lib: ["ES2022", "DOM"],
  module: "ESNext",
  moduleResolution: "Bundler",
  jsx: "react-jsx",
  types: [],
  paths: {
    react: [join(bench, "../examples/node_modules/@types/react")],
    "react/jsx-runtime": [join(bench, "../examples/node_modules/@types/react/jsx-runtime")]
  }
}

/** What the compiler does for a small program: types, and seconds of CPU. @param {number} rounds */
const compiled = async (rounds) => {
  mkdirSync(folder, { recursive: true })
  /** @type {Record<keyof typeof typed, { types: number, seconds: Array<number> }>} */
  const taken = { ours: { types: 0, seconds: [] }, without: { types: 0, seconds: [] } }
  for (let round = 0; round < rounds; round++) {
    for (const name of /** @type {Array<keyof typeof typed>} */ (Object.keys(typed))) {
      const config = join(folder, `${name}.json`)
      writeFileSync(join(folder, `${name}.tsx`), typed[name])
      writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${name}.tsx`] }))
      const { cpu, printed, status } = await run([compilerOf(typescript), "-p", config, "--extendedDiagnostics"])
      if (status !== 0) {
        throw new Error(printed)
      }
      taken[name].types = Number(/^Types:\s+(\d+)/m.exec(printed)?.[1])
      taken[name].seconds.push(cpu / 1000)
    }
  }
  return taken
}

/** Seconds until an editor has the diagnostics of each program after an edit, by turns. */
const edited = async () => {
  const library = join(compilerOf(typescript), "..", "typescript.js")
  const { printed } = await run([
    fileURLToPath(new URL("edits.mjs", import.meta.url)),
    library,
    join(folder, "ours.tsx"),
    join(folder, "without.tsx"),
    JSON.stringify(compilerOptions)
  ])
  return /** @type {{ readonly ours: Array<number>, readonly without: Array<number> }} */ (JSON.parse(printed))
}

/**
 * @param {{ readonly url: string, readonly anime: string, readonly page: string }} server
 * @param {{ readonly rounds: number, readonly quick: boolean }} options
 */
export const measure = async (server, { rounds, quick }) => {
  const { url } = server
  const types = await compiled(quick ? 1 : 5)
  return {
    imports: await byTurns(
      {
        ours: code(`${begin} await import("catalog-client")`),
        effect: code(`${begin} await import("@catalog-client/node")`)
      },
      rounds
    ),
    help: await byTurns(
      { ours: code(help('import { createCatalog } from "catalog-client"')), hand: code(help("")) },
      rounds
    ),
    first: await byTurns(
      {
        ours: code(`
          import { createCatalog } from "catalog-client"
          const catalog = createCatalog({ baseUrl: "${url}", clientId: "my-client-id" })
          await catalog.anime.get({ id: 30230 })
          await catalog.close()`),
        fetch: code(`await (await fetch("${url}/anime/30230")).json()`)
      },
      rounds
    ),
    installed: installed(),
    pages: await pages(),
    oneFile: await oneFile(url),
    types,
    edits: await edited(),
    memory: await byTurns(
      { ours: code(overMemory(server.anime, ours)), hand: code(overMemory(server.anime, hand)) },
      rounds
    ),
    // Many short rounds: with other load on the machine, a pair of slices has the same share of it, and the median is steady.
    calls: quick
      ? undefined
      : await measureCalls(server, { names: ["undici", "catalog-client"], rounds: 120, seconds: 0.05, alone: false })
  }
}

/** A call with `catalog-client`, over a dispatcher that answers at once. */
const ours = `
  const { createCatalog } = await import("catalog-client")
  const dispatcher = {
    dispatch: (_, handler) => {
      handler.onRequestStart(controller)
      handler.onResponseStart(controller, 200, {})
      handler.onResponseData(controller, bytes)
      handler.onResponseEnd(controller, {})
      return true
    }
  }
  const catalog = createCatalog({ clientId: "my-client-id", dispatcher })
  const call = () => catalog.anime.get({ id: 30230 })`

/** The same with undici's request, whose handlers have older names. */
const hand = `
  const { request } = await import("undici")
  const dispatcher = {
    dispatch: (_, handler) => {
      handler.onConnect(controller.abort, {})
      handler.onHeaders(200, [], controller.resume, "OK")
      handler.onData(bytes)
      handler.onComplete([])
      return true
    }
  }
  const headers = { "x-client-id": "my-client-id" }
  const call = async () => {
    const signal = new AbortController().signal
    const { body } = await request("https://my-proxy.example/catalog/anime/30230", { dispatcher, headers, signal })
    return JSON.parse(await body.text())
  }`

/**
 * Calls that answer with the same bytes each time.
 *
 * @param {string} body
 * @param {string} call
 */
const overMemory = (body, call) => `
  const bytes = Buffer.from(${JSON.stringify(body)})
  const controller = { abort: () => {}, pause: () => {}, resume: () => {} }
  ${call}
  for (let count = 0; count < 30_000; count++) await call()
  ${begin}
  for (let count = 0; count < 10_000; count++) await call()`
