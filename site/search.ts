// The search: how sections rank, and the words that users type where a page has others.
import { base, linkFrom, pages, textOf, titleOf } from "./pages.js"
import { errorNames } from "./shortAddresses.js"
import { anchorOf, errorAddressOf } from "./urls.js"

/** A section of a page, as the index takes it. */
interface Section {
  /** Its address: `/errors/#handle-an-error`. */
  readonly id: string
  readonly title: string
  /** The headings above it. */
  readonly titles: ReadonlyArray<string>
  readonly text: string
}

/** The section that explains an error, by the last part of its short address. */
export const error = (name: string): string => {
  const address = errorAddressOf(name)
  return address.includes("#") ? address : `${address}#${anchorOf(titleOf(`docs${address}.md`))}`
}

/** What users call the subject of a section, where its page does not. The address of a page is that of its first section. */
export const aliases: Readonly<Record<string, string>> = {
  "/start/promise":
    "started quick start hello world tutorial example usage use async await started beginner beginners introduction intro learn first steps sample template starter basics simple walkthrough",
  "/start/effect": "gen pipe example",
  "/start/browser": "web page html frontend front end website dom vite spa static vanilla",
  "/recipes/sign-in":
    "sign login logout signout oauth oauth2 pkce authentication authorization authorize access token refresh mal myanimelist authenticate code challenge verifier auth bearer consent permission account stay share",
  "/recipes/token-stores":
    "postgres postgresql mysql sqlite database persist redis session prisma drizzle lost restart mongodb mongo dynamodb supabase firestore kv storage keep race condition refresh twice token where disk saved save",
  "/recipes/sign-in#a-command-line-program": "cli terminal console script headless ssh browser tool",
  "/recipes/next#sign-in": "nextauth authjs next auth js",
  "/recipes/token-stores#encrypted-rows": "rotate encryption encrypt key encrypted rest aes kms",
  "/recipes/sync#ids-of-other-services": "mapping map anilist kitsu mal_id",
  "/api-key":
    "mal api key client id identifier register redirect uri url application form get access registration create apply obtain credential signup generate dashboard",
  "/whole-lists":
    "whole list pagination paginate paging next page cursor limit offset all results max infinity collect items download duplicate duplicates async iterator iterate loop maximum entries everything entire complete",
  "/calls#options-of-a-call":
    "timeout nsfw hentai adult signal abort cancel cancellation request headers cancelling own custom",
  "/calls#defaults":
    "base url address of the service endpoint fetch implementation proxy global config customize customizing",
  "/calls#many-users": "per call multiple accounts tenant",
  "/fields":
    "types select typescript inference undefined missing member property exist assignable null empty nested choose projection include only returned nullable optional",
  "/install": "setup npm pnpm yarn peer dependency esm package download",
  "/install#typescript-and-module-systems":
    "commonjs require esm cjs jsdoc npm pnpm yarn pnp workspace monorepo rollup vite webpack csp",
  "/install#credentials": "environment variable env process.env dotenv",
  "/install#where-it-runs":
    "node version bun deno native extension expo mobile app electron requirements supported safari chrome addon windows mac macos linux platform polyfill ssr rendering nuxt remix astro vue angular solid qwik ember gatsby",
  "/explore": "demo playground try live sandbox console interactive",
  "/start/browser#bundle-size": "tree shaking treeshaking shake cdn unpkg esm.sh",
  "/testing":
    "mock stub fake vitest fixture test playwright e2e dummy data offline internet storybook double seed assert sent mocking ci",
  "/effect": "layer service provide fiber dependency injection inject",
  "/effect#calls-from-promise-based-code": "runpromise web framework convert to promise runtime",
  "/effect#configuration-from-the-environment": "config variables",
  "/observability":
    "monitoring monitor alert dashboard prometheus grafana sentry datadog inspect http hide redact secret logs",
  "/observability#log": "logging logger debug console verbose quiet silence winston pino every request",
  "/calls": "close shutdown graceful sigterm leak connections keep alive pool sockets exit exits process",
  "/your-own-operation#a-property-test": "property based generator arbitrary fast check",
  [error("sign-in-refused")]:
    "password prompt dialog loop invalid_grant invalid_client grant mismatch redirect uri code already used twice",
  [error("signedout")]: "revoked revoke token",
  "/install#before-the-first-release": "npm error err e404 registry", // until the first release
  "/observability#spans": "tracing traces otel",
  "/observability#with-opentelemetry": "telemetry",
  "/observability#hooks": "interceptor events listener middleware",
  "/your-own-operation": "custom endpoint extend add zod valibot arktype undocumented raw generic",
  "/performance": "fast slow benchmark too memory faster speed ram heap footprint latency overhead lightweight",
  "/performance#browser-bundle": "bundle size big kb gzip minified kilobytes small smaller weight",
  "/performance#import": "cold startup import time",
  "/terms":
    "terms license agreement legal law allowed permission privacy gdpr commercial commercially attribution erase ads monetize sell copyright tos permitted",
  "/comparison#whats-missing":
    "characters staff episodes reviews missing features limitations streaming streams anilist kitsu voice actors seiyuu friends clubs favorites comments producers websocket webhook webhooks email avatar history",
  "/effect-versions": "4 v4 lts upgrade",
  "/comparison": "vs versus why compare alternative library libraries clients better difference which choose pros cons",
  "/comparison#maturity-and-maintenance":
    "production ready stable stability maintained maintains maintainer official unofficial affiliated alpha beta roadmap support free price cost pricing pay paid money changelog open source license who made author",
  "/install#supported-versions": "semver semantic versioning deprecated deprecation",
  "/rate-limits":
    "throttle throttling ban banned limiter quota concurrency concurrent parallel requests per second minute slow down delay pause sleep spam wait ip promise.all hammering",
  "/retries": "retry retries backoff exponential attempts attempt disable retrying again flaky temporary retried",
  "/caches#share-reads-in-flight":
    "deduplicate deduplication dedup coalesce batching loader concurrent same requests once simultaneous simultaneously duplicate twice",
  "/rate-limits#one-quota-for-several-processes": "limiter cluster instances multiple servers distributed",
  "/recipes/react#tanstack-query": "useinfinitequery infinite scroll react query usequery tanstack swr",
  "/recipes/deploy#aws-lambda": "function handler api gateway",
  "/recipes/deploy":
    "deploy deployment hosting host serverless vercel netlify fly railway render heroku azure aws gcp google functions",
  "/recipes/deploy#cloudflare-workers": "cloudflare worker isolate edge durable objects",
  "/recipes/deploy#a-container": "docker dockerfile kubernetes podman paste oob manually band",
  "/recipes/react#vue": "composable",
  "/recipes/bots": "bot bots chat discord telegram slash command notification notify slack",
  "/recipes/titles#this-season": "week currently",
  "/recipes/titles#compare-two-lists": "affinity shared common mutual difference diff taste friend compatibility",
  "/recipes/titles#pictures": "hotlinking hotlink resolution banner wallpaper size",
  "/resilience#custom-policies": "custom write middleware",
  "/recipes/titles#another-users-list": "public list friend someone else friends others",
  "/recipes/titles#filter-by-genre-and-count": "how many titles anime total sort year number statistics review wrapped",
  "/recipes/titles#broadcast-in-local-time": "calendar air countdown airing release friday monday today schedule",
  "/whole-lists#why-entries-are-missing": "entries missing titles",
  "/recipes/titles#the-title-in-the-readers-language": "english title alternative title japanese synonyms",
  "/recipes/titles#dates-of-a-list-entry": "start date finish date today",
  "/recipes/nightly-job":
    "export json jsonl csv resume checkpoint cron crontab scheduled daily github actions task download file periodic periodically automatically every hourly background",
  "/recipes/nightly-job#export-as-xml": "backup upload 0000-00-00 malexport myanimelist import xml",
  "/recipes/sync":
    "import sync synchronize xml batch bulk migrate copy transfer backup restore merge overwrite undo revert rollback preview directions plex crunchyroll jellyfin trakt",
  "/testing#tools-that-replace-the-network": "msw nock mockagent intercept service worker",
  "/record-and-replay":
    "vcr cassette nock snapshot snapshots recorded recording fixture record recordings real integration contract live",
  "/caches":
    "cache cached memoize memoization ttl max age stale expire in memory updating outdated reuse store speed lru",
  [error("status-400")]: "invalid input bad request limit",
  [error("status-401")]: "unauthorized expired token unauthorised session",
  [error("status-403")]: "forbidden access denied private firewall blocked challenge cloudflare",
  [error("status-429")]: "too many requests rate limit limited",
  [error("status-5xx")]:
    "408 500 502 503 504 520 521 522 523 524 530 internal server error bad gateway unavailable down outage maintenance crash",
  [error("cancelled")]: "canceled closed interrupt interruption interrupted",
  [error("typeerror#typescripts-messages")]: "possibly readonly mutable",
  [error("invalidbody")]:
    "decode decoding unexpected token json parse syntaxerror captive portal empty body html doctype schema challenge cloudflare",
  [error("transport")]:
    "certificate cert network error socket hang up fetch failed offline econnrefused econnreset getaddrinfo enotfound etimedout eai_again epipe ehostunreach dns tls ssl internet connection vpn und_err_headers_timeout und_err_connect_timeout und_err_socket",
  "/recipes/react": "hook debounce useeffect suspense spinner loading component box typing previous",
  "/recipes/react#optimistic-updates": "optimistic mutation",
  "/recipes/sign-in-server#the-routes": "csrf samesite logout log out session devices",
  "/recipes/proxies#a-companys-proxy": "certificate self signed corporate mtls environment 407 authentication",
  "/recipes/proxies#a-proxy-for-pages":
    "cross origin access control allow preflight blocked cors policy request disallow vite dev hide frontend",
  "/operations/": "endpoints methods rest api reference documentation docs",
  "/operations/records#anime":
    "start date end aired premiered synopsis runtime duration popularity rank length seconds minutes episodes",
  "/operations/records#broadcast": "timezone time zone jst japan",
  "/operations/records#picture": "cover image thumbnail poster art artwork photo hd",
  "/operations/anime#animeget": "get anime details single info information one",
  "/operations/anime#animesearch":
    "find by title name keyword query lookup fuzzy partial match misspelled letters short nothing minimum length short query autocomplete",
  "/operations/anime#animeseasonal": "season winter spring summer fall year airing titles autumn",
  "/operations/anime#animeranking": "top popular best upcoming movie movies ova special favorite",
  "/operations/anime#animesuggestions": "recommendations recommended recommend suggested similar recommendation",
  "/operations/anime#animeupdatemyliststatus":
    "update updating list status score add save watched episodes plan_to_watch watching completed dropped on_hold set mark rate rewatch progress plan drop rewatching tags comments priority notes edit increment finish",
  "/operations/anime#animedeletefromlist": "delete remove entry take off",
  "/operations/manga#mangaget": "details",
  "/operations/manga#mangaranking": "ranking top popular best novel novels manhwa manhua",
  "/operations/manga#mangaupdatemyliststatus": "update status chapters volumes plan_to_read reading read progress",
  "/operations/user#useranimelist":
    "get anime list animelist watchlist sort read order user recent recently updated dropped watching completed currently",
  "/operations/user#userget": "get details user",
  "/operations/user#userme":
    "profile statistics username days watched joined current logged avatar gender birthday count hours total",
  "/operations/forum#forumtopics": "forum threads discussions",
  "/operations/forum#forumtopic": "posts replies poll",
  "/whole-lists#pagination-by-hand": "load more infinite scroll button scrolling",
  "/start/promise#write-to-the-list": "write",
  "/api-key#if-the-call-fails": "wrong invalid rejected refused pending approval status",
  "/recipes/token-stores#rows-cookies-and-tokens":
    "lifetime expire expires month days code challenge verifier s256 plain cookie last long valid",
  "/recipes/sign-in-server#on-your-server": "hono fastify koa nestjs middleware nest",
  "/recipes/sign-in#a-web-page": "spa client side reload remember",
  "/recipes/sign-in-server": "backend express session cookie visitors accounts saas passport multiple",
  "/errors/#the-four-errors": "api http client response request exception class type catalog mal",
  "/errors/#clientresterror": "rest",
  "/errors/#clientnetworkerror": "network",
  "/errors/#clientautherror": "auth authentication",
  "/errors/#clientvalidationerror": "validation",
  "/errors/sign-in": "login",
  [error("denied")]: "deny decline declined rejected cancelled clicked consent",
  [error("state")]: "mismatch csrf",
  "/testing#on-a-port": "local server docker",
  "/your-own-operation#tools-for-a-language-model": "openai llm ai agent langchain function calling",
  "/mcp": "openai cursor ai agent chatgpt llm copilot ide read only claude model context protocol vscode stdio",
  "/recipes/titles#adult-titles": "hentai ecchi r18 explicit safe filter",
  "/caches#drop-stale-replies": "clear stale purge flush invalidate invalidation",
  "/effect#match-errors": "tagged catch",
  [error("status-404")]: "missing gone exist deleted nonexistent",
  [error("timeout")]: "timed slow hang hangs hanging stuck forever",
  "/operations/records#relatedanime": "sequel prequel spin franchise relations",
  "/operations/records#theme": "opening ending song songs music ost op ed",
  "/operations/records#video": "trailer youtube",
  "/operations/records#genre": "genres tags category",
  "/operations/records#manga": "author volumes chapter chapters",
  "/agents": "assistant copilot cursor code llms.txt llms agents.md prompt rules",
  "/api-key#fill-in-the-form":
    "app name purpose homepage company callback redirect registration enter secret android ios",
  "/api-key#make-the-first-call": "first curl",
  "/breaker": "fail fast outage down",
  "/caches#who-shares-a-reply": "shared between users isolation leak",
  "/calls#headers-and-status-of-a-response": "raw status headers etag",
  "/calls#known-values": "enum enums constants dropdown",
  "/fields#what-a-selector-can-name": "nested sub",
  "/observability#metrics": "count counter histogram prometheus grafana",
  "/observability#trace-headers": "traceparent distributed correlation",
  "/observability#warnings": "warning printed",
  "/observability#when-the-service-changes": "runtime validation drift unexpected",
  "/retries#writes": "idempotent twice duplicate safe update updates retried",
  "/retries#how-often-and-when": "delay wait jitter maxretries retrycount",
  "/recipes/sign-in#tokens-from-elsewhere": "existing own",
  "/testing#faults": "simulate chaos fail error errors status inject flaky network",
  "/testing#options": "latency",
  "/recipes/express#a-status-for-each-error": "middleware",
  "/recipes/react#load-more": "infinite scrolling scroll pagination",
  "/operations/records#animerecommendation": "similar",
  [error("service-not-found")]: "provide missing layer",
  [error("read-only")]: "frozen immutable mutate freeze",
  "/effect#testing": "mock",
  "/effect-versions#move-from-effect-3": "migrate migration upgrade",
  "/start/browser#handle-errors": "message show",
  "/caches#one-transport-for-each-user": "cookie credentials",
  "/testing#time": "fake timers clock",
  "/record-and-replay#secrets": "hide redact recordings",
  "/errors/install#ts2307-ts2792-cannot-find-module-catalog-client": "declaration file types type",
  "/operations/records#author": "mangaka artist writer",
  "/recipes/next": "action actions component router route hydration rsc edge",
  "/recipes/sveltekit": "svelte load",
  "/operations/records#animestatus": "finished airing",
  "/start/browser#put-the-service-behind-a-proxy": "backend",
  "/operations/#another-language":
    "openapi swagger specification spec language languages python java rust go php ruby c# csharp kotlin swift dart laravel django curl postman",
  "/recipes/bots#users-who-sign-in": "link account connect",
  "/recipes/migrate": "migrate migration switch switching replace scraper scrape scraping wrapper port porting",
  "/recipes/migrate#from-jikan": "mal_id",
  "/errors/#handle-an-error": "catch instanceof guard try typed handle exhaustive switch",
  "/operations/records#animestatuscounts": "people watchers members users",
  "/breaker#a-second-service": "fallback failover secondary",
  "/recipes/migrate#from-fetch-or-axios": "ky got superagent node-fetch",
  "/whole-lists#continue-later": "resume bookmark",
  "/fields#name-the-type-of-a-reply": "props component typing infer",
  [error("status-3xx")]: "redirect redirects loop moved",
  "/errors/#by-the-status-of-the-response": "http status code number"
}

