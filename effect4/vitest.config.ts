import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { catalogClientOver } from "../test/catalogClientOver.js"

const root = join(import.meta.dirname, "..")

const isAll = process.env["CATALOG_EFFECT4"] === "all"
const tests = (name: string) => `effect4/dist/${name}.test.ts`
/** Tests that count what their process holds: sockets, timers, fibers, memory. */
const stressTests = ["canary", "load", "transport", "wireFaults"]
  .map((name) => tests(`node/test/${name}`))
  .concat(tests("oauth/test/node/processes"))
const sample = [
  "effect4/test/line.test.ts",
  tests("core/test/{cancellation,credentials,differences,hooks,schemas,telemetry,views}"),
  tests("testing/test/openapi"),
  "examples/effect4/*.test.ts"
]

const onNode = {
  root,
  env: { CATALOG_BUILD: "effect4" },
  exclude: ["**/*.browser.test.ts"],
  // How long a test waits for what it polls.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 60_000,
  server: { deps: { external: [/[/]effect4[/]dist[/][^/]+[/]dist[/]/] } }
}

const effect4 = { sources: "effect4/dist/promise/build", extension: "js", packages: "effect4/dist" }
/** Tests over Node's own transport. */
const ofNode = ["node/test/**/*", "*/test/node/*"].map(tests)

/**
 * @param include tests that need no socket
 */
const withoutSocket = (include: ReadonlyArray<string>) => ({
  plugins: [catalogClientOver(effect4, "page", "fetch")],
  test: {
    ...onNode,
    name: "effect4",
    isolate: false,
    // Its version for Effect 4 needs Node 22.
    alias: { "@effect/vitest": join(root, "effect4/test/support/vitest.ts") },
    include: [...include],
    exclude: [...onNode.exclude, ...ofNode]
  }
})

/**
 * Tests over effect4/dist. In `npm test -- all`, a sample: what differs, and some tests of the packages. In
 * `npm test -- effect4`, all tests of the packages, and those of the tarballs.
 */
export default defineConfig({
  test: {
    root,
    // The authority of the certificates of test servers; Node reads it when it starts.
    env: { NODE_EXTRA_CA_CERTS: join(root, "packages/core/test/support/certificates/authority.pem") },
    projects: isAll
      ? [
          withoutSocket(["effect4/test/**/*.test.ts", tests("*/test/**/*"), "examples/effect4/*.test.ts"]),
          {
            plugins: [catalogClientOver(effect4, "node", "node")],
            test: {
              ...onNode,
              name: "effect4-node",
              isolate: false,
              include: ofNode,
              exclude: [...onNode.exclude, ...stressTests]
            }
          },
          {
            plugins: [catalogClientOver(effect4, "node", "node")],
            test: { ...onNode, name: "stress", include: stressTests }
          }
        ]
      : [withoutSocket(sample)]
  }
})
