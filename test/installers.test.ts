/** What docs/install.md says of installers: `catalog-client` is one package, and Effect is a peer that is installed or reported. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ensureTools } from "./tools.mjs"
import { packCatalogClient, packInto, quietly, run, temporaryFolder } from "./packed.js"
import { clientProgram, installLine, root } from "./readme.js"

const tools = join(root, "test/runtimes/engines")
const bun = join(tools, "node_modules/bun/bin/bun")
const node = process.execPath
const temp = temporaryFolder()

interface Installer {
  /** Its command line, which the packages follow. */
  readonly command: ReadonlyArray<string>
  /** What runs a program with the packages. */
  readonly runner: ReadonlyArray<string>
  /** The member of a manifest that takes core from its tarball, because the registry need not have it. */
  readonly overriding: (tarballs: object) => object
  /** What it prints where a project names no Effect, unless it installs the peers. */
  readonly missing?: RegExp
  /** What it or the program prints where a project has Effect 4. */
  readonly incorrect: RegExp
}

const yarn = (version: 1 | 4, linker: string): Installer => {
  const settings = { NODE_LINKER: linker, ENABLE_TELEMETRY: "0", ENABLE_IMMUTABLE_INSTALLS: "0", ENABLE_COLORS: "0" }
  const variables = Object.entries(settings).map(([name, value]) => `YARN_${name}=${value}`)
  const command = ["env", ...variables, node, join(tools, `node_modules/yarn-${version}/bin/yarn.js`)]
  return {
    command: [...command, "add"],
    runner: linker === "pnp" ? [...command, "node"] : [node],
    // Yarn looks for the binaries of every platform, and a mirror of the registry may lack some of the newest.
    overriding: (tarballs) => ({ resolutions: { ...tarballs, "msgpackr-extract": "3.0.4" } }),
    ...(version === 1
      ? { missing: /unmet peer dependency "effect@\^3/, incorrect: /incorrect peer dependency "effect@\^3/ }
      : {
          missing: /YN0002: .* doesn't provide effect/,
          incorrect: /YN0060: .* effect is listed by your project with version 4/
        })
  }
}

const installers: Readonly<Record<string, Installer>> = {
  npm: {
    command: ["npm", "install", ...quietly],
    runner: [node],
    overriding: (overrides) => ({ overrides }),
    incorrect: /ERESOLVE unable to resolve dependency tree/
  },
  pnpm: {
    command: [join(root, "node_modules/.bin/pnpm"), "add"],
    runner: [node],
    overriding: (overrides) => ({ pnpm: { overrides } }),
    incorrect: /unmet peer effect@\^3[.]21[.]0: found 4/
  },
  Bun: {
    command: [bun, "add"],
    runner: [bun, "run"],
    overriding: (overrides) => ({ overrides }),
    // Bun prints nothing, and the program fails as docs/install.md says.
    incorrect: /Cannot find module .+(ConfigError|FiberRef)/
  },
  "Yarn 1": yarn(1, "node-modules"),
  "Yarn 4": yarn(4, "node-modules"),
  "Yarn 4 with Plug'n'Play": yarn(4, "pnp")
}

beforeAll(async () => {
  expect(await ensureTools(tools, ["bun", "yarn-1", "yarn-4"])).toBe("")
  await packInto(temp)
  await packCatalogClient(temp)
  // Yarn reads no .npmrc.
  const [registry] = /^https?:.+$/m.exec(await run(temp, "npm", "config", "get", "registry")) ?? []
  process.env["YARN_NPM_REGISTRY_SERVER"] = process.env["YARN_REGISTRY"] = registry
})

afterAll(() => {
  delete process.env["YARN_NPM_REGISTRY_SERVER"]
  delete process.env["YARN_REGISTRY"]
  rmSync(temp, { recursive: true, force: true })
})

/** A program that says whether the client has the copies of Effect that itself has, or else one of each. */
const copies = `
import { createRequire } from "node:module"
import "@catalog-client/node"
const own = createRequire(import.meta.url)
const client = createRequire(own.resolve("@catalog-client/node"))
const core = createRequire(client.resolve("@catalog-client/core"))
const of = (from, name) => { try { return from.resolve(name) } catch { return client.resolve(name) } }
const isShared = (name) => of(own, name) === of(core, name) && of(own, name) === client.resolve(name)
console.log(isShared("effect"), isShared("@effect/platform"))
`

/** A new project with packages, and a program in it: what the two commands print. */
const tried = async (
  name: string,
  { command, overriding, runner }: Installer,
  specs: ReadonlyArray<string>,
  text: string
) => {
  const folder = join(temp, name.replaceAll(/\W/g, "-"))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const isOurs = (spec: string) => spec === "catalog-client" || spec.startsWith("@catalog-client/")
  const fileOf = (name: string) => (name === "catalog-client" ? "promise" : name.replace("@catalog-client/", ""))
  const tarballOf = (name: string) => `file:${join(temp, `${fileOf(name)}.tgz`)}`
  const core = "@catalog-client/core"
  const needsCore = specs.some((spec) => spec.startsWith("@catalog-client/"))
  // npm refuses to override what a project names.
  const overrides = !needsCore || (name === "npm" && specs.includes(core)) ? {} : { [core]: tarballOf(core) }
  const manifest = { name: "a-new-project", private: true, type: "module", ...overriding(overrides) }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  // The root of a project, for Yarn.
  writeFileSync(join(folder, "yarn.lock"), "")
  writeFileSync(join(folder, "program.js"), text)
  const line = specs.map((spec) => (isOurs(spec) ? `${spec}@${tarballOf(spec)}` : spec))
  const [installer = "", ...args] = command
  const [program = "", ...options] = runner
  const installed = await run(folder, installer, ...args, ...line).catch(String)
  return { folder, installed, ran: await run(folder, program, ...options, "program.js").catch(String) }
}

const problem = /unmet peer|incorrect|YN0002|YN0060/

describe.each(Object.entries(installers))("%s", (name, installer) => {
  test.each([
    { title: "a new project", others: [] },
    { title: "a project with the newest Effect", others: ["effect@latest"] }
  ])("runs the program of catalog-client with the one package of README's line: $title", async ({ others }) => {
    const line = installLine.split(" ").slice(2)
    expect(line).toEqual(["catalog-client"])
    const { folder, installed, ran } = await tried(name, installer, [...line, ...others], clientProgram.text)
    expect(ran).toBe(clientProgram.output)
    expect(installed).not.toMatch(problem)
    if (others.length === 0 && !name.includes("Plug'n'Play")) {
      const files = readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" })
      const names = files.flatMap(
        (file) => /(?:^|node_modules\/)((?:@[^/]+\/)?[^/@.][^/]*)\/package[.]json$/.exec(file)?.[1] ?? []
      )
      expect([...new Set(names)]).toEqual(["catalog-client"])
    }
  })

  test.each([
    {
      title: "the lowest versions of the peers",
      others: ["effect@3.21.0", "@effect/platform@0.96.0"],
      said: undefined
    },
    { title: "no peers", others: [], said: installer.missing },
    { title: "Effect 4", others: ["effect@4", "@effect/platform@0.97"], said: installer.incorrect }
  ])("installs the packages for Effect and their peers, or reports them: $title", async ({ others, said }) => {
    const specs = ["@catalog-client/core", "@catalog-client/node", ...others]
    const { installed, ran } = await tried(name, installer, specs, copies)
    if (said !== undefined) {
      expect(installed + ran).toMatch(said)
    } else {
      expect(ran).toBe("true true\n")
      expect(installed).not.toMatch(problem)
    }
  })
})
