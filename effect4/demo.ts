// Every operation, a whole list, a sign-in and three failures on Effect 4. It runs in a project that has the packed packages;
// the embedded service runs in another process, and its addresses are in the environment.
import { Catalog, CatalogConfig, Credentials, ServiceProfile, Transport } from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import * as CatalogNode from "@catalog-client/node"
import { layerFile, Login, OAuthSession } from "@catalog-client/oauth/node"
import { Effect, Layer, Stream, Version } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import { examples } from "../packages/core/test/support/operations.js"

const variable = (name: string): string => process.env[`CATALOG_${name}`] ?? ""

const baseUrl = variable("BASE_URL")
const clientId = variable("CLIENT_ID")
const usual = ServiceProfile.default
const oauth = { ...usual.oauth, authorizeUrl: variable("AUTHORIZE_URL"), tokenUrl: variable("TOKEN_URL") }
const config = CatalogConfig.layer({ profile: { ...usual, baseUrl, oauth } })
const credentials = Credentials.layer({ clientId, accessToken: variable("ACCESS_TOKEN") })

/** Runs a program as the user whose token is in the environment. */
const run = <A, E>(effect: Effect.Effect<A, E, Credentials | HttpClient>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, [CatalogNode.layer, credentials, config]))

let wrong = 0

/** Runs a step; the tag of an error counts as its result. */
const step = async (name: string, expected: (outcome: unknown) => boolean, run: () => Promise<unknown>) => {
  const outcome = await run().catch((error: unknown) => (isClientError(error) ? error._tag : String(error)))
  const isRight = expected(outcome)
  wrong += isRight ? 0 : 1
  console.log(`${isRight ? "✓" : "✗"} ${name}${isRight ? "" : `\n    ${JSON.stringify(outcome)}`}`)
}

const isReply = (outcome: unknown) => outcome === undefined || typeof outcome === "object"

console.log(`Effect ${Version.getCurrentVersion()}: ${examples.length} operations\n`)
type Operation = (...inputs: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, Credentials | HttpClient>
const groups = new Map<string, Readonly<Record<string, Operation>>>(Object.entries(Catalog as object))
// In the order of the table: what is added to a list is deleted from it again.
for (const { name, service } of examples) {
  const [group = "", method = ""] = name.split(".")
  await step(`catalog.${name}`, isReply, async () => {
    const operation = groups.get(group)?.[method]
    return operation && run(operation(...service.call))
  })
}

console.log("\nA whole list and a sign-in\n")
const params = { rankingType: "all", limit: 100 } as const
const isLong = (count: unknown) => Number(count) > 100
await step("catalog.anime.ranking.items, a Stream", isLong, () =>
  run(Stream.runCount(Catalog.anime.ranking.items(params)))
)
await step(
  "a login, and the user's profile",
  (name) => typeof name === "string",
  () => {
    const session = OAuthSession.layer({ clientId, redirectUri: variable("REDIRECT_URI") }).pipe(
      Layer.provide(layerFile("tokens.json")),
      Layer.provideMerge(Layer.merge(CatalogNode.layer, config))
    )
    return Login.loopback({ openBrowser: false, onUrl: (url) => Effect.promise(() => fetch(url)) }).pipe(
      Effect.andThen(Catalog.user.me()),
      Effect.map(({ name }) => name),
      Effect.provide(session),
      Effect.runPromise
    )
  }
)

console.log("\nThree failures\n")
const never = Layer.succeed(FetchHttpClient.Fetch, () => new Promise(() => {}))
const silent = Layer.fresh(Transport.layerFetch).pipe(Layer.provide(never))
const fails = (tag: string, run: () => Promise<unknown>) => step(tag, (outcome) => outcome === tag, run)
await fails("ClientValidationError", () => run(Catalog.anime.search({ q: "   " })))
await fails("ClientRestError", () => run(Catalog.anime.get({ id: 999_999_999 })))
await fails("ClientNetworkError", () => run(Effect.provide(Catalog.anime.get({ id: 1 }, { timeout: 50 }), silent)))

console.log(wrong === 0 ? "\nEverything did what it should." : `\n${wrong} did not do what they should.`)
process.exitCode = wrong === 0 ? 0 : 1
