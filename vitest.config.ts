/// <reference types="@vitest/browser/providers/playwright" />
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { chromiumArgs, findProgram } from "./scripts/programs.mjs"
import { underPolicy } from "./test/csp.js"
import { callStrictly } from "./test/strict.js"

// The tests see the packages as a user does: by name, through the exports maps, as built in dist.
export default defineConfig({
  test: {
    allowOnly: false,
    // Of the servers under packages/core/test/support; Node reads it when it starts.
    env: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, "packages/core/test/support/certificates/authority.pem") },
    projects: [
      {
        test: {
          name: "node",
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/*.test.ts"],
          exclude: ["**/*.browser.test.ts", "test/packages.test.ts"],
          testTimeout: 20_000,
          server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } }
        }
      },
      {
        test: {
          // Needs the npm registry, and gives a slow one its time.
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
          testTimeout: 20_000,
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
