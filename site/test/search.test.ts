import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { ClientAuthError, ClientNetworkError, ClientRestError } from "@catalog-client/core"
import { createCatalog } from "catalog-client"
import { expect, it } from "vitest"
import { linkFrom, pages } from "../pages.js"
import { anchorOf } from "../urls.js"
import { excerptOf, sectionsOf } from "../.vitepress/theme/excerpts.js"
import { found as foundIn, type Result } from "../.vitepress/theme/found.js"
import { aliases, error, miniSearch, questions } from "../search.js"
import { blocksIn, read } from "../../test/readme.js"
import { folder, open } from "./site.js"

/** What the tests need of MiniSearch, which VitePress brings. */
interface Index {
  has(id: string): boolean
  search(query: string, options?: object): ReadonlyArray<Result>
}

const require = createRequire(createRequire(import.meta.url).resolve("vitepress"))
const { default: MiniSearch } = (await import(pathToFileURL(require.resolve("minisearch")).href)) as {
  readonly default: { loadJSON(json: string, options: object): Index }
}

/** The index of the built site, searched as the page of a reader does. */
const chunks = join(folder, "assets/chunks")
const [chunk = ""] = readdirSync(chunks).filter((name) => name.startsWith("@localSearchIndexroot"))
const { default: json } = (await import(pathToFileURL(join(chunks, chunk)).href)) as { readonly default: string }
const index = MiniSearch.loadJSON(json, { ...miniSearch.options, searchOptions: miniSearch.searchOptions })
const found = (query: string): ReadonlyArray<string> => foundIn(index, query, miniSearch.options).map(({ id }) => id)
const first = (query: string): string | undefined => found(query)[0]

/** Whether a result is a section, or a page or one of its sections. */
const isOn = (wanted: string, found: string | undefined) => found === wanted || found?.startsWith(`${wanted}#`) === true

/** Expects of a query that its page comes first. */
const expectFirst = (query: string, wanted: string) => {
  expect(isOn(wanted, first(query))).toBe(true)
}

/** The section with the messages of TypeScript. */
const typescript = "typeerror#typescripts-messages"

