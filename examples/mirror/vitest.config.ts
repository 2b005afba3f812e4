import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    allowOnly: false,
    include: ["test/**/*.test.ts"],
    // Each test has processes of its own, which need the cores.
    fileParallelism: false,
    testTimeout: process.env["MIRROR_SOAK"] === undefined ? 120_000 : 3_600_000
  }
})
