// Every operation on both faces, a whole list, a sign-in and three failures on Effect 4. It runs in a project that has the
// packed packages; the embedded service runs in another process, and its addresses are in the environment.
import { Catalog, createCatalog, Credentials, isClientError, ServiceProfile } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { createSession, fileTokenStore } from "@catalog-client/node/oauth"
import { Effect, Stream, Version } from "effect"
import { examples } from "../packages/core/test/support/operations.js"

const { ACCESS_TOKEN, AUTHORIZE_URL, CLIENT_ID, REDIRECT_URI, TOKEN_URL, URL: baseUrl } = process.env

const client = { baseUrl, clientId: CLIENT_ID, accessToken: ACCESS_TOKEN }
const catalog = CatalogNode.createCatalog({ ...client, logLevel: "error" })
const services = [CatalogNode.layer, Credentials.layer(client), CatalogNode.CatalogConfig.layer({ baseUrl })]
const run = (effect) => Effect.runPromise(Effect.provide(effect, services))

let wrong = 0

/** Runs a step; the tag of an error counts as its result. */
const step = async (name, expected, run) => {
  const outcome = await run().catch((error) => (isClientError(error) ? error._tag : String(error)))
  const isRight = expected(outcome)
  wrong += isRight ? 0 : 1
  console.log(`${isRight ? "✓" : "✗"} ${name}${isRight ? "" : `\n    ${JSON.stringify(outcome)}`}`)
}

const isReply = (outcome) => outcome === undefined || typeof outcome === "object"

console.log(`Effect ${Version.getCurrentVersion()}: ${examples.length} operations on both faces\n`)
/** In the order of the table: what is added to a list is deleted from it again. */
const everyOperation = async (face, call) => {
  for (const { name, service } of examples) {
    const [group, method] = name.split(".")
    await step(`catalog.${name}, ${face}`, isReply, () => call(group, method, service.call))
  }
}
await everyOperation("a promise", (group, method, args) => catalog[group][method](...args))
await everyOperation("an Effect", (group, method, args) => run(Catalog[group][method](...args)))

console.log("\nA whole list and a sign-in\n")
const params = { rankingType: "all", limit: 100 }
const isLong = (count) => count > 100
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
    const oauth = { ...usual.oauth, authorizeUrl: AUTHORIZE_URL, tokenUrl: TOKEN_URL }
    const profile = { ...usual, baseUrl, oauth }
    const store = fileTokenStore("tokens.json")
    const session = createSession({ clientId: CLIENT_ID, redirectUri: REDIRECT_URI, profile, store })
    const signedIn = CatalogNode.createCatalog({ session, profile })
    try {
      await session.login({ openBrowser: false, onUrl: (url) => fetch(url) })
      return (await signedIn.user.me()).name
    } finally {
      await signedIn.close()
      await session.close()
    }
  }
)

console.log("\nThree failures\n")
const silent = createCatalog({ fetch: () => new Promise(() => {}), clientId: "any" })
const fails = (tag, run) => step(tag, (outcome) => outcome === tag, run)
await fails("ClientValidationError", () => catalog.anime.search({ q: "   " }))
await fails("ClientRestError", () => catalog.anime.get({ id: 999_999_999 }))
await fails("ClientNetworkError", () => silent.anime.get({ id: 1 }, { timeout: 50 }))

await catalog.close()
await silent.close()
console.log(wrong === 0 ? "\nEverything did what it should." : `\n${wrong} did not do what they should.`)
process.exitCode = wrong === 0 ? 0 : 1
