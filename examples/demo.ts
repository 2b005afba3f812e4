/**
 * Runs all operations through Node's transport against the embedded service, then three failures, and prints what was sent
 * and what came back. With `--live`, the reads go to the real service, for the user whom `npm run login` has signed in;
 * CATALOG_CLIENT_ID and CATALOG_ACCESS_TOKEN say who asks otherwise.
 */
import { fileTokenStore as readableStore } from "@catalog-client/oauth/node"
import { type Catalog, createCatalog, Fields, type HookEvents, isClientError, Resilience } from "catalog-client"
import { createSession, fileTokenStore } from "catalog-client/oauth"
import { serve } from "catalog-client/testing"
import { Effect, Option } from "effect"
import { examples } from "../packages/core/test/support/operations.js"

const live = process.argv.includes("--live")
// With `--live`, CATALOG_BASE_URL names a service in place of the real one.
const { CATALOG_ACCESS_TOKEN, CATALOG_BASE_URL, CATALOG_CLIENT_ID, CATALOG_CLIENT_SECRET } = process.env

/** The session of the user who was signed in by `npm run login`, if there is one. */
const signedIn = async () => {
  // With promises, only a session reads a store.
  const stored = await Effect.runPromise(Effect.option(readableStore().get))
  const clientId = Option.getOrUndefined(Option.flatten(stored))?.clientId
  return clientId === undefined || (CATALOG_CLIENT_ID && CATALOG_CLIENT_ID !== clientId)
    ? undefined
    : createSession({ clientId, clientSecret: CATALOG_CLIENT_SECRET || undefined, store: fileTokenStore() })
}

// Its token belongs to the live service, so another one named by CATALOG_BASE_URL does not get it.
const session = live && !CATALOG_ACCESS_TOKEN && !CATALOG_BASE_URL ? await signedIn() : undefined
const hasToken = !live || session !== undefined || !!CATALOG_ACCESS_TOKEN
if (!hasToken && !CATALOG_CLIENT_ID) {
  console.error("--live needs a user: npm run login. Or set CATALOG_CLIENT_ID or CATALOG_ACCESS_TOKEN.")
  process.exit(1)
}

const named = CATALOG_BASE_URL ? { url: CATALOG_BASE_URL, close: () => Promise.resolve() } : undefined

const service = live
  ? named
  : await serve({
      faults: [{ on: (request) => request.path.endsWith("/anime/5114") && !request.search, delay: "1 minute" }]
    })

/** The method and path of each request, with the beginning of its query. */
let sent: Array<string> = []

const shortened = (text: string): string => (text.length > 90 ? text.slice(0, 90).replace(/\w*$/, "…") : text)

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return shortened(pathname + decodeURIComponent(search))
}

const mismatches: Array<HookEvents["onMismatch"]> = []

const catalog = createCatalog({
  hooks: {
    onMismatch: (event) => mismatches.push(event),
    onRequest: ({ method, url }) => sent.push(`${method} ${pathOf(url)}`)
  },
  // The table at the end says more than the warnings.
  logLevel: "error",
  // What users of the real service call safe.
  policies: service === undefined ? [Resilience.rateLimit({ limit: 1, interval: "1 second" })] : [],
  baseUrl: service?.url,
  ...(session === undefined
    ? {
        accessToken: live ? CATALOG_ACCESS_TOKEN : "embedded-token",
        clientId: live ? CATALOG_CLIENT_ID : "embedded-client"
      }
    : { session })
})

interface Step {
  readonly name: string
  /** A short piece of the reply; throws if the reply is not as expected. */
  readonly run: (catalog: Catalog) => Promise<string>
  readonly writes?: true
  readonly needsToken?: true
}

const some = (texts: ReadonlyArray<string | undefined>): string => {
  if (texts.length === 0) {
    throw new Error("the reply is empty")
  }
  return [...texts.slice(0, 3), ...(texts.length > 3 ? [`${texts.length - 3} more`] : [])].join(" · ")
}

const titles = (page: { readonly data: ReadonlyArray<{ readonly node: { readonly title: string } }> }): string =>
  some(page.data.map(({ node }) => node.title))

const expecting = (is: boolean, text: string): string => {
  if (!is) {
    throw new Error(`not what was expected: ${text}`)
  }
  return text
}

const anime = 30_230
const manga = 2
/** The topic to read: the first one that the previous step finds. */
let topic = 0