/** What users type, and the page or section that has the answer. */
const queries: ReadonlyArray<readonly [query: string, first: string]> = [
  // Signing in
  ["oauth", "/recipes/sign-in"],
  ["sign in", "/recipes/sign-in"],
  ["login", "/recipes/sign-in"],
  ["log in", "/recipes/sign-in"],
  ["log in with myanimelist", "/recipes/sign-in"],
  ["sign in with mal", "/recipes/sign-in"],
  ["logout", "/recipes/sign-in-server#the-routes"],
  ["pkce", "/recipes/sign-in"],
  ["access token", "/recipes/sign-in"],
  ["refresh token", "/recipes/sign-in"],
  ["client id", "/api-key"],
  ["mal api key", "/api-key"],
  ["how to authenticate", "/recipes/sign-in"],
  // What calls return, and what they take
  ["pagination", "/whole-lists"],
  ["next page", "/whole-lists"],
  ["whole list", "/whole-lists"],
  ["nsfw", "/calls"],
  ["timeout", "/calls"],
  ["fields", "/fields"],
  ["types", "/fields"],
  ["web page", "/start/browser"],
  ["show in html", "/start/browser"],
  ["show titles on a web page", "/start/browser"],
  ["hono middleware", "/recipes/sign-in-server#on-your-server"],
  ["frontend", "/start/browser"],
  ["undefined mean", "/fields"],
  ["mean is undefined", "/fields"],
  ["max Infinity", "/whole-lists"],
  ["plan_to_watch", "/operations/anime#animeupdatemyliststatus"],
  ["update list", "/operations/anime#animeupdatemyliststatus"],
  ["score", "/operations/anime#animeupdatemyliststatus"],
  ["delete", "/operations/anime#animedeletefromlist"],
  ["user list", "/operations/user#useranimelist"],
  ["get all anime of a user", "/operations/user#useranimelist"],
  ["get list", "/operations/user#useranimelist"],
  ["get user", "/operations/user#userget"],
  ["get anime", "/operations/anime#animeget"],
  ["mean", "/operations/anime#animeget"],
  ["upcoming anime", "/operations/anime#animeranking"],
  ["search by name", "/operations/anime#animesearch"],
  ["my profile", "/operations/user#userme"],
  ["abort request", "/calls"],
  ["unit test", "/testing"],
  ["manga", "/operations/manga#mangaget"],
  ["season", "/operations/anime#animeseasonal"],
  ["top anime", "/operations/anime#animeranking"],
  ["forum", "/operations/forum#forumtopics"],
  ["updateMyListStatus", "/operations/anime#animeupdatemyliststatus"],
  ["update my list status", "/operations/anime#animeupdatemyliststatus"],
  ["delete from list", "/operations/anime#animedeletefromlist"],
  ["anime.get", "/operations/anime#animeget"],
  ["get anime by id", "/operations/anime#animeget"],
  ["my list", "/operations/user#useranimelist"],
  ["add to my list", "/operations/anime#animeupdatemyliststatus"],
  ["remove from list", "/operations/anime#animedeletefromlist"],
  ["user profile", "/operations/user#userme"],
  ["cover image", "/operations/records#picture"],
  ["start date", "/operations/records#anime"],
  ["timezone", "/operations/records#broadcast"],
  ["this season", "/recipes/titles#this-season"],
  ["change score", "/operations/anime#animeupdatemyliststatus"],
  ["mark episode as watched", "/operations/anime#animeupdatemyliststatus"],
  ["synopsis", "/operations/records#anime"],
  // Errors
  ["401", error("status-401")],
  ["429", error("status-429")],
  ["ClientRestError", "/errors/#clientresterror"],
  ["ClientNetworkError", "/errors/#clientnetworkerror"],
  ["InvalidBody", error("invalidbody")],
  ["AbortError", error("cancelled")],
  ["expired token", error("status-401")],
  ["my status of each title", "/fields#the-users-status-of-each-title"],
  ["season list status", "/fields#the-users-status-of-each-title"],
  ["private list", error("status-403")],
  ["status 500", error("status-5xx")],
  ["fetch failed", error("transport")],
  ["TypeError: fetch failed", error("transport")],
  ["socket hang up", error("transport")],
  ["Unexpected token <", error("invalidbody")],
  ["access_denied", error("denied")],
  ["Property 'genres' does not exist", error(typescript)],
  ["CORS error", "/recipes/proxies"],
  ["self signed", "/recipes/proxies#a-companys-proxy"],
  ["Cannot find module '@catalog-client/core'", "/errors/install"],
  ["ERR_MODULE_NOT_FOUND", "/errors/install"],
  ["ECONNREFUSED", error("transport")],
  ["ECONNRESET", error("transport")],
  ["ENOTFOUND", error("transport")],
  ["ETIMEDOUT", error("transport")],
  ["too many requests", error("status-429")],
  ["invalid limit", error("status-400")],
  ["closed", error("cancelled")],
  ["the catalog was closed", error("cancelled")],
  // Guides
  ["rate limit", "/rate-limits"],
  ["rate limited", "/rate-limits"],
  ["retry", "/retries"],
  ["how to use", "/start/promise"],
  ["multi user", "/calls"],
  ["otel", "/observability#spans"],
  ["interceptors", "/observability#hooks"],
  ["cache", "/caches"],
  ["logging", "/observability#log"],
  ["mock", "/testing"],
  ["jest", "/testing#jest"],
  ["effect layer", "/effect"],
  ["ManagedRuntime", "/effect"],
  ["fiber", "/effect"],
  ["useQuery", "/recipes/react"],
  ["how many requests per second", "/rate-limits"],
  ["tree shaking", "/start/browser#bundle-size"],
  ["cdn", "/start/browser#bundle-size"],
  ["msw", "/testing"],
  ["get started", "/start/promise"],
  // Where it runs
  ["install", "/install"],
  ["node version", "/install#where-it-runs"],
  ["bun", "/install#where-it-runs"],
  ["deno", "/install#where-it-runs"],
  ["cloudflare", "/recipes/deploy"],
  ["react", "/recipes/react"],
  ["next.js", "/recipes/next"],
  ["next", "/recipes/next"],
  ["nuxt", "/install#where-it-runs"],
  ["mobile app", "/install#where-it-runs"],
  ["demo", "/explore"],
  ["Effect 4", "/effect-versions"],
  ["lts effect 4", "/effect-versions"],
  ["express", "/recipes/express"],
  ["cors", "/recipes/proxies"],
  ["bundle size", "/performance#browser-bundle"],
  ["serverless", "/recipes/deploy"],
  ["lambda", "/recipes/deploy"],
  ["aws lambda", "/recipes/deploy"],
  ["react native", "/install#where-it-runs"],
  ["top-level await", "/errors/install"],
  ["environment variable", "/install#credentials"],
  ["env variable", "/install#credentials"],
  ["performance", "/performance"],
  ["benchmark", "/performance"],
  ["how big", "/performance#browser-bundle"],
  ["cold start", "/performance"],
  ["import time", "/performance"],
  ["startup", "/performance"],
  ["require is not defined", "/errors/install#cannot-use-import-statement-outside-a-module"],
  ["webpack", "/install#typescript-and-module-systems"],
  ["too slow", "/performance"],
  // The project
  ["vs", "/comparison"],
  ["why not fetch", "/comparison"],
  ["compare with fetch", "/comparison"],
  ["alternative", "/comparison"],
  ["production ready", "/comparison#maturity-and-maintenance"],
  ["stable", "/comparison#maturity-and-maintenance"],
  ["maintained", "/comparison#maturity-and-maintenance"],
  ["who maintains this", "/comparison#maturity-and-maintenance"],
  ["is it official", "/comparison#maturity-and-maintenance"],
  ["characters", "/comparison#whats-missing"],
  ["semver", "/install#supported-versions"],
  ["deprecated", "/install#supported-versions"],
  ["openapi", "/operations/"],
  ["jikan", "/recipes/migrate"],
  ["@animelist/client", "/recipes/migrate"],
  ["resume after failure", "/recipes/nightly-job"],
  ["checkpoint", "/recipes/nightly-job"],
  ["export my list", "/recipes/nightly-job"],
  ["export list json", "/recipes/nightly-job"],
  ["error codes", "/errors/"],
  ["user agent", "/calls"],
  // Several words
  ["animeList", "/operations/user#useranimelist"],
  ["seasonal", "/operations/anime#animeseasonal"],
  ["get all pages", "/whole-lists"],
  ["not on the list", "/fields#the-users-status-of-each-title"],
  ["TokenStore postgres", "/recipes/token-stores#token-stores-where-a-server-keeps-its-users-tokens"],
  ["sign in express", "/recipes/express"],
  ["update status", "/operations/anime#animeupdatemyliststatus"],
  ["react hook", "/recipes/react"],
  ["useEffect abort", "/recipes/react"],
  ["search manga", "/operations/manga#mangasearch"],
  ["remove anime from my list", "/operations/anime#animedeletefromlist"],
  ["how to cancel request", "/calls"],
  ["npm error 404 Not Found - GET https://the.registry/catalog-client", "/install"],
  ["redirect uri", "/api-key"],
  ["all entries of my list", "/whole-lists"],
  ["TS2591", "/errors/install"],
  ["TS5112", "/errors/install"],
  ["TS2304", "/errors/install"],
  ["base url", "/calls#defaults"],
  ["missing entries in my list", "/whole-lists#why-entries-are-missing"],
  ["nsfw missing titles in list", "/whole-lists#why-entries-are-missing"],
  ["when does the next episode air", "/recipes/titles#broadcast-in-local-time"],
  ["upload list", "/recipes/nightly-job#export-as-xml"],
  ["import list", "/recipes/sync"],
  ["filter by genre", "/recipes/titles#filter-by-genre-and-count"],
  ["terms of use", "/terms"],
  ["discord bot", "/recipes/bots"],
  ["telegram", "/recipes/bots"],
  ["vercel", "/recipes/deploy"],
  ["deploy", "/recipes/deploy"],
  ["compare two lists", "/recipes/titles#compare-two-lists"],
  ["airing today", "/recipes/titles#broadcast-in-local-time"],
  ["api key", "/api-key"],
  ["app type", "/api-key"],
  ["circuit breaker", "/breaker"],
  ["custom policy", "/resilience#custom-policies"],
  ["commercial use", "/terms"],
  ["how many anime in list", "/recipes/titles#filter-by-genre-and-count"]
]

