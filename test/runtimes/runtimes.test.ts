import { transform } from "esbuild"
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { installInto } from "../../effect4/packed.mjs"
import { newProject, packCatalogClient, quietly, run, temporaryFolder } from "../packed.js"
import { blocksIn, filesIn, read } from "../readme.js"
import { differences } from "./differences.js"
import { bundleWorker, engines, type Run, withWorker } from "./engines.js"
import { startServices } from "./services.js"
import { effectBehaviours } from "./effects.js"
import { promiseBehaviours } from "./promises.js"
import { behaviours } from "./suite.js"

const folder = temporaryFolder()

/** Which engines, versions of the peers, and Effect: `npm test -- full runtimes` sets them. */
const { CATALOG_EFFECT = "3", CATALOG_ENGINES = Object.keys(engines).join(), CATALOG_PEERS } = process.env
const chosen = CATALOG_ENGINES.split(",") as ReadonlyArray<keyof typeof engines>

beforeAll(async () => {
  const peers = CATALOG_PEERS?.split(",")
  await (CATALOG_EFFECT === "4" ? installInto(folder, peers) : newProject(folder, peers))
  const tarball = await packCatalogClient(folder)
  await run(folder, "npm", "install", "--strict-peer-deps", ...quietly, tarball)
  const write = async (to: string, text: string, suite = "suite.mjs") => {
    const { code } = await transform(text, { loader: "ts", target: "es2022" })
    writeFileSync(join(folder, to), code.replaceAll('"./suite.js"', `"./${suite}"`))
  }
  const suite = read("test/runtimes/suite.ts")
  await write("suite.mjs", suite)
  await write("promises.mjs", read("test/runtimes/promises.ts"))
  // The packages for Effect have the same names in one of them.
  await write("suite-effect.mjs", suite.replace('"catalog-client"', '"@catalog-client/core"'))
  await write("effects.mjs", read("test/runtimes/effects.ts"), "suite-effect.mjs")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A worker, and many requests at once: none may depend on what another one does. */
const many = async (program: string, check: (url: string) => Promise<void>): Promise<void> => {
  await using services = await startServices()
  const env = { CATALOG_BASE_URL: services.url, CATALOG_CLIENT_ID: "embedded-client" }
  await withWorker(folder, await bundleWorker(folder, program), env, check)
}

const workers = () => {
  const policies = [
    "Resilience.dedupe()",
    'Resilience.rateLimit({ limit: 10, interval: "100 millis" })',
    'Resilience.cache({ capacity: 9, timeToLive: "1 minute" })',
    "Resilience.breaker()"
  ]
  test.each(policies)("answers 80 requests at once over one catalog with %s", async (policy) => {
    const program = `import { createCatalog, Resilience } from "catalog-client"
      const policies = [${policy}]
      let catalog
      export default {
        async fetch(request, env) {
          catalog ??= createCatalog({ baseUrl: env.CATALOG_BASE_URL, policies })
          const headers = { "x-fault": "slow" }
          return Response.json((await catalog.anime.get({ id: 30230 }, { headers })).title)
        }
      }`
    await many(program, async (url) => {
      const get = (nth: number) =>
        // Some callers go away, in the middle of what others could wait for.
        fetch(url, { signal: AbortSignal.timeout(nth % 8 === 0 ? 100 : 20_000) }).then(
          (response) => response.text(),
          (error: unknown) => String(error)
        )
      const texts = await Promise.all(Array.from({ length: 80 }, (_, nth) => get(nth)))
      const stayed = texts.filter((_, nth) => nth % 8 !== 0)
      expect(stayed.filter((text) => text !== '"Diamond no Ace: Second Season"')).toEqual([])
    })
  })

  test("runs the recipe", async () => {
    const file = filesIn("docs/recipes/deploy.md").find(({ file }) => file === "worker.ts")
    await many(file?.text ?? "", async (url) => {
      const get = async (path: string, headers = {}) => {
        const response = await fetch(url + path, { headers, signal: AbortSignal.timeout(20_000) })
        return [response.status, await response.text()] as const
      }
      // Requests of a worker share no reads in flight: without a reply in the cache, each would wait for the rate limit.
      await Promise.all([get("/anime/1"), get("/anime/30230")])
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, nth) => get(`/anime/${nth % 3 === 0 ? 1 : 30230}`))
      )
      expect(replies.filter(([status]) => status !== 200)).toEqual([])
      expect(await get("/anime/999999")).toEqual([404, '{"error":"There is no such anime."}'])
      expect(await get("/shelf")).toEqual([401, '{"error":"Sign in."}'])
      expect(await get("/shelf", { authorization: "Bearer another" })).toEqual([401, '{"error":"Sign in again."}'])
      expect((await get("/shelf", { authorization: "Bearer embedded-token" }))[0]).toBe(200)
    })
  })
}

