import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    allowOnly: false,
    include: ["test/**/*.test.ts"],
    // Most of the time a test waits for a quota or a lock. The long run measures, so it goes alone.
    fileParallelism: process.env["MIRROR_SOAK"] === undefined,
    maxWorkers: 2,
    minWorkers: 1,
    testTimeout: process.env["MIRROR_SOAK"] === undefined ? 120_000 : 3_600_000
  }
})
