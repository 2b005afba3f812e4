/** What docs/install.md says of installers: one package is enough for promises, Effect is one copy, and Effect 4 is reported. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ensureTools } from "../scripts/test/tools.mjs"
import { packCatalogClient, packInto, quietly, run, temporaryFolder } from "./packed.js"
import { clientProgram, effectLine, installLine, nodeProgram, programUnder, root } from "./readme.js"

const tools = join(root, "test/runtimes/engines")
const bun = join(tools, "node_modules/bun/bin/bun")
const node = process.execPath
const temp = temporaryFolder()
const embeddedProgram = programUnder("Promises")

interface Installer {
  /** Its command line, which the packages follow. */
  readonly command: ReadonlyArray<string>
  /** What runs a program with the packages. */
  readonly runner: ReadonlyArray<string>
  /** The member of a manifest that takes core from its tarball, since the registry need not have it. */
  readonly overriding: (tarballs: object) => object
  /** What it prints where a project has Effect 4: for node alone, or nothing and the program runs; and with core. */
  readonly reports: { readonly node?: RegExp; readonly core?: RegExp }
}

const yarn = (version: 1 | 4, linker: string): Installer => {
  const settings = { NODE_LINKER: linker, ENABLE_TELEMETRY: "0", ENABLE_IMMUTABLE_INSTALLS: "0", ENABLE_COLORS: "0" }
  const variables = Object.entries(settings).map(([name, value]) => `YARN_${name}=${value}`)
  const command = ["env", ...variables, node, join(tools, `node_modules/yarn-${version}/bin/yarn.js`)]
  const incorrect =
    version === 1
      ? /incorrect peer dependency "effect@\^3/
      : /YN0060: .* effect is listed by your project with version 4/
  return {
    command: [...command, "add"],
    runner: linker === "pnp" ? [...command, "node"] : [node],
    // Yarn looks for the binaries of every platform, and a mirror of the registry may lack some of the newest.
    overriding: (tarballs) => ({ resolutions: { ...tarballs, "msgpackr-extract": "3.0.4" } }),
    reports: version === 1 ? { core: incorrect } : { node: incorrect, core: incorrect }
  }
}

const unmet = /unmet peer effect@\^3[.]21[.]0: found 4/

const installers: Readonly<Record<string, Installer>> = {
  npm: {
    command: ["npm", "install", ...quietly],
    runner: [node],
    overriding: (overrides) => ({ overrides }),
    reports: { core: /ERESOLVE unable to resolve dependency tree/ }
  },
  pnpm: {
    command: [join(root, "node_modules/.bin/pnpm"), "add"],
    runner: [node],
    overriding: (overrides) => ({ pnpm: { overrides } }),
    reports: { node: unmet, core: unmet }
  },
  Bun: { command: [bun, "add"], runner: [bun, "run"], overriding: (overrides) => ({ overrides }), reports: {} },
  "Yarn 1": yarn(1, "node-modules"),
  "Yarn 4": yarn(4, "node-modules"),
  "Yarn 4 with Plug'n'Play": yarn(4, "pnp"),
  "Yarn 4 with links": yarn(4, "pnpm")
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

/** A program that says whether the client has the copies of Effect that itself has. */
const copies = `
import { createRequire } from "node:module"
const own = createRequire(import.meta.url)
const client = createRequire(own.resolve("@catalog-client/node"))
const core = createRequire(client.resolve("@catalog-client/core"))
const isShared = (name) => own.resolve(name) === client.resolve(name) && own.resolve(name) === core.resolve(name)
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
  return { installed, ran: await run(folder, program, ...options, "program.js").catch(String) }
}

const specsOf = (line: string) => line.split(" ").slice(2)
const one = specsOf(installLine)
const withEffect = specsOf(effectLine)

describe.each(Object.entries(installers))("%s", (name, installer) => {
  it("runs README's promise program with the one package of README's line", async () => {
    expect(one).toEqual(["catalog-client"])
    const { installed, ran } = await tried(name, installer, one, embeddedProgram.text)
    expect(ran).toBe(embeddedProgram.output)
    if (name !== "Yarn 1") {
      expect(installed).not.toMatch(/unmet peer|incorrectly met|YN0002/)
    }
  })

  it.each([
    { title: "a new project", others: [] },
    { title: "a project with the newest Effect", others: ["effect@latest"] }
  ])("runs the program of catalog-client: $title", async ({ others }) => {
    const { installed, ran } = await tried(name, installer, ["catalog-client", ...others], clientProgram.text)
    expect(ran).toBe(clientProgram.output)
    expect(installed).not.toMatch(/peer|YN0002|YN0060/)
  })

  it("shares the copy of Effect that a project names", async () => {
    const ours = withEffect.filter((spec) => spec.startsWith("@catalog-client/"))
    // The lowest that the client supports. Yarn 1 would install the newest, too.
    const specs = name === "Yarn 1" ? withEffect : [...ours, "effect@3.21.0", "@effect/platform@0.96.0"]
    const { installed, ran } = await tried(name, installer, specs, copies)
    expect(ran).toBe("true true\n")
    expect(installed).not.toMatch(/unmet peer|incorrectly met|YN0002/)
  })

  it("runs a promise program in a project with Effect 4, or reports the conflict", async () => {
    const { installed, ran } = await tried(name, installer, ["@catalog-client/node", "effect@4"], nodeProgram().text)
    if (installer.reports.node === undefined) {
      expect(ran).toBe(embeddedProgram.output)
    } else {
      expect(installed).toMatch(installer.reports.node)
    }
  })

  const { core } = installer.reports
  if (core !== undefined) {
    it("reports Effect 4 to a program with Effect", async () => {
      const specs = withEffect.map((spec) => spec.replace(/^effect@3$/, "effect@4"))
      expect((await tried(name, installer, specs, "")).installed).toMatch(core)
    })
  }
})
