/**
 * README's line for an installation works with other installers than npm, and so does what docs/install.md says of programs that use promises alone.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ensureTools } from "../scripts/tools.mjs"
import { packInto, run, temporaryFolder } from "./packed.js"
import { installLine, programUnder, root } from "./readme.js"

const tools = join(root, "test/runtimes/engines")
const bun = join(tools, "node_modules/bun/bin/bun")
const node = process.execPath
const temp = temporaryFolder()
const embeddedProgram = programUnder("Promises")

interface Installer {
  /** Its command line, which `add` and the packages follow. */
  readonly command: ReadonlyArray<string>
  /** What runs a program with the packages. */
  readonly runner: ReadonlyArray<string>
  /** The member of a manifest that takes our packages from their tarballs, since the registry need not have them. */
  readonly overriding: (tarballs: object) => object
}

const yarn = (version: 1 | 4, linker: string): Installer => {
  const settings = { NODE_LINKER: linker, ENABLE_TELEMETRY: "0", ENABLE_IMMUTABLE_INSTALLS: "0", ENABLE_COLORS: "0" }
  const variables = Object.entries(settings).map(([name, value]) => `YARN_${name}=${value}`)
  const command = ["env", ...variables, node, join(tools, `node_modules/yarn-${version}/bin/yarn.js`)]
  return {
    command,
    runner: linker === "pnp" ? [...command, "node"] : [node],
    // Yarn looks for the binaries of every platform, and a mirror of the registry may lack some of the newest.
    overriding: (tarballs) => ({ resolutions: { ...tarballs, "msgpackr-extract": "3.0.4" } })
  }
}

const installers: Readonly<Record<string, Installer>> = {
  pnpm: {
    command: [join(root, "node_modules/.bin/pnpm")],
    runner: [node],
    overriding: (tarballs) => ({ pnpm: { overrides: tarballs } })
  },
  Bun: { command: [bun], runner: [bun, "run"], overriding: (tarballs) => ({ overrides: tarballs }) },
  "Yarn 1": yarn(1, "node-modules"),
  "Yarn 4": yarn(4, "node-modules"),
  "Yarn 4 with Plug'n'Play": yarn(4, "pnp")
}

beforeAll(async () => {
  expect(await ensureTools(tools, ["bun", "yarn-1", "yarn-4"])).toBe("")
  await packInto(temp)
  // Yarn reads no .npmrc.
  const [registry] = /^https?:.+$/m.exec(await run(temp, "npm", "config", "get", "registry")) ?? []
  process.env["YARN_NPM_REGISTRY_SERVER"] = process.env["YARN_REGISTRY"] = registry
})

afterAll(() => {
  delete process.env["YARN_NPM_REGISTRY_SERVER"]
  delete process.env["YARN_REGISTRY"]
  rmSync(temp, { recursive: true, force: true })
})

/** A new project with packages, and README's promise program in it: what the two commands print. */
const tried = async (name: string, { command, overriding, runner }: Installer, specs: ReadonlyArray<string>) => {
  const folder = join(temp, name.replaceAll(/\W/g, "-"))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const tarballOf = (name: string) => `file:${join(temp, `${name.replace("@catalog-client/", "")}.tgz`)}`
  const tarballs = { "@catalog-client/core": tarballOf("core") }
  const manifest = { name: "a-new-project", private: true, type: "module", ...overriding(tarballs) }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  // The root of a project, for Yarn.
  writeFileSync(join(folder, "yarn.lock"), "")
  writeFileSync(join(folder, "program.js"), embeddedProgram.text)
  const line = specs.map((spec) => (spec.startsWith("@catalog-client/") ? `${spec}@${tarballOf(spec)}` : spec))
  const [installer = "", ...args] = command
  const [program = "", ...options] = runner
  const installed = await run(folder, installer, ...args, "add", ...line)
  return { installed, ran: await run(folder, program, ...options, "program.js").catch(String) }
}

const [, , ...specs] = installLine.split(" ")
const ours = specs.filter((spec) => spec.startsWith("@catalog-client/"))

describe.each(Object.entries(installers))("%s", (name, installer) => {
  it("installs README's line, and its promise program runs", async () => {
    const { installed, ran } = await tried(name, installer, specs)
    expect(ran).toBe(embeddedProgram.output)
    expect(installed).not.toMatch(/unmet peer|incorrectly met/)
  })

  const isYarn = name.startsWith("Yarn")
  const wanted = isYarn
    ? "wants the peers named, and says so"
    : "installs the peers of a program that uses promises alone"
  it(wanted, async () => {
    const { installed, ran } = await tried(name, installer, ours)
    if (isYarn) {
      expect(installed).toMatch(/unmet peer dependency "effect@|YN0002: .* doesn't provide effect /)
      expect(ran).toMatch(/Cannot find package 'effect'|tried to access effect \(a peer dependency\)/)
    } else {
      expect(ran).toBe(embeddedProgram.output)
    }
  })
})