/** What those type who come from a search engine. */
const searched: typeof queries = [
  ["mal api pagination", "/whole-lists"],
  ["myanimelist 403", error("status-403")],
  ["myanimelist api javascript", "/start/promise"],
  ["mal api typescript client", "/start/promise"],
  ["code_challenge plain", "/recipes/token-stores"],
  ["mock myanimelist api", "/testing"],
  ["cache api responses", "/caches"],
  ["claude desktop myanimelist", "/mcp"],
  ["webhooks when list changes", "/comparison#whats-missing"],
  ["sync anilist myanimelist", "/recipes/sync"],
  ["batch update list", "/recipes/sync"],
  ["backup my anime list", "/recipes/nightly-job"],
  ["cron job export", "/recipes/nightly-job"],
  ["csv", "/recipes/nightly-job"],
  ["redis session store", "/recipes/token-stores#token-stores-where-a-server-keeps-its-users-tokens"],
  ["csrf", "/recipes/sign-in-server#the-routes"],
  ["password prompt oauth", error("sign-in-refused")],
  ["token revoked", error("signedout")],
  ["signed out", error("signedout")],
  ["500 internal server error", error("status-5xx")],
  ["504 gateway timeout", error("status-5xx")],
  ["certificate error", "/recipes/proxies#a-companys-proxy"],
  ["for await", "/whole-lists"],
  ["loop over all anime", "/whole-lists"],
  ["jikan alternative", "/recipes/migrate#from-jikan"],
  ["alternative to jikan", "/recipes/migrate#from-jikan"],
  ["fetch anime list of another user", "/recipes/titles#another-users-list"],
  ["add manga to list", "/operations/manga#mangaupdatemyliststatus"],
  ["optimistic update", "/recipes/react#optimistic-updates"],
  ["durable objects", "/recipes/deploy#cloudflare-workers"],
  ["custom headers", "/calls#options-of-a-call"],
  ["user clicked deny", error("denied")],
  ["graceful shutdown", "/calls"],
  ["monitoring", "/observability"],
  ["api changed", "/observability#when-the-service-changes"],
  ["typed response", "/fields"],
  ["effect schema anime", "/your-own-operation#schemas-with-effect"],
  ["property based testing", "/your-own-operation#a-property-test"],
  ["test clock", "/testing#time"],
  ["how long is an access token valid", "/recipes/token-stores#rows-cookies-and-tokens"],
  ["http proxy env", "/recipes/proxies#a-companys-proxy"],
  ["validate input", "/calls#check-inputs-from-outside"],
  ["missing anime in list", "/whole-lists#why-entries-are-missing"],
  ["anilist mal id mapping", "/recipes/sync#ids-of-other-services"],
  ["rotate encryption key", "/recipes/token-stores#encrypted-rows"],
  ["empty body", error("invalidbody")],
  ["ranking manga", "/operations/manga#mangaranking"],
  ["decode error", error("invalidbody")],
  ["empty results", "/whole-lists#why-entries-are-missing"],
  ["cache not updating", "/caches"],
  ["how many results per page", "/whole-lists"],
  ["HttpClient layer", "/effect#your-own-httpclient"],
  ["test layer", "/testing"],
  ["fake data for storybook", "/testing"],
  ["Effect.retry", "/retries"],
  ["Effect.gen example", "/start/effect"],
  ["effect version", "/effect-versions"],
  ["upgrade effect 4", "/effect-versions"],
  ["find shared anime", "/recipes/titles#compare-two-lists"],
  ["mock service worker tests", "/testing#tools-that-replace-the-network"],
  ["save tokens database", "/recipes/token-stores#token-stores-where-a-server-keeps-its-users-tokens"],
  ["token lost after restart", "/recipes/token-stores#token-stores-where-a-server-keeps-its-users-tokens"],
  ["cli tool", "/recipes/sign-in#a-command-line-program"],
  ["auth.js", "/recipes/next"],
  ["getting banned", "/rate-limits"],
  ["new episodes notification", "/recipes/bots"],
  ["limit 1000", "/whole-lists"],
  ["delete 404 already gone", "/operations/anime#animedeletefromlist"],
  ["php", "/operations/"],
  ["why undefined", "/fields"],
  ["api documentation", "/operations/"],
  ["my username", "/operations/user#userme"],
  ["json parse error", error("invalidbody")],
  ["add many anime", "/recipes/sync"],
  ["blocked by firewall", error("status-403")],
  ["related anime", "/operations/records#relatedanime"],
  ["certificate expired", "/recipes/proxies#a-companys-proxy"],
  ["prometheus", "/observability"],
  ["python", "/operations/#another-language"],
  ["kotlin sdk", "/operations/#another-language"],
  ["other language", "/operations/#another-language"],
  ["mal-scraper", "/recipes/migrate"],
  ["migrate from node-myanimelist", "/recipes/migrate#from-node-myanimelist"],
  ["express middleware", "/recipes/express"],
  ["invalidate cache", "/caches#drop-stale-replies"],
  ["can i cache the data", "/terms"],
  ["link discord user to mal account", "/recipes/bots#users-who-sign-in"],
  ["search for an anime by name", "/operations/anime#animesearch"],
  ["refresh token expired", error("status-401")],
  ["redis token store", "/recipes/token-stores"],
  ["anime schedule", "/recipes/titles#broadcast-in-local-time"],
  ["import backup", "/recipes/sync"],
  ["memory usage", "/performance"],
  ["interval between requests", "/rate-limits"],
  ["getting a 429 error around 26th request", error("status-429")],
  ["api is down", error("status-5xx")],
  ["average episode length in seconds", "/operations/records#anime"],
  ["recommendations endpoint", "/operations/anime#animesuggestions"],
  ["nuxt 3 example", "/install#where-it-runs"],
  ["list is missing some anime", "/whole-lists#why-entries-are-missing"],
  ["fallback to another api", "/breaker#a-second-service"],
  ["same request twice at once", "/caches#share-reads-in-flight"],
  ["per user cache", "/caches#who-shares-a-reply"],
  ["get cover art of a manga", "/operations/records#picture"],
  ["compare my taste with a friend", "/recipes/titles#compare-two-lists"],
  ["how to call myanimelist api from browser", "/start/browser"],
  ["log every request", "/observability#log"],
  ["process does not exit", "/calls"],
  ["too many redirects", error("status-3xx")],
  ["price", "/comparison#maturity-and-maintenance"],
  ["cost", "/comparison#maturity-and-maintenance"],
  ["is it free", "/comparison#maturity-and-maintenance"],
  ["changelog", "/comparison#maturity-and-maintenance"],
  ["streaming links", "/comparison#whats-missing"],
  ["createCatalog options", "/api/catalog-client#catalogoptions"],
  ["types not found", "/errors/install#ts2307-ts2792-cannot-find-module-catalog-client"],
  ["num_episodes_watched", "/operations/records#animeliststatus"],
  ["use in browser", "/start/browser"],
  ["nullable optional", "/fields"],
  ["broadcast time timezone", "/recipes/titles#broadcast-in-local-time"],
  ["how do i get all episodes", "/comparison#whats-missing"],
  ["node example", "/start/promise"],
  ["can i use this without login", "/api-key"],
  ["oauth multiple users server", "/recipes/sign-in-server"],
  ["response without fields", "/fields"],
  ["list of genre ids", "/operations/records#genre"],
  ["how to mock in jest", "/testing#jest"],
  ["guides", "/guides/"],
  ["recipes", "/recipes/"],
  ["maxRetries", "/retries#how-often-and-when"],
  ["upload a list in bulk without hitting the rate limit", "/recipes/sync"]
]
it("the right page comes first for what users type, nine times of ten", () => {
  expect([queries.length, searched.length]).toEqual([203, 131])
  const wrong = [...queries, ...searched].flatMap(([query, wanted]) => {
    const id = first(query)
    return isOn(wanted, id) ? [] : [`${query}: ${id} instead of ${wanted}`]
  })
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(4)
})

