import { Catalog } from "@catalog-client/core"
import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it, test } from "vitest"
import { tsc, versions } from "../bench/types/compile.mjs"
import { isFull } from "../packages/core/test/support/full.js"
import { isShown, read, root, shownOutput } from "./readme.js"

const run = promisify(execFile)

describe("the programs of the README", () => {
  it.each(["effect.ts", "promise.ts", "layer.test.ts", "promise.test.ts"])(
    "are the files of examples/: %s",
    (example) => {
      expect(isShown(example), `README.md has no ts block that equals examples/${example}`).toBe(true)
    }
  )

  it.each(["effect.ts", "promise.ts"])("print what the README says: %s", async (example) => {
    const { stdout } = await run(process.execPath, [join(root, "examples/dist", example.replace(".ts", ".js"))])
    expect(stdout).toBe(shownOutput(example))
  })
})

const operations = Object.entries(Catalog).flatMap(([domain, operations]) =>
  Object.entries<object>(operations).map(([name, operation]) => ({
    domain,
    name,
    isList: "items" in operation
  }))
)

it("npm run demo goes through every operation", { timeout: 170_000 }, async () => {
  const { stdout } = await run(process.execPath, [join(root, "scripts/demo.mjs")]).catch(
    (failed: { readonly stdout: string }) => failed
  )
  const names = operations.map(({ domain, name }) => `catalog.${domain}.${name}`)
  expect(names.filter((name) => !stdout.includes(`✓ ${name} `))).toEqual([])
  expect(stdout).toContain("Everything did what it should.")
})

/** The ts blocks of a text, each below as many empty lines as it has above it there: an error then names the true line. */
const blocksOf = (text: string, margin: RegExp): ReadonlyArray<string> => {
  const blocks: Array<string> = []
  let block: Array<string> | undefined
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.replace(margin, "")
    if (block === undefined) {
      if (line.startsWith("```ts")) block = Array.from({ length: index + 1 }, () => "")
    } else if (line.startsWith("```")) {
      blocks.push(block.join("\n"))
      block = undefined
    } else {
      block.push(line)
    }
  }
  return blocks
}

const lists = [...new Set(operations.flatMap(({ name, isList }) => (isList ? [name] : [])))].join("|")

/** The arguments of each call of an operation that reads a list, up to the parenthesis that closes them. */
const listCallsIn = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(new RegExp(`\\.(${lists})(\\s*\\.(items|pages|collect))?\\(`, "g"))].map((call) => {
    const from = call.index + call[0].length
    let depth = 1
    let to = from
    for (; to < code.length && depth > 0; to++) depth += code[to] === "(" ? 1 : code[to] === ")" ? -1 : 0
    return code.slice(from, to)
  })

const readmes = ["core", "node", "browser"].map((name) => `packages/${name}/README.md`)

const guides = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`)

const sources = ["core", "node", "browser"].flatMap((name) =>
  readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `packages/${name}/src/${path}`)
)

/** Inside the workspace, where the examples find the packages. */
const folder = join(root, ".cache/examples")

test("no text counts the operations, so that a new one leaves it right", () => {
  const manifests = ["package.json", ...["core", "node", "browser"].map((name) => `packages/${name}/package.json`)]
  const decisions = readdirSync(join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`)
  const counted = /\b(\d+|\w*teen|twenty[\w-]*) (operations|endpoints|declarations)\b/gi
  const found = ["README.md", ...readmes, ...manifests, ...guides, ...decisions].flatMap((path) =>
    [...read(path).matchAll(counted)].map(([text]) => `${path}: ${text}`)
  )
  expect(found).toEqual([])
})

describe("the examples", () => {
  it("request of a list only what lists carry", () => {
    const calls = ["README.md", ...readmes, ...guides, ...sources].flatMap((path) =>
      blocksOf(read(path), path.endsWith(".md") ? /^/ : /^\s*\* ?/).flatMap(listCallsIn)
    )
    expect(calls.length).toBeGreaterThan(10)
    const single = /\b(related_(anime|manga)|pictures|background|recommendations|statistics|serialization)\b/
    expect(calls.filter((call) => single.test(call))).toEqual([])
  })

  it("in README.md, guides and doc comments compile", { timeout: 600_000 }, async () => {
    rmSync(folder, { recursive: true, force: true })
    for (const path of ["README.md", ...readmes, ...guides, ...sources]) {
      const margin = path.endsWith(".md") ? /^/ : /^\s*\* ?/
      for (const [index, block] of blocksOf(read(path), margin).entries()) {
        const file = join(folder, `${path}.${index + 1}.ts`)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, block)
      }
    }
    const config = {
      extends: "../../tsconfig.json",
      // An example may declare what it does not go on to use.
      compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, incremental: false, tsBuildInfoFile: null },
      include: ["**/*.ts"],
      references: []
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    for (const version of isFull ? versions : versions.slice(-1)) {
      const { printed } = await tsc(version, ["-p", folder])
      expect(printed.replaceAll(/^\.cache\/examples\/(.*?)\.\d+\.ts\(/gm, "$1("), version).toBe("")
    }
  })
})
