// What a page loads: programs bundled as for a page, minified, in bytes after gzip.
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { folder as effect4, onEffect4 } from "../effect4.mjs"

const baseUrl = "https://my-proxy.example/catalog"

/** Programs as users write them, by the name of their size in the budgets. */
const programs = {
  /** The minimum: Effect and one request. */
  floor: `
    import * as HttpClient from "@effect/platform/HttpClient"
    import * as Effect from "effect/Effect"
    const client = HttpClient.makeWith(
      (request) => Effect.flatMap(request, (request) => Effect.fail(request)),
      Effect.succeed
    )
    Effect.runPromise(client.get("${baseUrl}")).then(console.log)`,
  oneOperation: `
    import { get } from "@catalog-client/core/anime"
    import { CatalogConfig, Credentials } from "@catalog-client/core"
    import { layer } from "@catalog-client/browser"
    import * as Effect from "effect/Effect"
    const program = get({ id: 30230 }, { fields: ["mean"] })
    Effect.runPromise(
      Effect.provide(program, [layer, CatalogConfig.layer({ baseUrl: "${baseUrl}" }), Credentials.layerNone])
    ).then(console.log)`,
  promises: `
    import { createCatalog } from "catalog-client"
    const catalog = createCatalog({ baseUrl: "${baseUrl}" })
    catalog.anime.get({ id: 30230 }, { fields: ["mean"] }).then(console.log)`,
  /** A component that only shows errors. */
  guard: `
    import { isNotFound } from "@catalog-client/core/guards"
    export const explain = (error) => (isNotFound(error) ? "no such anime" : "try again")`
}

/** A read with the other clients, by their package. That of `@chez14/mal-api-lite` is missing: `got` runs only on Node. */
const others = {
  "node-myanimelist": `
    import { Mal } from "node-myanimelist"
    const account = await Mal.auth("my-client-id").guestLogin()
    account.anime.details(30230).call().then(console.log)`,
  "@animelist/client": `
    import { MALClient } from "@animelist/client"
    new MALClient({ clientId: "my-client-id" }).getAnimeDetails(30230, { fields: ["mean"] }).then(console.log)`,
  "mal-ts": `
    import MyAnimeList from "mal-ts"
    new MyAnimeList("my-client-id").anime(30230, ["mean"]).then(console.log)`,
  "@tutkli/jikan-ts": `
    import { JikanClient } from "@tutkli/jikan-ts"
    new JikanClient().anime.getAnimeById(30230).then(console.log)`
}

const here = new URL("..", import.meta.url)

/**
 * Bundles a program with the packages that are installed in a folder.
 *
 * @param {string} contents
 * @param {{ readonly folder?: URL }} [options]
 */
const bundle = async (contents, { folder = here } = {}) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(folder) },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    // It warns of side-effect-free chunks of a package that is linked.
    logLevel: "error"
  })
  const [file, ...others] = outputFiles
  if (file === undefined || others.length > 0) {
    throw new Error(`not one bundle: ${contents}`)
  }
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return {
    code: file.text,
    bytes: gzipSync(file.contents, { level: 9 }).length,
    minified: file.contents.length,
    /** Minified bytes of each module. */
    modules: Object.fromEntries(
      inputs
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .toSorted(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput)
        .map(([path, { bytesInOutput }]) => [
          path.replace(/^.*node_modules\//, "").replace(/^\.\.\/packages\//, ""),
          bytesInOutput
        ])
    )
  }
}

/**
 * The pages of a build: with `catalog-client` and all operations, and with Effect and one operation.
 *
 * @param {URL} [folder]
 */
export const measurePages = async (folder = here) => {
  const [promises, oneOperation] = await Promise.all([
    bundle(programs.promises, { folder }),
    bundle(programs.oneOperation, { folder })
  ])
  return { promises, oneOperation }
}

/**
 * The size of every program with Effect, and of the other clients, which the quick run leaves out.
 *
 * @param {{ readonly quick: boolean }} options
 */
export const measure = async ({ quick }) => {
  const [floor, oneOperation, guard, floor4, oneOperation4, sizes] = await Promise.all([
    bundle(programs.floor),
    bundle(programs.oneOperation),
    bundle(programs.guard),
    bundle(onEffect4(programs.floor), { folder: effect4 }),
    bundle(programs.oneOperation, { folder: effect4 }),
    Promise.all(
      Object.entries(quick ? {} : others).map(async ([name, program]) => ({ name, ...(await bundle(program)) }))
    )
  ])
  return { floor, oneOperation, guard, effect4: { floor: floor4, oneOperation: oneOperation4 }, others: sizes }
}
