// Builds the packages for Effect 4 into effect4/dist, from the sources of packages/:
//
// - A file of effect4/<package>/src replaces the source at the same path.
// - An import of a module that names/ has, like "effect/Effect", gets that one, which adds names of Effect 3.
// - Modules of @effect/platform and @effect/sql are parts of effect.
//
// node effect4/build.mjs            with the fast compiler
// node effect4/build.mjs --stable   with the one whose output is released
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { writeData } from "../scripts/generate/data.mjs"
import { buildCommands } from "../scripts/build.mjs"
import { guidesOf } from "../scripts/generate/guides.mjs"
import { effectFolders, isMain, manifestOf, replaceOnce, root, run } from "../scripts/workspace.mjs"
import { installOnEffect4, minor, moduleOnEffect4, exampleOnEffect4 } from "./examples.mjs"

const here = import.meta.dirname
const namesFolder = join(here, "names")

/** Where the packages are built. */
export const dist = join(here, "dist")

/**
 * The version of the packages for Effect 4: 1.x where those for Effect 3 are 0.x, with the same numbers after the dot.
 *
 * @param {string} version of the packages for Effect 3
 */
export const versionOnEffect4 = (version) => {
  if (!version.startsWith("0.")) {
    throw new Error(
      `Both lines would be ${version}: decide their numbers in docs/decisions/effect-4.md, then change versionOnEffect4`
    )
  }
  return version.replace("0", "1")
}

const version = versionOnEffect4(manifestOf(join(root, "packages/core")).version)

const read = (/** @type {string} */ file) => readFileSync(file, "utf8")

/**
 * The files of a folder, as paths in it.
 *
 * @param {string} folder
 */
export const filesOf = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => relative(folder, join(parentPath, name)))
    : []

/**
 * Writes a file if it differs, so that only changed modules are compiled.
 *
 * @param {string} file
 * @param {string} text
 */
const write = (file, text) => {
  if (!existsSync(file) || read(file) !== text) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/**
 * Writes the files of a folder, and removes others that it has.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} texts
 */
const fill = (folder, texts) => {
  for (const file of filesOf(folder)) {
    if (!texts.has(file)) {
      rmSync(join(folder, file))
    }
  }
  for (const [file, text] of texts) {
    write(join(folder, file), text)
  }
}

/** A program of a page, or of a doc comment. */
const programs = /^( *[*] |)```ts\n[^]*?\n\1```$/gm

/** @param {string} text that names modules of Effect 3 */
const namingModules = (text) =>
  text.replaceAll("`@effect/platform`", "`effect/http`").replaceAll("`@effect/sql`", "`effect/sql`")

/**
 * A source that imports the modules of Effect 4; its comments and their programs have the names of Effect 4.
 *
 * @param {string} text
 * @param {string} file
 */
const onEffect4 = (text, file) =>
  namingModules(text)
    .replaceAll(programs, exampleOnEffect4)
    .replace(/ from "(@?effect\/[^"]*)"/g, (_, /** @type {string} */ module) => {
      const [, name = ""] = /^effect\/(\w+)$/.exec(module) ?? []
      if (existsSync(join(namesFolder, `${name}.ts`))) {
        const path = relative(dirname(file), join("effect", `${name}.js`)).replaceAll(sep, "/")
        return ` from "${path.startsWith(".") ? path : `./${path}`}"`
      }
      return ` from "${moduleOnEffect4(module)}"`
    })

/**
 * The sources of a package, by their paths in `src`.
 *
 * @param {string} name
 */
const sourcesOf = (name) => {
  const shared = join(root, "packages", name, "src")
  const counterparts = join(here, name, "src")
  const modules = filesOf(shared).filter((file) => file.endsWith(".ts"))
  const sources = new Map(modules.map((file) => [file, onEffect4(read(join(shared, file)), file)]))
  for (const file of filesOf(counterparts)) {
    sources.set(file, read(join(counterparts, file)))
  }
  if (name === "node") {
    const file = "userAgent.ts"
    sources.set(file, replaceOnce(sources.get(file) ?? "", manifestOf(join(root, "packages/node")).version, version))
  }
  for (const text of sources.values()) {
    for (const [, module] of text.matchAll(/ from "[./]+\/effect\/(\w+)[.]js"/g)) {
      sources.set(`effect/${module}.ts`, read(join(namesFolder, `${module}.ts`)))
    }
  }
  return sources
}

/**
 * The manifest of a package: what it needs of Effect is in `effect`.
 *
 * @param {string} name
 */