it.each([
  ["AbortSignal", "/calls"],
  ["totalTimeout", "/calls"],
  ["rankingType", "/operations/anime#animeranking"],
  ["baseUrl", "/calls#defaults"],
  ["clientId", "/api-key"],
  ["fields option", "/fields"],
  ["tsconfig", "/install#typescript-and-module-systems"],
  ["signal", "/calls"],
  ["prefetch", "/whole-lists"],
  ["maxResponseBytes", "/calls"],
  ["updateMyListStatus", "/operations/anime#animeupdatemyliststatus"],
  ["mangaList", "/operations/user#usermangalist"],
  ["onStoreFailure", "/rate-limits"]
])("the section that documents a name comes before those that mention it: %s", expectFirst)

it.each([
  ["mismatch", "/calls#defaults"],
  ["latency", "/testing#options"],
  ["hold", "/rate-limits"],
  ["stage", "/api/catalog-client#policy"],
  ["redirecturi", "/api/oauth#oauthclient"],
  ["total timeout", "/calls#options-of-a-call"],
  ["createsession", "/api/oauth#createsession"],
  ["retryoptions", "/api/catalog-client#resilienceretryoptions"],
  ["catalog-client/redis", "/api/subpaths#catalog-clientredis"]
])("an option or a name is found in any case: %s", expectFirst)

