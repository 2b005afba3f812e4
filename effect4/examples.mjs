// The programs of doc comments are for Effect 3. Here they get the names of Effect 4. Pages show both programs; a test
// compares them.
import { join } from "node:path"
import { manifestOf, root } from "../scripts/workspace.mjs"

/** The version of Effect 4, whose HTTP modules can break in the next minor version. */
const { effect = "" } = manifestOf(join(root, "effect4")).devDependencies ?? {}

/** The minor version of Effect, whose patch versions are supported from the first to the newest. */
export const minor = effect.replace(/[.]\d+$/, "")

/** What modules of Effect 3 begin with, and what they begin with in Effect 4. */
const moved = /** @type {const} */ ([
  ["@effect/platform/HttpApi", "effect/http-api/HttpApi"],
  ["@effect/platform/HttpLayerRouter", "effect/http/HttpRouter"],
  ["@effect/platform/OpenApi", "effect/http-api/OpenApi"],
  ["@effect/platform/KeyValueStore", "effect/persistence/KeyValueStore"],
  ["@effect/platform", "effect/http"],
  ["@effect/sql", "effect/sql"],
  ["@effect/rpc", "effect/rpc"]
])

/**
 * Where Effect 4 has a module of Effect 3: `@effect/platform/HttpClient` is `effect/http/HttpClient`.
 *
 * @param {string} module
 */
export const moduleOnEffect4 = (module) => {
  // Packages like @effect/platform-node are others.
  const [from, to] = moved.find(([from]) => module.startsWith(from) && !module.startsWith(`${from}-`)) ?? ["", ""]
  return to + module.slice(from.length)
}

/** Names of Effect 3 that programs use, and those of Effect 4 in their place; docs/effect-versions.md shows this table. */
export const renames = /** @type {const} */ ([
  ["Effect.Service<Shelf>", "Context.Service<Shelf>"],
  ["effect: Effect.gen", "make: Effect.gen"],
  ["Shelf.Default", "Shelf.layer"],
  ["Effect.catchAll", "Effect.catch"],
  ["Effect.fork", "Effect.forkChild"],
  ["Effect.zipRight", "Effect.andThen"],
  ["Config.duration", "Config.Duration"],
  ["Config.number", "Config.Number"],
  ["Config.redacted", "Config.Redacted"],
  ["Config.string", "Config.String"],
  ["HttpLayerRouter", "HttpRouter"],
  ["Layer.unwrapEffect", "Layer.unwrap"],
  ["Layer.unwrapScoped", "Layer.unwrap"],
  ["Schema.Date", "Schema.DateFromString"],
  ["Schema.decodeUnknown", "Schema.decodeUnknownEffect"],
  ["Schema.NumberFromString", "Schema.FiniteFromString"],
  ["Schema.parseJson", "Schema.fromJsonString"]
])

/** The longest are first, because one can contain another. A test finds each in a program. */
const longestFirst = renames.toSorted(([one], [other]) => other.length - one.length)

/**
 * A command that installs the client for Effect 3, or what its programs use besides it, for Effect 4.
 *
 * @param {string} command
 */
export const installOnEffect4 = (command) =>
  command
    // A later version of these can need a later version of Effect.
    .replaceAll(
      /npm install (--save-dev )?(?=@catalog-client[/]\w+@effect3|@effect[/](?:sql|opentelemetry)@)/g,
      "npm install $1--save-exact "
    )
    .replaceAll(/(@catalog-client[/]\w+)@effect3/g, "$1")
    .replaceAll(/effect@3(?:` and `| )@effect[/]platform@[\d.]+/g, `effect@${minor}`)
    // In Effect 4, `effect` includes it.
    .replaceAll(/@effect\/sql@[\d.]+ /g, "")
    .replaceAll(/(?<=@effect\/sql-\w+@)[\d.]+/g, "4.0")
    .replaceAll(/(?<=@effect\/(?:platform-node|opentelemetry)@)[\d.]+/g, minor)
    .replaceAll(/vitest@3 @effect\/vitest@[\d.]+/g, "vitest@5 @effect/vitest@4.0")

/**
 * A program that also imports some modules of `effect`, except what it declares itself.
 *
 * @param {string} program
 * @param {ReadonlyArray<string>} modules
 */
const withImports = (program, modules) =>
  program.replace(/(?<=\bimport \{ )[^}]+(?= \} from "effect")/, (names) => {
    const all = names.split(", ")
    const plain = (/** @type {string} */ name) => name.replace("type ", "")
    const missing = modules.filter(
      (module) => !all.some((name) => plain(name) === module) && !program.includes(`class ${module} `)
    )
    return [...all, ...new Set(missing)].toSorted((one, other) => (plain(one) < plain(other) ? -1 : 1)).join(", ")
  })

/**
 * A program with the names of Effect 4. Its lines can be those of a comment.
 *
 * @param {string} program
 */
export const exampleOnEffect4 = (program) => {
  const imported = program.replaceAll(
    /^(.*)import (type )?\{ (.+) \} from "(@effect\/(?:platform|rpc))"$/gm,
    (_, /** @type {string} */ margin, type = "", /** @type {string} */ names, /** @type {string} */ from) => {
      /** @type {Map<string, Array<string>>} */
      const homes = new Map()
      for (const name of names.split(", ")) {
        const home = moduleOnEffect4(`${from}/${name.replace("type ", "")}`).replace(/[/]\w+$/, "")
        homes.set(home, [...(homes.get(home) ?? []), name])
      }
      return [...homes].map(([home, some]) => `${margin}import ${type}{ ${some.join(", ")} } from "${home}"`).join("\n")
    }
  )
  /** @type {Array<string>} */
  const needed = []
  // In Effect 4, a service has the Layer that it declares.
  const withLayers = imported.replaceAll(
    /^(.*)(?=class \w+ extends Effect[.]Service<[^]*?\n)([^]*?^(.*)\}\)) \{\}$/gm,
    (_, /** @type {string} */ before, /** @type {string} */ service, /** @type {string} */ margin) => {
      needed.push("Layer")
      return `${before}${service} {\n${margin}  static readonly layer = Layer.effect(this, this.make)\n${margin}}`
    }
  )
  const text = longestFirst.reduce((text, [from, to]) => {
    const pattern = new RegExp(`(?<![\\w.])${from.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "g")
    return text.replaceAll(pattern, () => {
      needed.push(...Array.from(to.matchAll(/(?<![\w.])([A-Z]\w+)(?=[.])/g), ([module]) => module))
      return to
    })
  }, withLayers)
  return withImports(text, needed)
}
