/// <reference types="@vitest/browser/providers/playwright" />
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, type Plugin } from "vitest/config"
import { effectFolders } from "./scripts/workspace.mjs"
import { chromiumArgs, findExecutable } from "./test/executables.mjs"
import { underPolicy } from "./test/csp.js"
import { catalogClientOver } from "./test/catalogClientOver.js"
import { callStrictly } from "./test/strict.js"
import { tabCommands } from "./test/tabs.js"

/** Tests that compile or bundle. */
const compilerTests = ["api", "bundle", "editor", "readme", "typescript"]
  .map((name) => `test/${name}.test.ts`)
  .concat("examples/recipes.test.ts", "site/explore/explore.test.ts", "site/run/inspect.test.ts")
/** Tests that load their process or count what it holds (sockets, timers, fibers, memory), or start many processes. */
const stressTests = ["canary", "load", "sql", "transport", "wireFaults"]
  .map((name) => `packages/node/test/${name}.test.ts`)
  .concat(["processes", "tokenStores"].map((name) => `packages/oauth/test/node/${name}.test.ts`))
  .concat("packages/mcp/test/program.test.ts", "test/login.test.ts", "test/soak.test.ts")
/** Tests that need no socket. */
const unitTests = [
  "packages/!(mcp|node|promise)/test/*.test.ts",
  "packages/core/test/resilience/*.test.ts",
  "examples/{clock,layer,promise,sessions,sessionsLayer,stubs,timers}.test.ts"
]
/** Tests of what is written. */
const docsTests = ["faultsGuide", "figures", "guides", "workflows"].map((name) => `test/${name}.test.ts`)

/** The tests of the packages, by their paths. */
const packageTests = effectFolders.flatMap((name) =>
  readdirSync(join(import.meta.dirname, "packages", name, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.endsWith(".browser.test.ts"))
    .map((file) => `packages/${name}/test/${file}`)
)

/** The tests of the packages that also run over the bundle of `catalog-client`: all that do not say why they cannot. */
const overTheBundle = packageTests.filter((file) => !/^[/][/] Not over the bundle: ./m.test(readFileSync(file, "utf8")))

/** How long a test waits for what it polls: on a busy machine, a second is soon over. */
const expect = { poll: { timeout: 30_000 } }

const onNode = {
  expect,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } }
}

/** What tests of promises import, and the file of test/bundleShims that they get for it. */
const bundleShims: Readonly<Record<string, string>> = {
  "@catalog-client/core": "core",
  "@catalog-client/core/guards": "guards",
  "@catalog-client/oauth": "oauth",
  "@catalog-client/testing": "testing",
  "@catalog-client/node": "node",
  "@catalog-client/oauth/node": "nodeOauth",
  "@catalog-client/testing/node": "nodeTesting",
  effect: "effect"
}

const shimsFolder = join(import.meta.dirname, "test/bundleShims")

/** The tests of the packages, run against `catalog-client`. */
const againstTheBundle: Plugin = {
  name: "against-the-bundle",
  enforce: "pre",
  resolveId: (source, importer = "") => {
    const shim = bundleShims[source]
    return shim === undefined || importer.startsWith(shimsFolder) ? undefined : join(shimsFolder, `${shim}.ts`)
  }
}

const effect3 = { sources: "packages/promise/src", extension: "ts", packages: "packages" }

// The tests see the packages as a user does: by name, through the exports maps, as built in dist.
export default defineConfig({
  test: {
    allowOnly: false,
    // The authority of the certificates of test servers; Node reads it when it starts.
    env: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, "packages/core/test/support/certificates/authority.pem") },
    projects: [
      {
        plugins: [catalogClientOver(effect3, "page", "fetch")],
        test: { ...onNode, name: "unit", include: unitTests, exclude: ["**/*.browser.test.ts"] }
      },
      {
        plugins: [catalogClientOver(effect3, "node", "node")],
        test: {
          ...onNode,
          name: "node",
          include: [
            "packages/{mcp,node}/test/**/*.test.ts",
            "packages/*/test/node/*.test.ts",
            "test/**/*.test.ts",
            "examples/*/*.test.ts"
          ],
          exclude: [
            "test/{catalogClient,installers,packages,tarballs}.test.ts",
            "examples/effect4/**",
            "test/{bundlers,runtimes}/**",
            ...compilerTests,
            ...docsTests,
            ...stressTests,
            ...unitTests
          ]
        }
      },
      { test: { ...onNode, name: "promise", include: ["packages/promise/test/**/*.test.ts"] } },
      {
        plugins: [againstTheBundle],
        test: { ...onNode, name: "over-bundle", env: { CATALOG_BUILD: "bundle" }, include: overTheBundle }
      },
      {
        plugins: [catalogClientOver(effect3, "node", "node")],
        test: { ...onNode, name: "stress", include: stressTests }
      },
      { test: { ...onNode, name: "compilers", include: compilerTests } },
      { test: { ...onNode, name: "docs", include: docsTests } },
      {
        test: {
          // Needs the npm registry, and gives a slow one its time.
          name: "packages",
          include: ["test/{catalogClient,packages}.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 1_800_000
        }
      },
      {
        test: {
          // Needs the npm registry, as `packages` does.
          name: "tarballs",
          include: ["test/tarballs.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 1_800_000
        }
      },
      {
        test: {
          // Needs the npm registry.
          name: "installers",
          include: ["test/installers.test.ts"],
          // The variable as the user has set it: a registry behind a proxy may need it.
          env: { NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] ?? "" },
          testTimeout: 600_000,
          hookTimeout: 600_000
        }
      },
      {
        test: {
          // Needs the npm registry and the engines of test/runtimes/engines.
          name: "runtimes",
          include: ["test/runtimes/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 600_000
        }
      },
      {
        test: {
          ...onNode,
          name: "site",
          include: ["site/test/*.test.ts"],
          globalSetup: "./site/test/site.setup.ts",
          testTimeout: 180_000
        }
      },
      {
        test: {
          // Needs the npm registry, Chromium and the bundlers and frameworks of test/bundlers/tools.
          name: "bundlers",
          include: ["test/bundlers/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 900_000
        }
      },
      {
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            // Errors in other files are those of the step `types`.
            ignoreSourceErrors: true,
            include: ["packages/*/test/**/*.test-d.ts"],
            tsconfig: "./tsconfig.json"
          }
        }
      },
      {
        plugins: [underPolicy(), catalogClientOver(effect3, "page", "fetch")],
        test: {
          name: "browser",
          // A page knows no other variables.
          env: { CATALOG_TESTS: process.env["CATALOG_TESTS"] ?? "" },
          include: ["packages/*/test/**/*.browser.test.ts"],
          expect,
          testTimeout: 60_000,
          globalSetup: "./test/browser.setup.ts",
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { callStrictly, ...tabCommands },
            provider: "playwright",
            api: { host: "127.0.0.1" },
            instances: [
              {
                browser: "chromium",
                launch: { executablePath: findExecutable("chromium") ?? "chromium", args: chromiumArgs }
              }
            ]
          }
        }
      }
    ]
  }
})