export const packageOf = (name) => {
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = JSON.parse(read(join(root, "packages", name, "package.json")))
  /** @type {Record<string, string>} */
  const ranges = {
    effect: `~${minor}.0`,
    ...Object.fromEntries(effectFolders.map((each) => [`@catalog-client/${each}`, version]))
  }
  /** @param {Record<string, unknown> | undefined} needed */
  const needs = (needed) =>
    needed &&
    Object.fromEntries(
      Object.entries(needed)
        .filter(([other]) => !other.startsWith("@effect/"))
        .map(([other, range]) => [other, ranges[other] ?? range])
    )
  return {
    ...manifest,
    version,
    publishConfig: { ...manifest.publishConfig, tag: "latest" },
    dependencies: needs(manifest.dependencies),
    peerDependencies: needs(manifest.peerDependencies),
    peerDependenciesMeta: needs(manifest.peerDependenciesMeta)
  }
}

/** The programs and commands of both versions, those for Effect 4 first. */
const bothVersions = /^With Effect 4:\n\n((?:```[^]*?^```\n\n)+)With Effect 3:\n\n(?:```[^]*?^```(?:\n\n|\n$))+/gm

/**
 * A page of a tarball, with what a program for Effect 4 installs.
 *
 * @param {string} text
 */
const pageOnEffect4 = (text) =>
  namingModules(installOnEffect4(text.replaceAll(bothVersions, "$1")).replaceAll(programs, exampleOnEffect4))

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`

/**
 * The sources of a package, and how they are compiled.
 *
 * @param {string} name
 */
const prepareSources = (name) => {
  const [from, to] = [join(root, "packages", name), join(dist, name)]
  fill(join(to, "src"), sourcesOf(name))
  // Built packages have the same relative positions as their sources, one folder deeper.
  for (const file of readdirSync(from).filter((file) => /^tsconfig.*json$/.test(file))) {
    write(join(to, file), read(join(from, file)).replace('"../../', '"../../../'))
  }
}

/** @param {string} name */
const prepare = (name) => {
  const to = join(dist, name)
  prepareSources(name)
  for (const [guide, text] of guidesOf(name)) {
    write(join(to, guide), pageOnEffect4(text))
  }
  write(join(to, "README.md"), pageOnEffect4(read(join(root, "packages", name, "README.md"))))
  write(join(to, "LICENSE"), read(join(root, "LICENSE")))
  write(join(to, "package.json"), json(packageOf(name)))
}

/** What tests import, and what they get for it: a file of test/support. */
const supportForTests = Object.entries({
  effect: "effect.js",
  "@effect/vitest": "vitest.js",
  "@effect/platform": "platform.js",
  "@effect/platform-node/NodeHttpClient": "nodeHttpClient.js"
})

/**
 * A test that imports the modules of Effect 4; a program in a string of it stays. The folders of tests are one deeper here.
 *
 * @param {string} text
 * @param {string} file in the folder of tests
 * @param {string} name of the package
 */
const testOnEffect4 = (text, file, name) => {
  const folder = dirname(join(dist, name, "test", file))
  const support = relative(folder, join(here, "test/support")).replaceAll(sep, "/")
  const deeper = text.replaceAll(/(?<= from ")(?=(?:[.][.][/])+(?:scripts|test)[/])/g, "../")
  const replaced = supportForTests.reduce(
    (text, [module, counterpart]) =>
      text.replaceAll(new RegExp(`^(\\S.*) from "${module}"`, "gm"), `$1 from "${support}/${counterpart}"`),
    deeper
  )
  return onEffect4(replaced, join("../dist", file))
}

/**
 * Lays the tests of the packages beside the built packages, where they find Effect 4. A file of effect4/<package>/test
 * replaces the one at the same path.
 */
export const prepareTests = () => {
  for (const name of effectFolders) {
    const [shared, counterparts] = [join(root, "packages", name, "test"), join(here, name, "test")]
    const tests = new Map(filesOf(shared).map((file) => [file, testOnEffect4(read(join(shared, file)), file, name)]))
    for (const file of filesOf(counterparts)) {
      tests.set(file, read(join(counterparts, file)))
    }
    fill(join(dist, name, "test"), tests)
  }
}

/**
 * Builds what has changed; true if it compiles.
 *
 * @param {import("../scripts/build.mjs").Compiler} [compiler]
 */
const build = (compiler = "fast") => {
  effectFolders.forEach(prepare)
  // It is published as a bundle, which packages/promise/build.mjs makes.
  prepareSources("promise")
  write(join(dist, "tsconfig.json"), read(join(root, "packages/tsconfig.json")))
  // The compiler is a Go program. It takes a quarter less CPU if it may use 600 MB before it collects garbage, not 400.
  process.env["GOGC"] ??= "400"
  const isBuilt = run(`${buildCommands[compiler]} effect4/dist effect4/dist/promise`)
  if (isBuilt) {
    writeData(dist)
  }
  return isBuilt
}

if (isMain(import.meta)) {
  process.exitCode = build(process.argv.includes("--stable") ? "stable" : "fast") ? 0 : 1
}