const told: ReadonlyArray<Step> = [
  {
    name: "catalog.anime.get",
    run: async ({ anime: { get } }) => {
      const { title, mean, num_episodes } = await get({ id: anime }, { fields: ["mean", "num_episodes"] })
      return expecting(mean !== undefined, `${title}: ${num_episodes} episodes, mean ${mean}`)
    }
  },
  { name: "catalog.anime.search", run: async ({ anime }) => titles(await anime.search({ q: "diamond", limit: 5 })) },
  {
    name: "catalog.anime.seasonal",
    run: async ({ anime }) =>
      titles(await anime.seasonal({ year: 2017, season: "winter", sort: "anime_num_list_users" }))
  },
  {
    name: "catalog.anime.ranking",
    run: async ({ anime }) => titles(await anime.ranking({ rankingType: "movie", limit: 10 }))
  },
  {
    name: "catalog.anime.suggestions",
    needsToken: true,
    run: async ({ anime }) => titles(await anime.suggestions({ limit: 10 }))
  },
  {
    name: "catalog.anime.updateMyListStatus",
    writes: true,
    run: async (catalog) => {
      const { status, score, tags } = await catalog.anime.updateMyListStatus({
        id: anime,
        status: "watching",
        score: 9,
        tags: ["sport", "school"]
      })
      return expecting(status === "watching" && score === 9, `${status}, score ${score}, tags ${tags?.join(" and ")}`)
    }
  },
  {
    name: "catalog.user.animeList",
    needsToken: true,
    run: async ({ user }) => {
      const page = await user.animeList(
        { username: "@me", status: "watching", sort: "list_updated_at", limit: 3 },
        { fields: "list_status" }
      )
      return some(page.data.map(({ node, list_status }) => `${node.title} (${list_status?.score} out of 10)`))
    }
  },
  {
    name: "catalog.anime.deleteFromList",
    writes: true,
    run: async (catalog) => {
      await catalog.anime.deleteFromList({ id: anime })
      const { my_list_status } = await catalog.anime.get({ id: anime }, { fields: "my_list_status" })
      return expecting(my_list_status === undefined, "gone: a read finds no my_list_status")
    }
  },
  {
    name: "catalog.manga.get",
    run: async (catalog) => {
      const { title, authors } = await catalog.manga.get({ id: manga }, { fields: "authors{first_name,last_name}" })
      // A studio has no first name.
      const names = (authors ?? []).map(({ node }) => [node?.first_name, node?.last_name].filter(Boolean).join(" "))
      return `${title}, by ${some(names)}`
    }
  },
  { name: "catalog.manga.search", run: async ({ manga }) => titles(await manga.search({ q: "vagabond" })) },
  {
    name: "catalog.manga.ranking",
    run: async ({ manga }) => titles(await manga.ranking({ rankingType: "manga", limit: 10 }))
  },
  {
    name: "catalog.manga.updateMyListStatus",
    writes: true,
    run: async (catalog) => {
      const { status, num_chapters_read } = await catalog.manga.updateMyListStatus({
        id: manga,
        status: "reading",
        num_chapters_read: 12
      })
      return expecting(num_chapters_read === 12, `${status}, ${num_chapters_read} chapters read`)
    }
  },
  {
    name: "catalog.user.mangaList",
    needsToken: true,
    run: async ({ user }) => titles(await user.mangaList({ username: "@me", sort: "list_updated_at", limit: 5 }))
  },
  {
    name: "catalog.manga.deleteFromList",
    writes: true,
    run: async (catalog) => {
      await catalog.manga.deleteFromList({ id: manga })
      const { my_list_status } = await catalog.manga.get({ id: manga }, { fields: "my_list_status" })
      return expecting(my_list_status === undefined, "gone: a read finds no my_list_status")
    }
  },
  {
    name: "catalog.user.me",
    needsToken: true,
    run: async ({ user }) => {
      const { name, joined_at } = await user.me()
      return `${name}, since ${joined_at?.slice(0, 4)}`
    }
  },
  {
    name: "catalog.user.get",
    needsToken: true,
    run: async ({ user }) => {
      const { name, anime_statistics } = await user.get({ username: "@me" }, { fields: "anime_statistics" })
      return `${name}, with ${anime_statistics?.num_items} anime`
    }
  },
  {
    name: "catalog.forum.boards",
    run: async ({ forum }) => some((await forum.boards()).categories.map(({ title }) => title))
  },
  {
    name: "catalog.forum.topics",
    run: async ({ forum }) => {
      const { data } = await forum.topics({ boardId: 1, sort: "recent", limit: 5 })
      topic = data[0]?.id ?? topic
      return some(data.map(({ title }) => title))
    }
  },
  {
    name: "catalog.forum.topic",
    run: async ({ forum }) => {
      const { data } = await forum.topic({ id: topic, limit: 2 })
      return `${data.title}: ${some(data.posts.map((post) => `post ${post.number} by ${post.created_by?.name}`))}`
    }
  }
]

/** An operation by its name. */
const find = (catalog: Catalog, name: string) =>
  name.split(".").reduce<unknown>((found, key) => Reflect.get(Object(found), key), catalog) as (
    ...inputs: ReadonlyArray<object>
  ) => Promise<unknown>

