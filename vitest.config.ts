/// <reference types="@vitest/browser/providers/playwright" />
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { chromiumArgs, findProgram } from "./scripts/programs.mjs"
import { underPolicy } from "./test/csp.js"
import { callStrictly } from "./test/strict.js"

/** Tests that compile. */
const compilers = ["examples/recipes.test.ts", "test/editor.test.ts", "test/readme.test.ts", "test/typescript.test.ts"]

const onNode = { testTimeout: 60_000, server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } } }

// The tests see the packages as a user does: by name, through the exports maps, as built in dist.
export default defineConfig({
  test: {
    allowOnly: false,
    // Of the servers under packages/core/test/support; Node reads it when it starts.
    env: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, "packages/core/test/support/certificates/authority.pem") },
    projects: [
      { test: { ...onNode, name: "unit", include: ["packages/core/test/**/*.test.ts"] } },
      {
        test: {
          ...onNode,
          name: "node",
          include: ["packages/{node,browser}/test/**/*.test.ts", "test/**/*.test.ts", "examples/{,*/}*.test.ts"],
          exclude: ["**/*.browser.test.ts", "test/packages.test.ts", ...compilers]
        }
      },
      { test: { ...onNode, name: "compilers", include: compilers } },
      {
        test: {
          // It needs the npm registry, and gives a slow one its time.
          name: "packages",
          include: ["test/packages.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 1_800_000
        }
      },
      {
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            // Those of other files are the step before.
            ignoreSourceErrors: true,
            include: ["packages/*/test/**/*.test-d.ts"],
            tsconfig: "./tsconfig.json"
          }
        }
      },
      {
        plugins: [underPolicy()],
        test: {
          name: "browser",
          include: ["packages/*/test/**/*.browser.test.ts"],
          testTimeout: 60_000,
          globalSetup: "./test/browser.setup.ts",
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { callStrictly },
            provider: "playwright",
            api: { host: "127.0.0.1" },
            instances: [
              {
                browser: "chromium",
                launch: { executablePath: findProgram("chromium") ?? "chromium", args: chromiumArgs }
              }
            ]
          }
        }
      }
    ]
  }
})