test("the packages see the Effect that is tested", () => {
  const found = readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" }).filter((path) =>
    /(^|node_modules[/])effect[/]package[.]json$/.test(path)
  )
  expect(found).toEqual(["effect/package.json"])
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules/effect/package.json"), "utf8")) as {
    readonly version: string
  }
  expect(version.split(".")[0]).toBe(CATALOG_EFFECT)
  console.log(`Effect ${version}`)
})

describe.each(chosen)("%s", (name) => {
  const engine = engines[name]

  if (name === "workerd") {
    workers()
  }
  const { print } = engine
  if (print !== undefined) {
    test("runs a guide's program over a port, without files", async () => {
      const program = blocksIn(read("docs/testing.md")).find(({ text }) => text.includes("await serve()"))
      const printed = await print(folder, program?.text ?? "")
      expect(printed).toBe(program?.output)
    })
  }
  if (name.startsWith("node-")) {
    test("prints no line of the packages with an error that is not caught", async () => {
      const program = `import { createCatalog } from "catalog-client"
        await createCatalog({ baseUrl: "http://127.0.0.1:9/v2" }).anime.get({ id: 1 })`
      const printed = await engine.print?.(folder, program)
      expect(printed).toContain("ClientNetworkError: catalog.anime.get received no complete response")
      expect(printed).toContain("main.mjs:2")
      expect(printed).not.toContain("catalog-client/dist")
    })
  }

  describe.each([...engine.packages])("with the package %s", (packageName) => {
    const all = [
      ...behaviours,
      ...(packageName === "catalog-client" ? promiseBehaviours : effectBehaviours),
      ...(engine.isProcess ? ["the process ends by itself"] : [])
    ]
    let ran: Run = { results: [], printed: "" }
    beforeAll(async () => {
      await using services = await startServices()
      ran = await engine.run(folder, services, packageName)
    })

    test("runs all behaviours", () => expect(ran.results.map(({ name }) => name)).toEqual(all))

    test.each([...all])("%s", (behaviour) => {
      const result = ran.results.find(({ name }) => name === behaviour)
      const known = differences.find(
        (other) => other.on.includes(name) && other.packages.includes(packageName) && other.behaviour === behaviour
      )
      if (known === undefined) {
        expect(result?.failure).toBeUndefined()
      } else {
        expect(
          result?.failure,
          `it is as it should be now; take it out of the known differences: ${known.reason}`
        ).toBeTypeOf("string")
      }
    })
  })
})

test("the page about runtimes lists the known differences", () => {
  const rows = differences.map(
    ({ behaviour, on, packages, reason }) =>
      `| ${on.join(", ")} | ${packages.map((name) => `\`${name}\``).join(", ")} | ${behaviour} | ${reason} |`
  )
  const [, table = ""] = read("docs/decisions/compatibility.md").split("|---|---|---|---|\n")
  expect(table.split("\n\n", 1)).toEqual([rows.join("\n")])
})

test("each known difference is of an engine, a package and a behaviour that are there", () => {
  for (const { behaviour, on, packages } of differences) {
    expect([...behaviours, ...promiseBehaviours, "the process ends by itself"]).toContain(behaviour)
    for (const name of on) {
      expect(engines[name]?.packages).toEqual(expect.arrayContaining([...packages]))
    }
  }
})