/** An operation without a step above is called as its page shows. */
const steps = [
  ...told,
  ...examples
    .filter(({ name }) => !told.some((step) => step.name === `catalog.${name}`))
    .map(({ name, method, service: { access, call } }) => ({
      name: `catalog.${name}`,
      writes: method !== "GET",
      needsToken: access === "token",
      run: async (catalog: Catalog) => shortened(JSON.stringify(await find(catalog, name)(...call)) ?? "nothing")
    }))
]

/** Reads of all fields, which meet every member that the client knows. */
const { all } = Fields
const whole: ReadonlyArray<Step> = [
  {
    name: "catalog.anime.get, all fields",
    run: async (catalog) => (await catalog.anime.get({ id: anime }, { fields: all.anime })).title
  },
  {
    name: "catalog.anime.search, all fields",
    run: async (catalog) => titles(await catalog.anime.search({ q: "diamond" }, { fields: all.anime }))
  },
  {
    name: "catalog.manga.get, all fields",
    run: async (catalog) => (await catalog.manga.get({ id: manga }, { fields: all.manga })).title
  },
  {
    name: "catalog.manga.search, all fields",
    run: async (catalog) => titles(await catalog.manga.search({ q: "vagabond" }, { fields: all.manga }))
  },
  {
    name: "catalog.user.me, all fields",
    needsToken: true,
    run: async (catalog) => (await catalog.user.me({ fields: all.user })).name
  },
  {
    name: "catalog.user.animeList, all fields",
    needsToken: true,
    run: async (catalog) => titles(await catalog.user.animeList({ username: "@me" }, { fields: all.animeListEntry }))
  },
  {
    name: "catalog.user.mangaList, all fields",
    needsToken: true,
    run: async (catalog) => titles(await catalog.user.mangaList({ username: "@me" }, { fields: all.mangaListEntry }))
  }
]

/** Shows a failure, and whether it has the expected tag. */
const failures = [
  { tag: "ClientValidationError", run: () => catalog.anime.search({ q: "   " }) },
  { tag: "ClientRestError", run: () => catalog.anime.get({ id: 999_999 }) },
  { tag: "ClientNetworkError", run: () => catalog.anime.get({ id: 5114 }, { timeout: live ? 1 : 250 }) }
]

const tagOf = (error: unknown): string => (isClientError(error) ? error._tag : "")

let wrong = 0
const print = (right: boolean, ...lines: ReadonlyArray<string>): void => {
  wrong += right ? 0 : 1
  console.log(`${right ? "✓" : "✗"} ${lines.join("\n    ")}`)
}

console.log(
  `Calling ${steps.length} operations of ${live ? (service?.url ?? "the real service") : `the embedded service at ${service?.url}`}…\n`
)
for (const { name, run, writes, needsToken } of [...steps, ...whole]) {
  if (live && writes) {
    console.log(`- ${name}\n    left out: nothing is written to the real service`)
    continue
  }
  sent = []
  const outcome = await run(catalog).then(
    (told) => ({ right: true, told }),
    (error: unknown) => ({
      right: needsToken === true && !hasToken && tagOf(error) === "ClientAuthError",
      told: String(error)
    })
  )
  // A step that reads again to check its effect sends its own request first.
  print(outcome.right, `${name}  ${sent[0] ?? "nothing sent"}`, outcome.told)
}

console.log("\nThree failures, and their messages\n")
for (const { tag, run } of failures) {
  const error: unknown = await run().then(
    () => new Error("it did not fail"),
    (error: unknown) => error
  )
  // A sentence a line, below the name of the error.
  print(tagOf(error) === tag, ...String(error).split(/(?<=^\w+): |(?<=[.]) (?=[A-Z])/))
}

/** One row for each operation and path. */
const rows = new Map<string, HookEvents["onMismatch"]>()
for (const event of mismatches) {
  const key = `${event.operation} ${event.path}`
  rows.set(key, { ...event, count: event.count + (rows.get(key)?.count ?? 0) })
}

if (rows.size > 0) {
  wrong++
  console.log("\nOf another type in the replies than expected, and left out\n")
  const table = [
    ["operation", "path", "expected", "found", "count"],
    ...[...rows.values()].map(({ operation, path, expected, found, count }) => [
      operation,
      path,
      expected,
      found,
      String(count)
    ])
  ]
  const widths = table.reduce<ReadonlyArray<number>>(
    (widths, row) => row.map((text, column) => Math.max(text.length, widths[column] ?? 0)),
    []
  )
  for (const row of table) {
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
  }
} else {
  console.log("\nEvery reply passed its check.")
}

await catalog.close()
await session?.close()
await service?.close()
console.log(
  wrong === 0
    ? "\nEverything did what it should.\n\nNext, save the first program of README.md as main.mjs, and run: npm run demo -- main.mjs"
    : `\n${wrong} did not do what they should.`
)
process.exitCode = wrong === 0 ? 0 : 1
