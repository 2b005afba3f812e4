// Which Markdown files of the project are pages, and under which addresses.
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

export const repository = "https://github.com/catalog-client/catalog-client"

const { CATALOG_SITE_URL: chosen = "" } = process.env
const [, owner = "", name = ""] = /([^/]+)\/([^/]+)$/.exec(repository) ?? []

/** Where readers find the site: on the repository's GitHub Pages, unless `CATALOG_SITE_URL` says where. */
export const siteUrl = (chosen || `https://${owner}.github.io/${name}`).replace(/\/$/, "")

/** The path below which the site is served: that of `CATALOG_SITE_URL`, else the root, so that a build can be served anywhere. */
export const base = chosen === "" ? "/" : `${new URL(siteUrl).pathname.replace(/\/$/, "")}/`

/** Files outside docs/ that are pages, with their addresses. */
const named: Record<string, string> = {
  "AGENTS.md": "agents.md",
  "packages/mcp/README.md": "mcp.md",
  "docs/reference.md": "api/index.md"
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => posix.join(folder, file))

/** Pages of docs/ for those who work on the client: they are in the repository only. */
const forMaintainers = /^docs\/(decisions\/|(add-an-operation|faults|glossary)[.]md$)/

/** The sections of the site. Each has a page that lists its pages, which each build of the site writes (contents.ts). */
export const sectionTitles = ["Start", "Guides", "Recipes", "Reference", "About"] as const

/** The page of a section: it is not in the repository. */
export const sectionPageOf = (title: (typeof sectionTitles)[number]): string =>
  `docs/sections/${title.toLowerCase()}.md`

/** The pages of the sections: they say nothing that their pages do not say. */
export const sectionPages: ReadonlyArray<string> = sectionTitles.map(sectionPageOf)

/** The pages' files, from the root of the project, and their addresses: `docs/fields.md` is `fields.md`. */
export const pages: ReadonlyMap<string, string> = new Map([
  ...Object.entries(named),
  ...sectionPages.map((file): [string, string] => [file, `${posix.basename(file, ".md")}/index.md`]),
  ...filesIn("docs")
    .filter((file) => !forMaintainers.test(file) && !(file in named) && !sectionPages.includes(file))
    .map((file): [string, string] => [file, file.slice("docs/".length).replace(/README\.md$/, "index.md")])
])

/** The Markdown files of docs/ and of the root that are no pages. */
export const notPages = [...readdirSync(root).filter((file) => file.endsWith(".md")), ...filesIn("docs")].filter(
  (file) => !pages.has(file)
)

/** The text of a file, such as the Markdown of a page. */
export const textOf = (file: string): string => readFileSync(join(root, file), "utf8")

/** The version that the packages share. */
const { version } = JSON.parse(textOf("packages/core/package.json")) as { readonly version: string }

/** Whether npm has the packages: 0.1.0 is a pre-release that it never had. */
export const isReleased = version !== "0.1.0"

/** Whether a program writes the page. */
export const isGenerated = (file: string): boolean =>
  /^docs\/(api|sections)\//.test(file) || textOf(file).includes("<!-- Written by `npm run api`")