/** What users ask in words of which each alone leads elsewhere: whole queries, a line each. */
export const questions: Readonly<Record<string, string>> = {
  [error("sign-in-refused")]: "login window keeps asking",
  "/caches#share-reads-in-flight": "dedupe\nrequest twice",
  "/start/promise":
    "without an account\nfirst request\nfirst call\nfirst program\nnode example\napi typescript\napi javascript\ntypescript client",
  "/recipes/migrate#from-fetch-or-axios": "from fetch",
  "/rate-limits": "between requests\nhow fast\nhow fast can i call\nrate limited\nratelimit policy",
  "/terms": "user data\ncan i cache\nallowed to cache\ndelete my users",
  "/recipes/react#vue": "vue",
  "/recipes/sync": "add many anime\nupdate many\nimport my\nin bulk",
  "/testing#jest": "jest\nin jest\nwith jest\nencountered an unexpected\nstatement outside a module",
  "/operations/anime#animeseasonal": "seasonal anime list",
  "/resilience#custom-policies": "own policy",
  "/recipes/sign-in": "app login",
  "/recipes/sign-in-server": "multiple users",
  "/api-key": "without login\nwithout oauth\nclientId\nclient id\nlocalhost callback\nredirect localhost",
  "/recipes/token-stores#rows-cookies-and-tokens": "token lifetime",
  "/comparison#whats-missing":
    "username and password\nall episodes\nepisode list\nlist of episodes\nstreaming links\nwhere to watch\ncharacters of an anime\nrandom anime\nprivate messages\nquery characters",
  "/testing#test-a-sign-in": "test oauth\noauth flow",
  "/start/effect#handle-a-typed-error": "catchTag",
  "/fields#a-function-that-takes-a-catalog": "type never",
  "/calls#many-users": "per request\nmulti user",
  "/comparison": "without a library\nplain fetch\nwhy not fetch\nalternative\ncompare with fetch\nvs anilist",
  "/start/browser#bundle-size": "script tag",
  "/install#where-it-runs": "edge runtime\nandroid\nios\niphone\nflutter\nphone",
  "/operations/anime#animeget": "mean\nmean score\naverage score\nscore of an anime",
  "/operations/anime#animeupdatemyliststatus": "rate an anime\nadd anime to my list\nadd to list\nplan_to_watch",
  "/operations/user#useranimelist": "my list\n@me\nis @me\nfilter by status",
  "/operations/anime#animeranking": "now airing",
  "/operations/anime#animedeletefromlist": "from my list",
  [error("status-404")]: "not found\nuser not found\nanime not found\nwrong base url",
  "/errors/#handle-an-error": "error handling\ncatch errors\ncatch an\nhandle error\ntry catch",
  "/whole-lists": "more than 100\nmore than 1000\nlimit 1000\nall entries\nentries of my\nfor await",
  "/whole-lists#why-entries-are-missing":
    "missing anime\nempty list\nlist empty\nempty results\nno results\nnsfw missing\nis missing\nare missing\nmissing some",
  "/whole-lists#pagination-by-hand": "next page",
  "/calls#headers-and-status-of-a-response": "raw json\nwithResponse",
  "/errors/#the-four-errors": "error classes\nerror types\nstatus from\nwhat can fail",
  "/errors/#clientresterror": "status codes\nerror codes\ncode of",
  "/fields#the-users-status-of-each-title":
    "my status of each\nnot on the list\nnot in my list\non my list\nmy_list_status\nseason list status",
  "/fields": "fields option\nwithout fields\ntyped response\ntyped reply",
  "/observability#when-the-service-changes": "api changed\napi changes\nservice changed\nalert when",
  "/recipes/proxies#a-companys-proxy": "certificate expired\nhttp proxy\nHTTP_PROXY\ncertificate error",
  "/calls#check-inputs-from-outside": "validate inputs\ninput validation",
  "/operations/manga#mangaget": "manga\nmanga by id",
  "/operations/anime#animesearch": "by title\nid from title",
  "/fields#misspelled-and-unknown-names": "unknown field\nnot assignable\nnot in the reply",
  "/fields#name-the-type-of-a-reply": "selected fields\ninfer return type",
  "/recipes/react": "loading state",
  [error("invalidbody")]: "html instead\njson parse error\ninstead of json",
  "/caches#who-shares-a-reply": "per user\nuser cache\nper user cache",
  [error("status-5xx")]: "gateway timeout\nserver error\nis down\napi is down",
  "/testing#a-first-test": "sample data",
  "/operations/manga#mangaupdatemyliststatus": "manga to my\nrate manga",
  "/recipes/titles#another-users-list": "list of another\nother users",
  "/calls#options-of-a-call": "user agent\nuser-agent\nadult titles\nabort after",
  "/install": "import error\nsdk\nlibrary",
  [error("install")]: "cannot find module\ntop level await",
  "/operations/records#animestatus": "airing status",
  "/operations/records#alternativetitles": "english title\nalternative titles",
  "/operations/records#genre": "genre ids",
  "/operations/records#picture": "picture size\nmanga poster\ncover art",
  "/operations/user#userme": "who am i",
  "/operations/records#anime": "start date\nepisode count\nnumber of episodes",
  "/rate-limits#one-quota-for-several-processes": "redis\nredis rate limit",
  "/recipes/titles#filter-by-genre-and-count": "sort search results\nanime in list",
  "/recipes/titles#broadcast-in-local-time":
    "schedule\nbroadcast time\nairing schedule\nbroadcast schedule\nnext episode\nairing today\nairs today",
  "/recipes/nightly-job#export-as-xml": "backup my list",
  "/recipes/nightly-job#the-lists-of-many-users": "nightly job effect\nall users",
  "/install#typescript-and-module-systems": "ts-node\ntsconfig",
  "/calls": "without effect\nneed effect\ninstead of effect\nnot exit",
  "/testing#on-a-port": "offline\ncatalog-embedded",
  "/testing#with-effect": "it.effect",
  "/effect#catalogclient-as-a-service": "Effect.Service",
  "/effect-versions#api-changes": "Context.Tag",
  "/effect-versions": "effect version\nversion of effect",
  "/calls#defaults": "own fetch\ncustom fetch\nself-hosted\nself hosted",
  "/start/browser#search-as-the-user-types": "as you type\nautocomplete\ntypeahead",
  "/recipes/sign-in#a-command-line-program": "tokens in a file",
  "/recipes/sign-in#what-goes-wrong": "already in use\nredirect uri mismatch",
  "/recipes/migrate#what-only-jikan-has": "random anime",
  "/recipes/migrate#from-jikan": "jikan alternative\nalternative to jikan\nmal_id",
  "/effect#many-users": "I act for\nact as",
  "/api/oauth#oauthrefreshtokens": "OAuth.refresh",
  "/install#before-the-first-release": "npm error 404\nnpm err\nnpm error", // until the first release
  "/mcp#features": "dry run\nallow writes",
  "/testing#tools-that-replace-the-network": "mock service worker",
  "/recipes/token-stores": "save tokens\nstore tokens\ntokens stored",
  "/install#credentials": "need an account",
  "/performance": "memory usage",
  "/comparison#maturity-and-maintenance": "who uses\nis it free\nmuch does it cost\nchangelog\nrelease notes",
  "/api/catalog-client#catalogoptions": "createCatalog options\noptions of createCatalog",
  "/errors/install#ts2307-ts2792-cannot-find-module-catalog-client": "types not found\nno types\ndeclaration file",
  "/recipes/migrate": "mal-api\nmal-scraper",
  "/caches#drop-stale-replies": "invalidate cache\nclear cache",
  "/api-key#fill-in-the-form": "app type\nclient secret",
  "/recipes/proxies#a-proxy-for-pages": "cors",
  "/breaker": "stop calling",
  "/start/browser": "in browser\nin the browser\nfrom browser\nfrom a browser\nfrom javascript in",
  "/operations/records#author": "author name\nmanga author",
  "/observability#log": "log every\nevery request",
  [error("status-3xx")]: "too many redirects\nmany redirects",
  [error("transport")]: "socket hang up",
  "/performance#browser-bundle": "bundle size",
  "/recipes/express#a-status-for-each-error": "express middleware"
}

