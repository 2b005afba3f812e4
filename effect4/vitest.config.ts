import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { differences, otherNames } from "./differences.mjs"

const root = join(import.meta.dirname, "..")
const pattern = [...differences, ...otherNames.map((test) => ({ test }))]
  .map(({ test }) => test.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  .join("|")

/** The tests of what differs and, in `npm test -- effect4`, those of core and the tarballs. They see effect4/dist. */
export default defineConfig({
  test: {
    root,
    include:
      process.env["CATALOG_EFFECT4"] === "all"
        ? ["effect4/test/**/*.test.ts", "effect4/dist/core/test/**/*.test.ts", "examples/effect4/*.test.ts"]
        : ["effect4/test/line.test.ts", "effect4/dist/core/test/traps.test.ts", "examples/effect4/*.test.ts"],
    exclude: [
      "**/*.browser.test.ts",
      "**/{model,ownOperations,openapi}.test.ts",
      "**/oauth4webapi.test.ts",
      "**/grants.test.ts"
    ],
    testNamePattern: `^(?!.*(${pattern}))`,
    testTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: join(root, "packages/core/test/support/certificates/authority.pem") },
    server: { deps: { external: [/[/]effect4[/]dist[/][^/]+[/]dist[/]/] } }
  }
})
