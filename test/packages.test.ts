import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../packages/core/test/support/full.js"
import { installLine, read, root, shownOutput } from "./readme.js"

const names = ["core", "node", "browser"]

/** Outside the workspace, so that nothing of it is found by accident. */
const temp = realpathSync(mkdtempSync(join(tmpdir(), "catalog-client-")))
const project = join(temp, "project")
const tarball = (name: string) => join(temp, `${name}.tgz`)

/** Runs a command and gives all it printed; where it fails, the error has all it printed. */
const run = async (cwd: string, command: string, ...args: ReadonlyArray<string>): Promise<string> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, maxBuffer: 2 ** 26 })
    return stdout + stderr
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error })
  }
}

const tool = (name: string, ...args: ReadonlyArray<string>) => run(root, join(root, "node_modules/.bin", name), ...args)

interface Manifest {
  readonly name: string
  readonly exports: Record<string, unknown>
  readonly peerDependencies: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, unknown>
}

const manifest = (name: string) => JSON.parse(read(`packages/${name}/package.json`)) as Manifest

/** What can be imported: `@catalog-client/core`, `@catalog-client/core/anime`, … */
const entryPoints = names.flatMap((name) => {
  const { exports, name: packageName } = manifest(name)
  return Object.keys(exports)
    .filter((key) => key !== "./package.json")
    .map((key) => packageName + key.slice(1))
})

const withNodeTypes = "@catalog-client/node/redis"

/** What some of them need besides. */
const optionalPeers = names.flatMap((name) => {
  const { peerDependencies, peerDependenciesMeta = {} } = manifest(name)
  return Object.keys(peerDependenciesMeta).map((peer) => `${peer}@${peerDependencies[peer]}`)
})

beforeAll(async () => {
  for (const name of names) await tool("pnpm", "--dir", `packages/${name}`, "pack", "--out", tarball(name))
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

describe.each(names)("the tarball of %s", (name) => {
  it("passes publint", () => tool("publint", "run", tarball(name), "--strict"))

  it("passes attw", () => tool("attw", tarball(name), "--profile", "esm-only", "--no-definitely-typed"))

  it("holds what a user needs and nothing else", async () => {
    const files = (await run(temp, "tar", "-tzf", tarball(name))).trim().split("\n")
    expect(files).toContain("package/LICENSE")
    expect(files).toContain("package/README.md")
    const guides = [...read(`packages/${name}/README.md`).matchAll(/^- `(docs\/.+?)`/gm)].map(([, path]) => path)
    expect(files.filter((file) => file.includes("/docs/"))).toEqual(guides.map((path) => `package/${path}`))
    expect(
      files.filter(
        (file) =>
          !/^package\/((dist|src)\/.+[.](ts|js|map)|docs\/\w+[.]md|package[.]json|README[.]md|CHANGELOG[.]md|LICENSE)$/.test(
            file
          )
      )
    ).toEqual([])
    expect(await run(temp, "tar", "-xzOf", tarball(name), "package/package.json")).not.toContain("workspace:")
  })
})

describe("a new project", () => {
  const write = (file: string, content: unknown) => writeFileSync(join(project, file), JSON.stringify(content, null, 2))

  beforeAll(async () => {
    mkdirSync(project)
    write("package.json", { name: "a-new-project", private: true, type: "module" })
    // The README's line, with the tarballs where it has our names. Core and browser are not in it, and not published yet.
    const specs = installLine.split(" ").slice(2)
    const ours = names.map(tarball)
    const line = [
      ...ours,
      ...specs.filter((spec) => !spec.startsWith("@catalog-client/")),
      ...optionalPeers,
      "@types/node@20"
    ]
    const quietly = ["--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=5"]
    await run(project, "npm", "install", "--prefix", project, "--strict-peer-deps", ...quietly, ...line)
  })

  it("has one copy of effect and of @effect/platform", () => {
    const copies = readdirSync(join(project, "node_modules"), { recursive: true, encoding: "utf8" }).filter((path) =>
      /(^|node_modules\/)(effect|@effect\/platform)\/package[.]json$/.test(path)
    )
    expect(copies.toSorted()).toEqual(["@effect/platform/package.json", "effect/package.json"])
  })

  it("can import the public modules and no others", () => {
    const { resolve } = createRequire(join(project, "index.js"))
    const importable = names.flatMap((name) => {
      const packageName = `@catalog-client/${name}`
      const modules = readdirSync(join(project, "node_modules", packageName, "dist"), {
        recursive: true,
        encoding: "utf8"
      })
        .filter((path) => path.endsWith(".js"))
        .flatMap((path) => [path, path.slice(0, -3), `dist/${path}`])
      const candidates = [...entryPoints, ...modules.map((path) => `${packageName}/${path}`)]
      return candidates.filter((specifier) => {
        try {
          return resolve(specifier) !== ""
        } catch {
          return false
        }
      })
    })
    expect([...new Set(importable)].toSorted()).toEqual(entryPoints.toSorted())
  })

  it("compiles everything public and the README's promise program, and runs that", async () => {
    write("tsconfig.json", {
      files: ["everything.ts", "program.ts"],
      compilerOptions: {
        target: "ES2022",
        module: "NodeNext",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        types: []
      }
    })
    const importing = (specifiers: ReadonlyArray<string>) =>
      specifiers.map((specifier, index) => `export * as module${index} from "${specifier}"\n`).join("")
    writeFileSync(join(project, "everything.ts"), importing(entryPoints.filter((name) => name !== withNodeTypes)))
    // The declarations of ioredis want Node's.
    writeFileSync(join(project, "redis.ts"), importing([withNodeTypes]))
    write("tsconfig.redis.json", {
      extends: "./tsconfig.json",
      compilerOptions: { types: ["node"] },
      files: ["redis.ts"]
    })
    writeFileSync(join(project, "program.ts"), read("examples/promise.ts"))
    // The newest is the quickest by far; our own comes last, where there is time for it.
    for (const version of isFull ? ["7.0", "5.9"] : ["7.0"]) {
      const tsc = join(root, `bench/node_modules/typescript-${version}/lib/tsc.js`)
      await run(project, process.execPath, tsc, "-p", ".")
      await run(project, process.execPath, tsc, "-p", "tsconfig.redis.json")
    }
    await run(project, process.execPath, "everything.js")
    await run(project, process.execPath, "redis.js")
    expect(await run(project, process.execPath, "program.js")).toBe(shownOutput("promise.ts"))
  })
})