/** What the sections of errors and warnings quote, by their addresses: the message, and its variants and codes. */
const quotes = Object.fromEntries(
  [...pages.keys()]
    .filter((file) => file.startsWith("docs/errors/") || file === "docs/observability.md")
    .flatMap((file) =>
      textOf(file)
        .split(/^(?=#+ )/m)
        .flatMap((part) => {
          const [, section = ""] = /^#+ (.+)/.exec(part) ?? []
          const printed = [...part.matchAll(/^```text\n(.+?)(?: See \S+)?$/gm)]
          const message = (printed.find(([text]) => text.includes(" See http")) ?? printed.at(-1))?.[1]
          const prose = part.replaceAll(/^```[^]*?^```$/gm, "")
          const others = Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, other = ""]) => other)
          const hasRows = /message\b[^|\n]*[|] what to do [|]/.test(prose)
          // Of observability, only the tables have messages.
          return !hasRows && (message === undefined || file === "docs/observability.md")
            ? []
            : [[`${linkFrom(".", file)}#${anchorOf(section)}`, { message, others }] as const]
        })
    )
)

/** The names and values of several words in the tables of a page, and the first section that has each. */
const namesIn = (page: string, level: string): ReadonlyArray<readonly [name: string, address: string]> =>
  textOf(`docs/operations/${page}.md`)
    .split(new RegExp(`^${level} `, "m"))
    .toReversed()
    .flatMap((part) => {
      const [heading = ""] = part.split("\n")
      const names = part.matchAll(/(?:^\| |, |: )`(\w+_\w+)\??`/gm)
      return Array.from(names, ([, name = ""]) => [name, `/operations/${page}#${anchorOf(heading)}`] as const)
    })

/** Those of records, and of inputs that no record has. */
const members = new Map([...namesIn("manga", "##"), ...namesIn("anime", "##"), ...namesIn("records", "###")])

/** The code of a section, between marks that no page has. */
export const markedCode = (code: string): string => `⟦${code}⟧`

/** A name that a section documents, between marks that no page has. */
export const markedName = (name: string): string => `⟪${name}⟫`

/** The text of a section without its code, and its code. */
const partsOf = (text: string): { readonly prose: string; readonly code: string } => {
  const parts = text.split(/⟦([^⟧]*)⟧/)
  const [prose = "", code = ""] = [0, 1].map((odd) => parts.filter((_, at) => at % 2 === odd).join("\n"))
  return { prose, code }
}

/** What a list has for a section. */
const listedFor = (lists: Readonly<Record<string, string>>, address: string, isTop: boolean): string =>
  lists[address] ?? (isTop ? lists[address.replace(/#.*/, "")] : undefined) ?? ""

/** Manga are searched and deleted in the words for anime. */
const aliasesOf = (address: string, isTop: boolean): string =>
  address.startsWith("/operations/manga#")
    ? `manga ${listedFor(aliases, address, isTop) || listedFor(aliases, address.replaceAll("manga", "anime"), isTop)}`
    : listedFor(aliases, address, isTop)

/** The names of a section of the API: alone, with its owner, and its members as a program calls them of a session. */
const namesOf = ({ title, titles }: Section, members: ReadonlyArray<string>): ReadonlyArray<string> => {
  // Above it are the page, and of a member its owner, with which its title begins. `Plan (type)` is `Plan`.
  const [, above] = titles
  const [owner] = above?.split(" (") ?? []
  const [name = ""] = (owner === undefined ? title : title.slice(owner.length + 1)).split(" (")
  const [, session] = /^(?:OAuth)?(Sessions?)(?:[.]?Service)?$/.exec(owner ?? name) ?? []
  return [
    // A word like `retry` is a subject, of which a guide says more; `catalog-client/redis` is a module.
    ...(/[A-Z/]/.test(name) ? [name] : []),
    // `RetryOptions` of a namespace.
    ...(/[.]([A-Z]\w*[a-z][A-Z]\w*)$/.exec(name)?.slice(1) ?? []),
    ...(owner === undefined ? [] : [`${owner}.${name}`]),
    // A row for each type.
    ...(title === "Operations and their inputs" ? members : []),
    ...(session === undefined ? [] : [name, ...members].map((member) => `${session.toLowerCase()}.${member}`))
  ]
}

/** What readers ask in words that the title of another section could have. */
const allAsked = new Set(Object.values(questions).flatMap((lines) => lines.split("\n")))

/** The title of a page, or one of several words, up to its colon. */
const nameIn = ({ title, titles }: Section): ReadonlyArray<string> => {
  const [name = ""] = title.toLowerCase().split(":")
  return (titles.length === 0 || name.includes(" ")) && !allAsked.has(name) ? [name] : []
}

/** An operation's name as words: `user anime list`. */
const wordsOfName = (name: string): string => name.replaceAll(/[.]|(?=[A-Z])/g, " ").toLowerCase()

/** The reasons of errors, as programs spell them. */
const reasons = Array.from(
  textOf("docs/errors/README.md").matchAll(/\[`([A-Z]\w+)`\]\([\w-]+[.]md/g),
  ([, name = ""]) => name
)

/** The addresses of the sections that explain errors, by the names of these. */
const explained = new Map(errorNames.map((name) => [name, error(name)]))

/** A name of two words. */
const isCamel = /^\w*[a-z][A-Z]\w*$/

/** What the sections of errors are called together: no reader types it. */
const anError = " an error"

const fieldsOf = (section: Section): ReadonlyMap<string, unknown> => {
  const address = section.id.slice(base.length - 1)
  const errors = errorNames.filter((name) => explained.get(name) === address)
  const isTop = section.titles.length === 0
  const asked = listedFor(questions, address, isTop)
  const { message = "", others = [] } = quotes[address] ?? {}
  const documented = Array.from(section.text.matchAll(/⟪\W*(\w+)[^⟫]*⟫/g), ([, name = ""]) => name)
  const parts = partsOf(section.text.replaceAll(/[⟪⟫]/g, ""))
  // What is typed as programs write it, capital letters included.
  const names = [
    ...(/^\/(?:errors\/|operations\/records#)/.test(address) ? [section.title] : []),
    ...(address.startsWith("/api/") ? namesOf(section, documented) : []),
    ...reasons.filter((reason) => errors.includes(reason.toLowerCase())),
    // The codes that a section of errors quotes: `access_denied`, also as `error=access_denied`, `AbortError`, and `TS2339: …`.
    ...(message.match(/(?<=\()[a-z]+_[a-z]+(?=[:)])/g) ?? []),
    ...others
      .flatMap(
        (other) =>
          /^(?:\w+=)?([a-z]+(?:_[a-z]+)+$|ERR_[A-Z_]+$|(?!Client)[A-Z]\w+Error$|TS\d+(?=: ))/.exec(other)?.slice(1) ??
          []
      )
      // What a reply has is explained by its record.
      .filter((name) => !members.has(name)),
    // The one status that a title names: `429`.
    ...(address.startsWith("/errors/") ? (/^\D*(\d{3})\D*$/.exec(section.title)?.slice(1) ?? []) : []),
    // Of the mistakes in a program, no other library has a class.
    ...(/^\/errors\/(?!install|typeerror)/.test(address) ? [anError] : []),
    ...[...members].flatMap(([name, section]) => (section === address ? [name] : [])),
    // The pairs of a query count from three words on.
    ...(asked.match(/^\S+(?: \S+)?$/gm) ?? []),
    ...(/^\/(?:api|operations)\//.test(address) ? [] : nameIn(section)),
    // The package from which a guide migrates.
    ...(address.startsWith("/recipes/migrate#") ? (/^From (\S+)$/.exec(section.title)?.slice(1) ?? []) : []),
    ...(address.startsWith("/effect#") ? (parts.prose.match(/\b(?:CATALOG_\w+|ManagedRuntime)\b/g) ?? []) : [])
  ]
  const fields = {
    ...section,
    // Of the API, nobody searches more than its names.
    text: address.startsWith("/api/") ? "" : parts.prose,
    code: parts.code,
    aliases: aliasesOf(address, isTop),
    // The file of a guide, where it is a word: `performance`, `next`.
    // `ratelimits`
    file: isTop
      ? [
          /^\/(?!api|operations)(?:\w+\/)?(\w+)\/?#/.exec(address)?.[1],
          /^[a-z]+ [a-z]+$/i.test(section.title) ? section.title.replace(" ", "") : ""
        ].join(" ")
      : "",
    messages: message,
    quotes: [message, ...others].join("\n"),
    phrases: (asked.match(/^.* .*$/gm) ?? []).join("\n"),
    // What leads to one section: the link of an error, and the names of an operation, with and without its domain, and as words.
    link: address.startsWith("/errors/")
      ? errors.map((name) => `/e/${name}`).join("\n")
      : address.startsWith("/operations/")
        ? (/^\w+[.](\w+)$/.exec(section.title) ?? [])
            .flatMap((name) => (/[.A-Z]/.test(name) ? [name, wordsOfName(name)] : [name]))
            .map((name) => `:exactly:${name}`)
            .join("\n")
        : "",
    names: [
      ...names,
      ...names.filter((name) => isCamel.test(name)).map((name) => name.toLowerCase()),
      // `ratelimits`
      ...names.filter((name) => /^[a-z]+ [a-z]+$/.test(name)).map((name) => name.replace(" ", ""))
    ].join("\n"),
    // What is typed in any case.
    keys: [
      ...documented.filter((name) => isCamel.test(name) || !address.startsWith("/operations/")),
      ...section.title
        .split(" ")
        .filter((name) => isCamel.test(name) || (address.startsWith("/recipes/") && /\w[-/]\w/.test(name)))
    ].join("\n")
  }
  return new Map<string, unknown>(Object.entries(fields))
}

/** MiniSearch asks for the fields of a section one by one. */
const made = new WeakMap<Section, ReadonlyMap<string, unknown>>()

const extractField = (section: Section, field: string): unknown => {
  const fields = made.get(section) ?? fieldsOf(section)
  made.set(section, fields)
  return fields.get(field)
}

/** Options of MiniSearch. A reader's page gets the functions as text, so those that search use nothing but their arguments. */
export const miniSearch = {
  options: {
    fields: [
      "title",
      "titles",
      "aliases",
      "file",
      "messages",
      "quotes",
      "phrases",
      "link",
      "names",
      "keys",
      "text",
      "code"
    ],
    storeFields: ["title", "titles"],
    extractField,
    // A name with capitals is as it is. Of other words, one and many are the same, and capitals do not count: a phone begins with one.
    processTerm: (term: string) =>
      /^:\S*[A-Z]|\//.test(term)
        ? term
        : /^⇄\d/.test(term)
          ? ""
          : term
              .toLowerCase()
              .replaceAll(/([a-z]{2})ie[ds]\b/g, "$1y")
              .replaceAll(/([a-z]{2}[^isu])s\b/g, "$1"),
    tokenize: (given: string, field?: string) => {
      // The class of an error as other libraries name it is its words: `NotFoundError`, `HTTPException`.
      const [, error] = field === undefined ? (/^\s*(?:is)?([A-Z]\w+?)(?:Error|Exception)\s*$/.exec(given) ?? []) : []
      // Of what Node prints of an error, only its message; of that, not what else there is. The box has no lines.
      const text =
        field !== undefined
          ? given
          : (error?.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ") ?? given)
              .replaceAll(
                /^Uncaught \w+: |\bconst \w+ = new \w+\([^)]*\)|\bthrow \w+;|\bat (?:async |new )?[\w.<>$]+ \(/g,
                ""
              )
              .replaceAll(/\S*(?:node_modules|node:internal|file:)\S*:\d+\S*|\bNode\.js v\S+|: it takes .*/g, "")
      // "In" is in most sections, so "log in" is one word.
      const lines = text
        .replaceAll(/\b(log|sign)[ -](in|out)\b/gi, "$1$2")
        // Next.js, NextJS and Next are one name.
        .replaceAll(/\b(next|nest|node|react|vue|nuxt|express|svelte(?:kit)?)[ .-]?js\b/gi, "$1")
        .replaceAll(/\bnpm err\S* (?:code )?E?404\b.*/gi, "npm err e404") // until the first release
        // The name of a header is one word.
        .replaceAll(/\bx(?:-[a-z]+)+/gi, (name) => name.replaceAll("-", "+"))
        // What an address has after its path is in messages, and about one call.
        .replaceAll(/(\bhttps?:[^\s?]*)\?\S*/g, "$1")
        // The numbers of an address are in tables of figures.
        .replaceAll(/\b\d+(\.\d+){3}(:\d+)?\b/g, "")
        .split(/[\n\r]+/)
        // An alias like `on_hold` is one word. In code, a sign is never part of one.
        .map((line) =>
          line.split(
            field === "aliases"
              ? /(?:(?!_)[\p{Z}\p{P}])+/u
              : field === "code"
                ? /[\p{Z}\p{P}\p{S}]+/u
                : /[\p{Z}\p{P}]+/u
          )
        )
      const words = lines.flat()
      // Two words in a row: a fragment of a message has them in its order. No word begins with a space.
      const pairs = lines.flatMap((line) => line.slice(1).map((word, at) => ` ${line[at]} ${word}`))
      // They are in every section, in most messages, or in most questions of who has a problem.
      const isCommon = (term: string) =>
        /^(?:a|an|and|as|at|be|but|by|do|doesnt|doesn|for|from|help|how|https?|i|if|in|into|is|isnt|isn|issue|it|its|my|of|on|or|problem|s|so|t|than|that|the|their|them|these|this|those|to|v2|was|what|which|who|with|work|working|you|your)$/i.test(
          term
        )
      // MiniSearch counts a word less, the longer its field is. Each list of words is as long, with fillers that no index has.
      const listed = {
        aliases: words,
        phrases: pairs,
        quotes: pairs.map((pair) => ` ${pair}`),
        names: text.split("\n").map((name) => `:exactly:${name}`),
        keys: text.split("\n").map((name) => `:key:${name.toLowerCase()}`)
      }[field ?? ""]
      if (listed !== undefined) {
        return [...listed, ...Array.from({ length: 60 - listed.length }, (_, at) => `⇄${at}`)]
      }
      // Two words that others write as one: `open telemetry`.
      const joined = Array.from(text.matchAll(/(?=\b(\w+) (\w+))\b\w/g), ([, word = "", next = ""]) => word + next)
      // A query has no field.
      if (field !== undefined) {
        // What programs have that nobody searches.
        const isKeyword = (word: string) =>
          /^(?:\d{1,2}|\d{4,}|async|await|console|Console|const|Diamond|Effect|else|export|false|function|gen|if|import|interface|let|log|new|null|number|of|pipe|program|provide|readonly|return|string|true|type|undefined|void|yield)$/.test(
            word
          )
        return field === "link"
          ? text.split("\n")
          : words.filter((word) => !isCommon(word) && !(field === "code" && isKeyword(word)))
      }
      // The link of a pasted message is a word of it: the address of the section.
      const links = text.matchAll(/(?:\/e\/|\berrors\/)([\w-]+)/gi)
      // Of a message that ends with its status, or with that and its code, also as axios and others write it, the number decides.
      const [, status] = /\b(?:returned|status(?: code)?:?|HTTP) (\d+)(?: \(\w+\))?\W*$/.exec(text) ?? []
      // A question as long has no marks and no names.
      const isMessage = words.length > 8 && /[^\w\s,?]|\s\S*[A-Z]\w/.test(text)
      const typed = [
        ...words,
        ...(error === undefined ? [] : [":exactly: an error"]),
        ...(/\S \S/.test(given) && !isMessage ? [`:exactly:${text.trim().toLowerCase()}`] : []),
        // The box is searched while it is empty, too. A program writes `catalog.anime.get(` and `Effect.catchTag(`.
        ...(text.trim() === ""
          ? []
          : [(error === undefined ? text : given).trim().replaceAll(/^catalog\.(?=\w)|(?<=\w)\(.*$/gi, "")]
        )
          .flatMap((name) => [name, ...(/(?<=^[A-Z]\w+\.)[a-z]+[A-Z]\w*$/.exec(name) ?? [])])
          // The properties of replies are `media_type` where a program has `mediaType`.
          .flatMap((name) =>
            /^[a-z]+(?:[A-Z][a-z]+)+$/.test(name)
              ? [name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
              : [name]
          )
          .map((name) => `:exactly:${name}`),
        ...(isMessage || error !== undefined
          ? []
          : (text.match(words.length > 1 ? /\w*[a-z][A-Z]\w*|@?\w+(?:[-/]\w+)+/g : /\w+/g) ?? []).map(
              (word) => `:key:${word.toLowerCase()}`
            )),
        ...(words.length > 2 ? pairs.flatMap((pair) => [pair, ` ${pair}`]) : []),
        // What a body or a redirect of the service calls its error.
        ...Array.from(text.matchAll(/\berror\W+(\w+_\w+)/g), ([, name = ""]) => `:exactly:${name}`),
        // A code of TypeScript, and the operation of a pasted message's link.
        ...(text.match(/\bTS\d{4,}\b|(?<=\boperations\/)\w+\.\w+/g) ?? []).map((name) => `:exactly:${name}`),
        ...Array.from(links, ([, name = ""]) => `/e/${name.toLowerCase()}`),
        ...(status === undefined
          ? []
          : [
              `/e/status-${status === "0" ? "3xx" : status === "408" ? "5xx" : /^(40[01345]|429)$/.test(status) ? status : `${status.charAt(0)}xx`}`
            ])
      ]
      // Shorter than a message: after ⇄ come other spellings of its words, such as two in one.
      const others = [
        ...(words.length < 4
          ? [...joined, ...joined.map((word) => `:key:${word.toLowerCase()}`), words.join("_")]
          : []),
        ...(text.match(/\w+_\w+/g) ?? [])
      ]
      return (isMessage ? typed : [...typed, "⇄", ...others]).filter((term) => !isCommon(term))
    }
  },
  searchOptions: {
    // Few sections have messages, so any seem long, and a word in them counts little.
    boost: {
      title: 4,
      aliases: 8,
      file: 8,
      messages: 6,
      quotes: 12,
      phrases: 12,
      link: 1e6,
      names: 1000,
      keys: 13,
      titles: 1,
      text: 1,
      code: 0.3
    },
    // A word as it is comes before one that begins with it.
    weights: { prefix: 0.25, fuzzy: 0.1 },
    // Long sections match many words of a pasted message by chance.
    bm25: { k: 1.2, b: 0.6, d: 0 },
    // A word that most questions have says little beside one that few have.
    boostTerm: (term: string, at: number, terms: ReadonlyArray<string>) => {
      const isWeak = (word: string) =>
        /^(?:about|access|account|after|all|already|also|always|anime|any|api|app|are|around|back|before|button|by|call|calling|calls|can|catalog|change|client|could|count|data|details|different|does|during|each|effect|error|every|example|fetch|field|find|first|get|getting|give|go|got|has|have|id|issue|just|know|layer|list|make|mal|many|me|more|much|my|myanimelist|need|never|new|not|now|number|on|one|only|other|out|own|per|please|possible|problem|promise|question|really|request|required|result|results|return|right|same|see|server|set|should|show|site|some|something|still|support|supported|sure|tell|than|them|then|there|they|thing|token|too|try|type|up|url|usage|use|user|using|via|want|way|web|when|where|while|why|will|without|wont|works|would|wrapped|you)$/.test(
          word
        )
      const isFiller = (word: string) => /^(?:a|an|by|can|do|for|how|i|in|is|it|my|of|the|to)$/.test(word)
      const end = terms.indexOf("⇄")
      const words = terms.slice(0, end < 0 ? terms.length : end).filter((word) => !/[ :]/.test(word))
      const isShort = end >= 0
      if (isShort && at > end) {
        return term.startsWith(":key:") ? 0.3 : 0.6
      }
      // Two words in a row say little where the second is in most questions, or both are.
      const [one = "", other = ""] = / (\w+) (\w+)$/.exec(term)?.slice(1) ?? []
      if (isShort && (isFiller(other) || ((isWeak(one) || isFiller(one)) && isWeak(other)))) {
        return 0.2
      }
      // Of a few words without marks and capitals, hardly any are from a message.
      const isSaid = terms.some((term) => /^:exactly:.*(?:[:"'(!]|\s\S*[A-Z])/.test(term))
      if (isShort && !isSaid && term.startsWith("  ")) {
        return 0.4
      }
      if (isWeak(term) && !words.every(isWeak)) {
        return 0.15
      }
      // The status of a response says more than the words beside it.
      return isShort && /^[345]\d\d$/.test(term) ? 3 : 1
    },
    // A pasted message has whole words.
    prefix: (term: string, _at: number, terms: ReadonlyArray<string>) => !/[ :]/.test(term) && terms.includes("⇄"),
    // A mistyped word is corrected first.
    fuzzy: false,
    // What users ask comes before why it is so, how it is made, and what each operation repeats; the page before its sections;
    // anime before manga.
    boostDocument: (id: string, term: string, section?: { readonly titles?: unknown }) => {
      const isApi = id.includes("/api/")
      // All errors alike, so that the other words decide.
      if (term === ":exactly: an error") {
        return id.includes("#the-four-errors") ? 0.102 : 0.1
      }
      const weight = () => {
        // What a service for tests takes is often the subject of a guide: `oauth`.
        if (term.startsWith(":key:") && id.includes("/testing#")) {
          return 0.6
        }
        // They quote what is said elsewhere, too.
        if (id.includes("/observability#warnings")) {
          return 0.4
        }
        // It quotes names that are everywhere, so its words count in full only as pairs.
        if (id.includes("/errors/typeerror#service-not-found") && !/^[ /]/.test(term)) {
          return 0.1
        }
        if (isApi) {
          // A name of the API is in the title of its section. A value counts more than a type; of two pages, that for promises.
          const ofKind = /#.*-type$/.test(id) ? 0.5 : id.includes("/api/catalog-client") ? 0.52 : 0.5
          // A name that a guide documents comes before the type that has it.
          return term.startsWith(":key:") ? ofKind * 0.5 : ofKind
        }
        if (id.includes("/operations/manga#")) {
          return term === "manga" ? 2 : 0.5
        }
        return /\/(agents|comparison|effect-versions|mcp|recipes\/migrate|operations\/records(?!#manga))\b/.test(id)
          ? 0.6
          : id.includes("/records#manga")
            ? 0.55
            : 1
      }
      const isTop = Array.isArray(section?.titles) && section.titles.length === 0
      // The titles of these have the words of many.
      const isMessage = /\/errors\/\w/.test(id)
      const isDomain = isTop && /\/operations\/\w/.test(id)
      return weight() * (isMessage || isDomain ? 0.6 : isTop && !isApi ? 1.2 : 1)
    }
  }
}
