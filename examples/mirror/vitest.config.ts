import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The longest file goes first: it would be alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const isLong = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith("fleet.test.ts"))
    return (await super.sort(files)).sort((a, b) => isLong(b) - isLong(a))
  }
}

/** A sample, over a SQLite that needs no compiler in place of better-sqlite3. */
const isQuick = process.env["MIRROR_QUICK"] !== undefined

export default defineConfig({
  resolve: {
    alias: isQuick ? { "better-sqlite3": fileURLToPath(new URL("test/support/wasm.ts", import.meta.url)) } : {}
  },
  test: {
    // So that the alias is heard of.
    server: { deps: { inline: isQuick ? ["@effect/sql-sqlite-node"] : [] } },
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    include: ["test/**/*.test.ts"],
    exclude: isQuick ? ["test/{figures,fleet,operate}.test.ts"] : [],
    // Most of a short test is to load the libraries.
    isolate: !isQuick,
    // Most of the time a test waits for a quota or a lock. The long run measures, so it goes alone.
    fileParallelism: process.env["MIRROR_SOAK"] === undefined && !isQuick,
    maxWorkers: 2,
    minWorkers: 1,
    // For a test that hangs. On a machine under load, a PostgreSQL and ten processes take their time to start.
    hookTimeout: 240_000,
    testTimeout: process.env["MIRROR_SOAK"] === undefined ? 240_000 : 3_600_000
  }
})