it.each([
  ["HTTPException", "/errors/#the-four-errors"],
  ["ValidationError", "/errors/#clientvalidationerror"],
  ["NotFoundError", error("status-404")],
  ["TooManyRequestsError", error("status-429")],
  ["TimeoutError", error("timeout")],
  ["InternalServerError", error("status-5xx")],
  ["isCatalogError", "/errors/#the-four-errors"]
])("the class of another library's error finds the error that is like it: %s", expectFirst)

it.each([
  ["authentification", "/recipes/sign-in"],
  ["recomendations", "/operations/anime#animesuggestions"],
  ["sesonal anime", "/operations/anime#animeseasonal"],
  ["retires", "/retries"],
  ["cloudflar workers", "/recipes/deploy#cloudflare-workers"],
  ["circuit breakers", "/breaker"],
  ["open telemetry", "/observability#with-opentelemetry"],
  ["rate limt", "/rate-limits"],
  ["ratelimit", "/rate-limits"],
  ["ratelimiting support", "/rate-limits"],
  ["rateLimit policy", "/rate-limits"]
])("a word that is mistyped, in the plural, or written as two is corrected: %s", expectFirst)

it.each(["X-RateLimit", "anime zookeeper", "run graphql"])("a word that occurs nowhere finds nothing: %s", (query) => {
  expect(found(query)).toEqual([])
})

it.each([
  ["schedule", "/recipes/titles#broadcast-in-local-time"],
  ["airing schedule", "/recipes/titles#broadcast-in-local-time"],
  ["adult titles", "/calls#options-of-a-call"],
  ["ApiError", "/errors/#the-four-errors"],
  ["ApiException", "/errors/#the-four-errors"],
  ["error types", "/errors/#the-four-errors"],
  ["not found", error("status-404")],
  ["search anime", "/operations/anime#animesearch"],
  ["ranking types", "/operations/anime#animeranking"],
  ["proxy", "/recipes/proxies"],
  ["custom fetch", "/calls#defaults"]
])("words that other sections use for something else find what readers mean: %s", expectFirst)

it.each([
  ["postgres zookeeper", "/recipes/token-stores"],
  ["deno graphql", "/install#where-it-runs"]
])("a rare word beside one that occurs nowhere is found: %s", expectFirst)

it.each([
  ["mcp", "/mcp"],
  ["dry run", "/mcp"]
])("the MCP server is found: %s", expectFirst)

it("a search loads at most 180 kB, compressed, after the page", () => {
  const files = readdirSync(chunks).filter((name) => /^(?:@localSearchIndexroot|VPLocalSearchBox)/.test(name))
  expect(files.length).toBe(2)
  expect(files.reduce((sum, name) => sum + gzipSync(readFileSync(join(chunks, name))).length, 0)).toBeLessThan(180_000)
})

it("nothing is found before something is typed", () => {
  expect(found("")).toEqual([])
})

it.each([
  ["nextjs", "/recipes/next"],
  ["nest js", "/recipes/sign-in-server#on-your-server"],
  ["react.js", "/recipes/react"],
  ["SvelteKit", "/recipes/sveltekit"]
])("the name of a framework is found with and without its js: %s", expectFirst)

it("a capital letter at the start, as phones write it, leads to the right page, nineteen times of twenty", () => {
  const several = queries.filter(([query]) => /^[a-z]+ /.test(query))
  const wrong = several.filter(
    ([query, wanted]) => !isOn(wanted, first(query.charAt(0).toUpperCase() + query.slice(1)))
  )
  expect(several.length).toBeGreaterThan(100)
  expect(wrong.length / several.length).toBeLessThan(0.05)
})

/** The words of the queries, with one pair of letters in the wrong order. */
const transposed = queries.flatMap(([query, wanted]) =>
  [...query.matchAll(/[a-z]{5,}/gi)].flatMap(({ 0: word, index }) =>
    Array.from({ length: word.length - 1 }, (_, at) => {
      const swapped = word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
      return [query.slice(0, index) + swapped + query.slice(index + word.length), wanted] as const
    })
  )
)

it("two letters in the wrong order lead to the right page, nineteen times of twenty", () => {
  const wrong = transposed.filter(([query, wanted]) => !isOn(wanted, first(query)))
  expect(transposed.length).toBeGreaterThan(200)
  expect(wrong.length / transposed.length).toBeLessThan(0.05)
})

it.each([
  ["0", "3xx"],
  ["302", "3xx"],
  ["400", "400"],
  ["401", "401"],
  ["403", "403"],
  ["404", "404"],
  ["405", "405"],
  ["408", "5xx"],
  ["418", "4xx"],
  ["429", "429"],
  ["500", "5xx"],
  ["522", "5xx"]
])("the number decides in a message that ends with it: returned %s", (status, section) => {
  const url = "https://api.myanimelist.net/v2/users/me/animelist?limit=100"
  expect(first(`catalog.user.animeList failed: GET ${url} returned ${status}`)).toBe(error(`status-${section}`))
})

it.each([
  ["catalog.anime.get failed: GET https://api.myanimelist.net/v2/anime/1 returned 403 (forbidden)", "status-403"],
  [
    "ClientRestError: catalog.user.me failed: GET https://api.myanimelist.net/v2/users/@me returned 403 (forbidden).",
    "status-403"
  ],
  ["catalog.anime.get failed: GET https://api.myanimelist.net/v2/anime/1 returned 404 (not_found)", "status-404"],
  [
    "catalog.anime.get failed: GET https://api.myanimelist.net/v2/anime/1 returned 401 (invalid_token: token is invalid)",
    "status-401"
  ],
  [
    "catalog.user.animeList failed: GET https://api.myanimelist.net/v2/users/@me/animelist?limit=5000 returned 400 (bad_request: invalid limit)",
    "status-400"
  ]
])("also in a message with its code: %s", (message, section) => {
  expect(first(message)).toBe(error(section))
})