/** The first heading of a page. */
export const titleOf = (file: string): string => (/^# (.+)$/m.exec(textOf(file))?.[1] ?? file).replaceAll("`", "")

/** What a page answers, where its first sentence does not say so. */
const descriptions: Readonly<Record<string, string>> = {
  "docs/api-key.md": "How to register a client ID with MyAnimeList, copy it, and make the first call with it.",
  "docs/install.md":
    "Which package to install, for promises or Effect, where it runs, and what TypeScript and module systems need.",
  "docs/calls.md":
    "What each call takes: inputs and options, defaults for all calls, credentials of many users, and the response behind a reply.",
  "docs/fields.md":
    "How to name the fields of a reply, so that its type has them, and write functions over such replies.",
  "docs/whole-lists.md": "How to read all pages of a list with a loop or as an array, and continue later.",
  "docs/recipes/sign-in.md":
    "How one user signs in with OAuth, in a command-line program or a web page, and where the tokens are kept.",
  "docs/recipes/sign-in-server.md":
    "How a server signs in many users: a whole application, its routes and their cookies, with promises and with Effect.",
  "docs/recipes/token-stores.md":
    "Stores for users' tokens in Redis, PostgreSQL, SQLite or your own database, encrypted rows, and how long tokens last.",
  "docs/recipes/sync.md":
    "How to make a list equal to a file, a backup or another service's list, without losing anything.",
  "docs/retries.md": "Which failures to retry, how often and how long to wait, and when a write is safe to repeat.",
  "docs/rate-limits.md": "How to stay below MyAnimeList's limit, in one process or in several that share a quota.",
  "docs/caches.md":
    "How to keep replies for a while and share reads in flight, without showing one user's data to another.",
  "docs/breaker.md": "How to fail at once while the service is down, and when the next call is let through.",
  "docs/resilience.md":
    "How policies such as retry, cache and rateLimit are combined, in which order they run, and how to write one.",
  "docs/testing.md":
    "How to test without the network: an embedded service, faults, errors to test with, and time that a test controls.",
  "docs/record-and-replay.md": "How to record the responses of the real service once, and replay them in tests.",
  "docs/observability.md": "Hooks, traces, metrics and logs: what a program sent, how often, and how long it took.",
  "docs/effect.md":
    "How to use the client with Effect: services and Layers, typed errors, configuration, and a client for each user.",
  "docs/effect-versions.md":
    "Which version of Effect to choose, how to move from Effect 3 to Effect 4, and the names that differ.",
  "docs/your-own-operation.md": "How to call an endpoint that the client lacks, with types and checks of your own.",
  "docs/recipes/bots.md":
    "A bot that answers many people at once, with one rate limit and one cache, and lets users sign in.",
  "docs/recipes/deploy.md":
    "What to change for Lambda, Vercel, Netlify, Workers or a container: timeouts, stores and bundles.",
  "docs/recipes/express.md":
    "Middleware that gives each request a catalog for its user, and turns errors into statuses.",
  "docs/recipes/migrate.md":
    "What the calls of fetch, axios, Jikan and other clients become, and how their users stay signed in.",
  "docs/recipes/next.md": "Server components, routes and client components that call MyAnimeList, with sign-in.",
  "docs/recipes/nightly-job.md":
    "A job that saves whole lists, continues after a failure, and can write MyAnimeList's XML format.",
  "docs/recipes/proxies.md":
    "How a page reaches MyAnimeList through your server, and how Node goes through a company's proxy.",
  "docs/recipes/react.md":
    "A search that cancels, in React and Vue, lists that load more, TanStack Query, and optimistic updates.",
  "docs/recipes/sveltekit.md":
    "Load functions, form actions and routes that call MyAnimeList for a page, with sign-in.",
  "docs/recipes/titles.md":
    "Short programs: what airs this season or today, titles in a reader's language, local times, and two users' lists compared.",
  "docs/operations/forum.md": "Boards, topics and posts: the inputs of each operation, its request and its reply.",
  "docs/errors/README.md": "Finds an error by its status, message or code, and says how to handle the four kinds.",
  "docs/errors/access-token.md": "Why a call for a user has no token that works, and when to sign the user in again.",
  "docs/errors/status-403.md": "How to tell the four causes apart, and what to do about each.",
  "docs/errors/status-429.md": "How long to wait, and how to send fewer requests.",
  "docs/errors/too-late.md": "Which limit of a call passed, or who cancelled the call, and how to change that.",
  "docs/errors/no-response.md": "Why a connection failed or a body could not be used, and whether to retry.",
  "docs/errors/other-statuses.md": "What servers between you and MyAnimeList respond, and which of it to retry.",
  "docs/errors/typeerror.md":
    "Mistakes in a program, by their messages: options, inputs, loops, and what the compiler says.",
  "docs/errors/was-not-sent.md":
    "The inputs that are checked before anything is sent, and the policies that can stop a call.",
  "docs/errors/install.md":
    "Messages of Node, npm and TypeScript when an installation or a project's setup is wrong, and how to fix it.",
  "docs/reference.md": "Which names do what, with links to the signature of each.",
  "AGENTS.md": "What a coding agent needs: each call, its options, the traps, and how to test a program.",
  "docs/terms.md": "What MyAnimeList's agreement asks of a program that stores, caches or sells something.",
  "docs/comparison.md": "What other npm clients for MyAnimeList do better or worse: types, errors, sign-in, size.",
  "docs/performance.md": "How much the client adds to a page, an installation and a server's load."
}

/** What a page answers: its description, or its first sentence as plain text; empty if it begins with something else. */
export const summaryOf = (file: string): string => {
  const description = descriptions[file]
  if (description !== undefined) {
    return description
  }
  const [paragraph = ""] = textOf(file)
    .replace(/^---\n[^]*?\n---\n/, "")
    .replaceAll(/^```[^]*?^```$/gm, "")
    .split(/\n\s*\n/)
    .filter((block) => !/^\s*(#|<!--|$)/.test(block))
  if (!/^[`[\p{L}]/u.test(paragraph)) {
    return ""
  }
  const text = paragraph.replaceAll(/\s+/g, " ").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text
}

/** What search engines and previews show of a page: its own description, or its first sentence. */
export const descriptionOf = (file: string, site: string): string => {
  const [, given] = /^---\n(?:.+\n)*?description: (.+)\n(?:.+\n)*?---\n/.exec(textOf(file)) ?? []
  return (given ?? (summaryOf(file) || `${titleOf(file)}. ${site}`)).replaceAll(/`|\*\*/g, "")
}

/** The address of a page, or of its copy as Markdown. */
const addressOf = (page: string, extension: string): string =>
  `/${extension === "" ? page.replace(/(index)?\.md$/, "") : page}`

/**
 * Where a link of a file leads: to a page of the site, or to a file of the repository.
 *
 * @param extension of pages: none on the site itself, `.md` in its Markdown files
 */
export const linkFrom = (file: string, href: string, extension = ""): string => {
  if (href.startsWith(`${siteUrl}/`)) {
    const [path = "", hash = ""] = href.slice(siteUrl.length).split(/(?=#)/)
    const page = [...pages.values()].find((page) => addressOf(page, "") === path)
    return page === undefined ? href : addressOf(page, extension) + hash
  }
  if (/^([a-z]+:|#|\/)/i.test(href)) {
    return href
  }
  const [path = "", anchor] = href.split("#")
  const target = posix.join(posix.dirname(file), path)
  const page = pages.get(target) ?? pages.get(posix.join(target, "README.md"))
  const hash = anchor === undefined ? "" : `#${anchor}`
  if (page === undefined) {
    return `${repository}/${path.endsWith("/") ? "tree" : "blob"}/main/${target}${hash}`
  }
  return addressOf(page, extension) + hash
}
