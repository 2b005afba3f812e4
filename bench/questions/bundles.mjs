// What does a page load, and what does an installation add? Programs bundled as for a page, minified, in bytes after gzip.
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { exact, kilobytes } from "../figures.mjs"

const baseUrl = "https://my-proxy.example/catalog"

/** Bundles a program, and counts the bytes that its first call loads. @param {string} contents */
const sizeOf = async (contents) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL("../", import.meta.url)) },
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: "out",
    format: "esm",
    platform: "browser",
    target: "es2022",
    // It warns of side-effect-free chunks of a package that is linked.
    logLevel: "error"
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return {
    bytes: outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0),
    minified: outputFiles.reduce((sum, { contents }) => sum + contents.length, 0),
    // Minified bytes of each module.
    ...Object.fromEntries(
      inputs
        .toSorted(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput)
        .map(([path, { bytesInOutput }]) => [path.replace(/^.*node_modules\/|^\.\.\/packages\//, ""), bytesInOutput])
    )
  }
}

const page = (/** @type {string} */ program) => () => ({ sample: () => sizeOf(program) })

/** What an installation adds: the bytes of the package's files. */
const installed = () => {
  const cwd = fileURLToPath(new URL("../../packages/promise", import.meta.url))
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--loglevel=silent"], { cwd, encoding: "utf8" })
  return { installed: Number(JSON.parse(stdout)[0].unpackedSize) }
}

/** Programs as users write them. That of `@chez14/mal-api-lite` is missing: `got` runs only on Node. */
export const sides = {
  all: page(`
    import { createCatalog } from "catalog-client"
    const catalog = createCatalog({ baseUrl: "${baseUrl}" })
    catalog.anime.get({ id: 30230 }, { fields: ["mean"] }).then(console.log)`),
  one: page(`
    import { createCatalogOf } from "catalog-client"
    import { get } from "catalog-client/anime"
    const catalog = createCatalogOf({ anime: { get } }, { baseUrl: "${baseUrl}" })
    catalog.anime.get({ id: 30230 }, { fields: ["mean"] }).then(console.log)`),
  oneWithEffect: page(`
    import { get } from "@catalog-client/core/anime"
    import { CatalogConfig, Credentials } from "@catalog-client/core"
    import { layer } from "@catalog-client/browser"
    import * as Effect from "effect/Effect"
    const program = get({ id: 30230 }, { fields: ["mean"] })
    Effect.runPromise(
      Effect.provide(program, [layer, CatalogConfig.layer({ baseUrl: "${baseUrl}" }), Credentials.layerNone])
    ).then(console.log)`),
  byHandWithEffect: page(`
    import { layer } from "@effect/platform/FetchHttpClient"
    import * as HttpClient from "@effect/platform/HttpClient"
    import { schemaBodyJson } from "@effect/platform/HttpClientResponse"
    import * as Effect from "effect/Effect"
    import * as Schema from "effect/Schema"
    const Anime = Schema.Struct({ id: Schema.Number, title: Schema.String, mean: Schema.optional(Schema.Number) })
    const call = Effect.flatMap(HttpClient.HttpClient, (client) =>
      Effect.flatMap(HttpClient.filterStatusOk(client).get("${baseUrl}/anime/30230?fields=mean"), schemaBodyJson(Anime)))
    Effect.runPromise(Effect.provide(Effect.timeout(call, 30_000), layer)).then(console.log)`),
  "node-myanimelist": page(`
    import { Mal } from "node-myanimelist"
    const account = await Mal.auth("my-client-id").guestLogin()
    account.anime.details(30230).call().then(console.log)`),
  "@animelist/client": page(`
    import { MALClient } from "@animelist/client"
    new MALClient({ clientId: "my-client-id" }).getAnimeDetails(30230, { fields: ["mean"] }).then(console.log)`),
  "mal-ts": page(`
    import MyAnimeList from "mal-ts"
    new MyAnimeList("my-client-id").anime(30230, ["mean"]).then(console.log)`),
  "@tutkli/jikan-ts": page(`
    import { JikanClient } from "@tutkli/jikan-ts"
    new JikanClient().anime.getAnimeById(30230).then(console.log)`),
  installed: () => ({ sample: async () => installed() })
}

export const heading = "Browser bundle"
export const titles = {
  all: "**`catalog-client`**, all operations",
  one: "**`catalog-client`**, one operation",
  oneWithEffect: "**`@catalog-client/browser`**, one operation by its subpath",
  byHandWithEffect: "Effect's `HttpClient` and a `Schema` by hand",
  installed: "`catalog-client`, all that is installed"
}
export const columns = [
  { title: "minified + gzip", of: "bytes", show: kilobytes },
  { title: "minified", of: "minified", show: kilobytes }
]

const size = (/** @type {string} */ side, /** @type {number} */ most) =>
  exact("minified + gzip", "bytes", side, most, kilobytes)
export const groups = [
  {
    turns: 1,
    rounds: 1,
    figures: [
      size("all", 40_000),
      size("one", 35_500),
      size("oneWithEffect", 105_000),
      size("oneWithEffect on Effect 4", 72_400),
      exact("bytes", "installed", "installed", 2_500_000, kilobytes)
    ],
    others: [...Object.keys(sides), "byHandWithEffect on Effect 4"]
  }
]