it.each([
  ["Request failed with status code 401", "status-401"],
  ["HTTP 504", "status-5xx"],
  ['{"error":"invalid_request","message":"Failed to verify code_verifier"}', "sign-in-refused"]
])("a response as other programs print it finds its error: %s", (message, section) => {
  expect(first(message)).toBe(error(section))
})

it.each(["errors/status-429.md", "https://catalog-client.github.io/catalog-client/e/Status-429"])(
  "the link of a message finds its section: %s",
  (link) => {
    expect(first(link)).toBe(error("status-429"))
  }
)

it.each([
  ["catalog.anime.get", "/operations/anime#animeget"],
  ["catalog.user.animeList(", "/operations/user#useranimelist"],
  ["createSessions", "/api/oauth#createsessions"],
  ["withOptions", "/api/catalog-client#catalogwithoptions"],
  ["ClientError", "/api/catalog-client#clienterror"],
  ["Resilience.cache", "/api/catalog-client#resiliencecache"],
  ["RateLimitBucket", "/api/catalog-client#resilienceratelimitbucket"],
  ["isNotFound", "/api/catalog-client#isnotfound"],
  ["Credentials", "/api/core#credentials"],
  ["CatalogClient", "/api/core#catalogclient"],
  ["EmbeddedCatalog", "/api/testing#embeddedcatalog"],
  ["sessions.credentials", "/api/oauth#oauthsessionsservicecredentials"],
  ["OAuth.refresh", "/api/oauth#oauthrefreshtokens"],
  ["CATALOG_CLIENT_ID", "/effect#configuration-from-the-environment"],
  ["CATALOG_ACCESS_TOKEN", "/effect#configuration-from-the-environment"],
  ["withResponse", "/calls#headers-and-status-of-a-response"],
  ["catalog-embedded", "/testing#on-a-port"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", error("transport")],
  ["ERR_REQUIRE_ESM", "/errors/install#needs-node-2019-or-newer"]
])("a name that programs or their errors use finds its section: %s", (name, section) => {
  expect(first(name)).toBe(section)
})

it("of the results that are shown, one page has at most two of the first five", () => {
  for (const query of ["oauth pkce", "anime", "episodes", "redirect uri", "invalid", "rate limit", "type error"]) {
    const top = found(query)
      .slice(0, 5)
      .map((id) => id.split("#")[0])
    expect(
      top.filter((page, at) => top.slice(0, at).filter((other) => other === page).length > 1),
      query
    ).toEqual([])
  }
})

it("a title or an alias is among the first results of a search for it", () => {
  expect(found("Anime").slice(0, 2)).toContain("/operations/records#anime")
  expect(found("not found").slice(0, 2)).toContain(error("status-404"))
  expect(found("wrong base url").slice(0, 3)).toContain(error("status-404"))
  expect(found("items").slice(0, 3)).toContain("/whole-lists#whole-lists")
})

const { documentIds } = JSON.parse(json) as { readonly documentIds: Readonly<Record<string, string>> }

it("each section of the index is in the Markdown of its page, from which a result shows the part that matches", () => {
  const files = new Map<string, ReturnType<typeof sectionsOf>>()
  const missing = Object.values(documentIds).filter((id) => {
    const [path = "", anchor = ""] = id.split("#")
    const file =
      files.get(path) ?? sectionsOf(readFileSync(join(folder, `${path.replace(/\/$/, "/index")}.md`), "utf8"))
    files.set(path, file)
    return !file.has(anchor)
  })
  expect(missing).toEqual([])
})

it("a result shows the sentence with most words, prose before code, and not what is far before the words", () => {
  const page = `
# A page

The first sentence. The second one has a [limit](/x.md) of \`a < b\`
and goes on.

| option | what |
|---|---|
| \`max\` | ${"a long cell ".repeat(9)}ends with the size |

\`\`\`ts
import {
  imported
} from "a-module"
const limit = 1
catalog.items({ max: Infinity })
\`\`\`

## A page

Another section.
`
  const sections = sectionsOf(page)
  const excerpt = (words: RegExp, anchor = "a-page") => excerptOf(sections.get(anchor) ?? [], words)
  expect(excerpt(/\blimit/gi)).toMatch(/^The second one has a limit of a &lt; b and goes on\. max · a long/)
  expect(excerpt(/\bsize/gi)).toMatch(/^max · … .{10,30} ends with the size\.$/)
  expect(excerpt(/\binfinity/gi)).toBe("catalog.items({ max: Infinity })")
  expect(excerpt(/\bimported/gi)).toMatch(/^The first sentence\. /)
  expect(excerpt(/\banother/gi)).toMatch(/^The first sentence\. /)
  expect(excerpt(/\banother/gi, "a-page-1")).toBe("Another section.")
})

it.each(["refresh token expired", "redis token store", "store tokens in a file"])(
  "the section that quotes the warnings of sessions is not among the first three for: %s",
  (query) => {
    expect(found(query).slice(0, 3)).not.toContain("/observability#warnings-of-sessions")
  }
)

it.each(["Credentials", "catalog", "client", "core", "HttpClient", "provide", "mock user"])(
  "the section that quotes names everywhere is not among the first four for: %s",
  (query) => {
    expect(found(query).slice(0, 4)).not.toContain(error("service-not-found"))
  }
)

it("a name of Effect does not find what has the same word in its aliases", () => {
  for (const query of ["Schedule.recurs", "retry Schedule"]) {
    expect(found(query)).not.toContain("/operations/anime#animeseasonal")
  }
  expect(found("layerConfig").slice(0, 4)).toContain("/api/core#catalogconfiglayerconfig")
})

it.each([
  ["needs an access token and none is configured", "missing"],
  ["connect ECONNREFUSED 127.0.0.1:9", "transport"],
  ["expected a string, found nothing", "invalidbody"],
  ["Invalid client id", "status-400"],
  ['"fields" must be a string', "typeerror#options-of-createcatalog-and-calls"],
  ['has no option "feilds": did you mean "fields"?', "typeerror#options-of-createcatalog-and-calls"],
  [
    `file:///app/node_modules/catalog-client/dist/chunks/Schema-A.js:3646     const error = new TypeError(message, options);
     ^  TypeError: createCatalog has no option "apiKey": it takes baseUrl, clientId, accessToken, timeout, fetch
     at mistake (file:///app/node_modules/catalog-client/dist/chunks/Schema-A.js:3646:17)     at file:///app/main.mjs:3:17
     at ModuleJob.run (node:internal/modules/esm/module_job:325:25)  Node.js v20.20.2`,
    "typeerror#options-of-createcatalog-and-calls"
  ],
  ["does not provide an export named 'createSession'", "install#does-not-provide-an-export-named"],
  ["does not provide an export named 'default'", "install#does-not-provide-an-export-named"],
  ["TS2305", "install#does-not-provide-an-export-named"],
  ["TS1378", "install#top-level-await"],
  ["TS2307", "install#ts2307-ts2792-cannot-find-module-catalog-client"],
  ["Package subpath './session' is not defined by \"exports\" in", "install#does-not-provide-an-export-named"],
  ["TS2580", "install#ts2591-cannot-find-name-process"],
  ["needs Node 20.19 or newer, but this is v18.20.8", "install#needs-node-2019-or-newer"],
  ["Proxy response (407) !== 200 when HTTP Tunneling", "transport"],
  ["404", "status-404"],
  ["Type 'HttpClient | Credentials' is not assignable to type 'never'", "service-not-found"],
  ["catalog.anime.getById is not a function", "typeerror#javascripts-messages"],
  ["createCatalog takes an object of options, but got", "typeerror#options-of-createcatalog-and-calls"],
  ["withResponse takes the promise", "typeerror#inputs-of-a-call"],
  ["is not a valid header name", "typeerror#options-of-createcatalog-and-calls"],
  ["fetch did not return a Response", "transport"],
  ["Login.loopback did not finish (GET http://localhost:8085/callback): port 8085 cannot be used", "transport"],
  ["SSL routines wrong version number", "transport"],
  [
    "SSL routines:ssl3_get_record:wrong version number:../deps/openssl/openssl/ssl/record/ssl3_record.c:350",
    "transport"
  ],
  ["the access token belongs to https://api.myanimelist.net and must not be sent to", "typeerror#sign-in"],
  ["cannot serve on", "transport"],
  ["not async iterable", "typeerror#javascripts-messages"],
  ["(intermediate value) is not iterable", "typeerror#javascripts-messages"],
  ["page is not iterable", "typeerror#javascripts-messages"],
  ["createSession: clientId must be the client ID", "typeerror#sign-in"],
  ["TS2339", typescript],
  ["TS18048", typescript],
  ["TS2353", typescript],
  ["TS2561", typescript],
  ["TS2559", typescript],
  ["error TS18046: 'e' is of type 'unknown'.", typescript],
  ["TS2345", typescript],
  ["NotWritten", typescript],
  ["must have a '[Symbol.asyncIterator]()' method", typescript],
  ["must have a '[Symbol.iterator]()' method that returns an iterator", typescript],
  ["Expected 2 arguments, but got 1", typescript],
  ["error TS18048: 'anime.mean' is possibly 'undefined'.", typescript],
  ["Neither a client ID", "status-403"],
  ["Cannot assign to read only property 'title' of object '#<Object>'", "read-only"],
  ["The operation was aborted due to timeout", "cancelled"],
  ["Service not found: @catalog-client/core/Credentials", "service-not-found"],
  ["Service not found: @catalog-client/core/CatalogClient", "service-not-found"],
  ["CatalogClient.layerMock has no catalog.user.me: add it to user", "service-not-found"],
  ["Service not found", "service-not-found"],
  ["is sent to … without encryption, and anyone on the network can read it", "warnings"],
  ["the hook onRequest failed (logged once)", "warnings"],
  ["mean of the reply was omitted (logged once)", "warnings"]
])("a fragment of a message finds its section: %s", (fragment, section) => {
  expect(first(fragment)).toBe(section === "warnings" ? "/observability#warnings" : error(section))
})

it("each alias and each question belongs to a section", () => {
  const pagePaths = [...pages.keys()].map((file) => linkFrom(".", file))
  expect(Object.keys({ ...aliases, ...questions }).filter((id) => !index.has(id) && !pagePaths.includes(id))).toEqual(
    []
  )
})

/** The messages that pages show, with their sections. */
const shown = new Map(
  [...pages]
    .filter(([file]) => file.startsWith("docs/errors/"))
    .flatMap(([file, address]) =>
      blocksIn(read(file)).flatMap(({ language, output, section, text }) => {
        const message = language === "text" ? text : output
        // A program can print the name or the status of an error, too. Tabs repeat the message of their section.
        return message === undefined ||
          section.startsWith("Effect ") ||
          !/^[^\d ]+ .*[a-z]{3}/.test(message) ||
          message.startsWith("Diamond")
          ? []
          : [[message.trimEnd(), `/${address.replace(/[.]md$/, "")}#${anchorOf(section)}`] as const]
      })
    )
)

/** The section to which the link at the end of a message leads. */
const sectionIn = (message: string): string => {
  const [, name = ""] = /\/e\/([\w-]+)$/m.exec(message) ?? []
  return error(name)
}

const request = { method: "GET", url: "https://proxy.example/v2/manga/2?fields=mean", attempts: 1 }
const operation = "catalog.manga.get"
const rest = { ...request, operation, reason: "Status", body: undefined } as const
const transport = { ...request, operation, reason: "Transport" } as const

const failureOf = (call: Promise<unknown>): Promise<ClientAuthError> =>
  call.then(
    () => {
      throw new Error("it did not fail")
    },
    (error: ClientAuthError) => error
  )

const page = () => Promise.resolve(new Response("<!doctype html><title>Sign in</title>", { status: 200 }))
const closed = createCatalog({ clientId: "my-client-id", fetch: page })
await closed.close()

/** Other messages of the same errors. */
const others = [
  new ClientRestError({ ...rest, status: 401, credentialSent: false }),
  new ClientRestError({ ...rest, status: 403, code: "forbidden" }),
  new ClientRestError({ ...rest, status: 403, code: "forbidden", credentialSent: false }),
  new ClientRestError({ ...rest, status: 429, retryAfter: 61_000 }),
  new ClientRestError({ ...rest, status: 502 }),
  new ClientRestError({ ...rest, status: 0 }),
  new ClientRestError({
    ...rest,
    status: 200,
    reason: "InvalidBody",
    path: ["data", 3, "node"],
    expected: "an object",
    found: "nothing"
  }),
  new ClientNetworkError({
    ...transport,
    cause: { name: "Error", message: "connect ECONNREFUSED 127.0.0.1:80", code: "ECONNREFUSED" }
  }),
  new ClientNetworkError({ ...transport, cause: { name: "TypeError", message: "Failed to fetch" } }),
  new ClientNetworkError({ ...request, operation, reason: "Timeout", timeoutMs: 30_000 }),
  new ClientAuthError({ operation: "OAuthSession.refresh", reason: "SignedOut" }),
  await failureOf(createCatalog({ clientId: "my-client-id", fetch: page }).user.me()),
  await failureOf(createCatalog({ clientId: "my-client-id", fetch: page }).anime.search({ q: "monster" })),
  await failureOf(closed.manga.get({ id: 2 }))
].map(({ message }) => [message, sectionIn(message)] as const)

it.each([...shown, ...others])(
  "a message finds the section that it names, or that shows it: %s",
  (message, section) => {
    const [said = ""] = message.split(" See ")
    expect(first(said)).toBe(section)
    // Its first sentence alone.
    const [sentence = said] = said.split(/(?<=[.]) /)
    expect(first(sentence)).toBe(section)
    // With its link, and as a program prints it.
    const linked = message === said ? section : sectionIn(message)
    expect(first(message)).toBe(linked)
    expect(first(`Uncaught ClientError: ${message}\n    at call (file:///home/reader/timeout.ts:4:19)`)).toBe(linked)
  }
)

it("the search is loaded when a mouse or the focus is on its button, so its first results come at once", async () => {
  for (const come of ["hover", "focus"] as const) {
    await using site = await open("/errors/")
    const { page } = site
    const index = page.waitForResponse((response) => response.url().includes("@localSearchIndexroot"))
    await page.getByRole("button", { name: "Search" })[come]()
    await index
    expect(await page.getByRole("dialog").count()).toBe(0)
    expect(site.problems).toEqual([])
  }
})

it("a result of the API shows its entry point and its purpose", async () => {
  await using site = await open("/errors/")
  const { page } = site
  await page.keyboard.press("Control+k")
  await page.locator(".search-input:focus").fill("rateLimitStore")
  const shown = page.locator(".VPLocalSearchBox .result .summary")
  for (const name of ["postgres", "redis", "sqlite"]) {
    await shown.filter({ hasText: `catalog-client/${name} · Keeps the tokens of a rate limit in ` }).waitFor()
  }
  expect(site.problems).toEqual([])
})

it("a search that cannot be loaded says so, and is loaded by the next press", async () => {
  await using site = await open("/errors/")
  const { page } = site
  await page.route("**/*VPLocalSearchBox*.js", (route) => route.abort())
  const button = page.getByRole("button", { name: "Search" })
  await button.press("Enter")
  const alert = page.getByRole("alert")
  await alert.getByText("This search could not be loaded.").waitFor()
  await alert.getByRole("button", { name: "Close" }).press("Enter")
  await alert.waitFor({ state: "detached" })
  await button.and(page.locator(":focus")).press("Enter")
  await alert.waitFor()
  await page.unrouteAll()
  await alert.getByRole("button", { name: "Try again" }).press("Enter")
  const box = page.getByRole("dialog", { name: "Search" })
  await box.waitFor()
  await page.keyboard.press("Escape")
  await button.and(page.locator(":focus")).press("Control+k")
  await box.waitFor()
  expect(await page.getByRole("alert").count()).toBe(0)
  // Without the pages, there are the titles.
  await page.route("**/*.md", (route) => route.abort())
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/calls.md"))
  await page.keyboard.insertText("timeout")
  await failed
  expect(await page.locator(".VPLocalSearchBox .result").first().getAttribute("href")).toMatch(/^\/calls/)
})
