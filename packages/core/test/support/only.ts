/**
 * Tests that do not hold over every build. Each says so where it stands, and over the other builds it is not declared.
 */
const env = typeof process === "undefined" ? import.meta.env : process.env

/** What the tests run over: the packages for Effect 3, unless the project of vitest says another. */
const build = env["CATALOG_BUILD"]

/** What any test, group or `each` is over a build that does not have it. */
const none: () => unknown = new Proxy(() => none, { get: () => none })

const only =
  (holds: boolean) =>
  <Declared extends object>(declared: Declared): Declared =>
    holds ? declared : ((Array.isArray(declared) ? [] : none) as Declared)

/** Whether `catalog-client` is the bundle, which has its own policies and stores. */
export const isBundle = build === "bundle"

/** A `test`, a `describe` or rows of a table for Effects, Layers, Streams and their clients, which the bundle does not have. */
export const onlyEffect = only(!isBundle)

/** Those for what Effect 4 does otherwise. effect4/core/test/differences.test.ts tests how. */
export const onlyEffect3 = only(build !== "effect4")
