// Every operation on both faces, a whole list, a sign-in and three failures on Effect 4. It runs in a project that has the
// packed packages; the embedded service runs in another process, and its addresses are in the environment.
import { Catalog, createCatalog, Credentials, isClientError, ServiceProfile } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { createSession, fileTokenStore } from "@catalog-client/oauth/node"
import { Effect, Stream, Version } from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import { examples } from "../packages/core/test/support/operations.js"

const variable = (name: string): string => process.env[`CATALOG_${name}`] ?? ""

const baseUrl = variable("BASE_URL")
const client = { baseUrl, clientId: variable("CLIENT_ID"), accessToken: variable("ACCESS_TOKEN") }
const catalog = CatalogNode.createCatalog({ ...client, logLevel: "error" })
const credentials = Credentials.layer({ clientId: client.clientId, accessToken: client.accessToken })
const run = <A, E>(effect: Effect.Effect<A, E, Credentials | HttpClient>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(effect, [CatalogNode.layer, credentials, CatalogNode.CatalogConfig.layer({ baseUrl })])
  )

let wrong = 0

/** Runs a step; the tag of an error counts as its result. */
const step = async (name: string, expected: (outcome: unknown) => boolean, run: () => Promise<unknown>) => {
  const outcome = await run().catch((error: unknown) => (isClientError(error) ? error._tag : String(error)))
  const isRight = expected(outcome)
  wrong += isRight ? 0 : 1
  console.log(`${isRight ? "✓" : "✗"} ${name}${isRight ? "" : `\n    ${JSON.stringify(outcome)}`}`)
}

const isReply = (outcome: unknown) => outcome === undefined || typeof outcome === "object"

/** The operations of a face, by their names. */
type Operations<Called> = Readonly<Record<string, (...inputs: ReadonlyArray<unknown>) => Called>>

/** In the order of the table: what is added to a list is deleted from it again. */
const everyOperation = async <Called>(
  face: string,
  operations: object,
  settled: (called: Called) => Promise<unknown>
) => {
  const groups = new Map<string, Operations<Called>>(Object.entries(operations))
  for (const { name, service } of examples) {
    const [group = "", method = ""] = name.split(".")
    await step(`catalog.${name}, ${face}`, isReply, async () => {
      const operation = groups.get(group)?.[method]
      return operation && settled(operation(...service.call))
    })
  }
}

console.log(`Effect ${Version.getCurrentVersion()}: ${examples.length} operations on both faces\n`)
const { anime, forum, manga, user } = catalog
await everyOperation<Promise<unknown>>("a promise", { anime, forum, manga, user }, (promise) => promise)
await everyOperation<Effect.Effect<unknown, unknown, Credentials | HttpClient>>("an Effect", Catalog, run)

console.log("\nA whole list and a sign-in\n")
const params = { rankingType: "all", limit: 100 } as const
const isLong = (count: unknown) => Number(count) > 100
await step("catalog.anime.ranking.items, a Stream", isLong, () =>
  run(Stream.runCount(Catalog.anime.ranking.items(params)))
)
await step("catalog.anime.ranking.items, an iterable", isLong, async () => {
  let count = 0
  for await (const _ of catalog.anime.ranking.items(params)) {
    count++
  }
  return count
})
await step(
  "a login, and the user's profile",
  (name) => typeof name === "string",
  async () => {
    const usual = ServiceProfile.default
    const oauth = { ...usual.oauth, authorizeUrl: variable("AUTHORIZE_URL"), tokenUrl: variable("TOKEN_URL") }
    const profile = { ...usual, baseUrl, oauth }
    const store = fileTokenStore("tokens.json")
    const session = createSession({
      clientId: client.clientId,
      redirectUri: variable("REDIRECT_URI"),
      profile,
      store
    })
    const signedIn = CatalogNode.createCatalog({ session, profile })
    try {
      await session.login({ openBrowser: false, onUrl: (url) => void fetch(url) })
      return (await signedIn.user.me()).name
    } finally {
      await signedIn.close()
      await session.close()
    }
  }
)

console.log("\nThree failures\n")
const silent = createCatalog({ fetch: () => new Promise(() => {}), clientId: "any" })
const fails = (tag: string, run: () => Promise<unknown>) => step(tag, (outcome) => outcome === tag, run)
await fails("ClientValidationError", () => catalog.anime.search({ q: "   " }))
await fails("ClientRestError", () => catalog.anime.get({ id: 999_999_999 }))
await fails("ClientNetworkError", () => silent.anime.get({ id: 1 }, { timeout: 50 }))

await catalog.close()
await silent.close()
console.log(wrong === 0 ? "\nEverything did what it should." : `\n${wrong} did not do what they should.`)
process.exitCode = wrong === 0 ? 0 : 1
