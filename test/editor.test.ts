/**
 * What an editor shows: names that it completes, and types and documentation on hover.
 */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { Fields } from "@catalog-client/core"
import { sampled } from "../packages/core/test/support/full.js"
import { openEditor } from "./editor.js"
import { read, root } from "./readme.js"

const file = join(root, ".cache/editor.ts")
const prelude =
  'import { Anime, Catalog, CatalogClient, CatalogConfig, CatalogHooks, Fields, Operation } from "@catalog-client/core"\n' +
  'import { createCatalog, type Catalog as PromiseCatalog } from "catalog-client"\n' +
  'import type { TextStore } from "@catalog-client/oauth"\nimport { operations } from "@catalog-client/core/schemas"\n'
const { completions, errors, hover, withoutComment } = openEditor(file, prelude)

describe("names are completed", { timeout: 60_000 }, () => {
  const completed: ReadonlyArray<readonly [string, string]> = [
    ['Catalog.anime.get({ id: 1 }, { fields: ["¦"] })', "my_list_status"],
    ['Catalog.anime.get({ id: 1 }, { fields: "¦" })', "mean"],
    ['Catalog.anime.get({ id: 1 }, { fields: ["maen", "me¦"] })', "mean"],
    ['Catalog.anime.search({ q: "x" }, { fields: ["mean", "¦"] })', "genres"],
    ['Catalog.anime.search.items({ q: "x" }, { fields: ["¦"] })', "genres"],
    ['Catalog.anime.suggestions({ fields: ["¦"] })', "studios"],
    ['Catalog.manga.ranking({ rankingType: "all" }, { fields: ["¦"] })', "authors"],
    ['Catalog.user.animeList({ username: "x" }, { fields: ["¦"] })', "list_status"],
    ['Catalog.user.me({ fields: ["¦"] })', "anime_statistics"],
    ['Catalog.anime.updateMyListStatus({ id: 1, score: 1 }, { fields: ["¦"] })', "priority"],
    ['createCatalog({ fetch, fields: ["¦"] })', "mean"],
    ['createCatalog({ fetch, fields: { user: ["¦"] } })', "gender"],
    ['Catalog.anime.ranking({ rankingType: "¦" })', "bypopularity"],
    ['Catalog.anime.updateMyListStatus({ id: 1, status: "¦" })', "plan_to_watch"]
  ]

  test.each(sampled(completed, 3))("in %s", (text, name) => {
    expect(completions(text)).toContain(name)
  })
})

test("a misspelt name is named in the error, in one line, with the nearest name", { timeout: 60_000 }, () => {
  expect(errors('Catalog.anime.get({ id: 1 }, { fields: ["mean", "geners"] })')).toEqual([
    `Type '"geners"' is not assignable to type 'FieldOf<Anime, "no field is called geners: correct it, or use Fields.unchecked">'. Did you mean '"genres"'?`
  ])
  expect(
    errors('declare const catalog: PromiseCatalog\ncatalog.anime.search({ q: "x" }, { fields: "mean, genres{nmae}" })')
  ).toEqual([
    `Type '"mean, genres{nmae}"' is not assignable to type 'FieldOf<AnimeEntry, "no field is called genres.nmae: correct it, or use Fields.unchecked"> | undefined'.`
  ])
})

// As most projects are set up: `strict` alone.
const withStrict = openEditor(file, prelude, { exactOptionalPropertyTypes: false })

test("a member that was not requested is an error, which names those that were", { timeout: 60_000 }, () => {
  const call = 'const anime = await catalog.anime.get({ id: 1 }, { fields: ["mean"] })'
  expect(withStrict.errors(`declare const catalog: PromiseCatalog\n${call}\nanime.rank`)).toEqual([
    "Property 'rank' does not exist on type '{ readonly id: number; readonly title: string; readonly mean?: number | undefined; }'."
  ])
})

test("the queries of a catalog without default fields have the type Queries", { timeout: 60_000 }, () => {
  const imports = 'import { createQueries, type Queries } from "catalog-client/queries"\n'
  const made = 'createQueries(createCatalog({ baseUrl: "/catalog" }), { scope: "public" })'
  expect(withStrict.errors(`${imports}export const queries: Queries = ${made}`)).toEqual([])
})

test("a member that is not written is named with the one that is, in one line", { timeout: 60_000 }, () => {
  expect(errors("Catalog.anime.updateMyListStatus({ id: 1, num_episodes_watched: 3 })")).toEqual([
    "Type 'number' is not assignable to type 'NotWritten<\"pass num_watched_episodes\">'."
  ])
})

test("an option of another Layer is named with the Layer, in one line", { timeout: 60_000 }, () => {
  const taken = [
    ["clientId", "Credentials.layer({ clientId }), or layerClient of @catalog-client/node or /browser"],
    ["policies", "CatalogPolicy.layer(...policies)"],
    ["fields", "CatalogClient.make({ fields })"]
  ] as const
  for (const layer of ["CatalogClient.layer", "CatalogConfig.layer"]) {
    for (const [option, by] of taken) {
      expect(errors(`${layer}({ ${option}: "x" })`)).toEqual([
        `Type 'string' is not assignable to type 'TakenBy<"${by}">'.`
      ])
    }
  }
})

describe("a hover", { timeout: 60_000 }, () => {
  const reply =
    'declare const catalog: PromiseCatalog\nconst anime = await catalog.anime.get({ id: 1 }, { fields: "mean, genres{name}" })\n'

  test("shows a reply as a flat object type", () => {
    expect(hover(`${reply}ani¦me`).type).toBe(
      "const anime: { readonly id: number; readonly title: string; readonly mean?: number; readonly genres?: readonly { readonly name?: string; }[]; }"
    )
  })

  test("shows the errors of a custom operation, not an alias of them", () => {
    const declaration = (more: string) =>
      `const st¦udio = Operation.make({ name: "studio", method: "GET", path: "/studio"${more} })`
    const errors = (more: string) => /, ([^,]+)>$/.exec(hover(declaration(more)).type)?.[1]
    expect(errors("")).toBe("ClientRestError | ClientNetworkError")
    expect(errors(", token: true")).toBe("ClientRestError | ClientNetworkError | ClientAuthError")
  })

  test("names the hooks of a Layer", () => {
    expect(hover("CatalogHooks.lay¦er").type).toContain(
      "layer<OnRequest = void, OnResponse = void, OnRetry = void, OnWait = void, OnMismatch = void>"
    )
  })

  test("shows the doc comment of a member", () => {
    expect(hover(`${reply}anime.me¦an`).documentation).toBe("The average score, out of 10, for example `8.3`.")
  })

  const { all } = Fields
  const replies: ReadonlyArray<readonly [operation: string, params: string, fields?: ReadonlyArray<string>]> = [
    ["anime.get", "{ id: 1 }", all.anime],
    ["anime.get", "{ id: 1 }"],
    ["anime.search", '{ q: "x" }', ["mean", "studios{name}"]],
    ["anime.seasonal", '{ year: 2017, season: "winter" }', ["mean"]],
    ["anime.ranking", '{ rankingType: "all" }', ["node{genres{name},my_list_status}"]],
    ["anime.suggestions", "{}"],
    ["anime.updateMyListStatus", "{ id: 1 }", all.animeListStatus],
    ["manga.get", "{ id: 1 }", all.manga],
    ["manga.search", '{ q: "x" }'],
    ["manga.ranking", '{ rankingType: "all" }', ["authors{node{first_name},role}", "genres"]],
    ["manga.updateMyListStatus", "{ id: 1 }", all.mangaListStatus],
    ["user.me", "", all.user],
    ["user.animeList", '{ username: "@me" }', all.animeListEntry],
    ["user.mangaList", '{ username: "@me" }', all.mangaListEntry],
    ["forum.boards", ""],
    ["forum.topics", '{ q: "x" }'],
    ["forum.topic", "{ id: 1 }"]
  ]

  const rows = replies.map(([operation, params, fields]) => ({ operation, params, fields }))

  test.each(rows)("shows a doc comment of each member of a reply: $operation($params)", async (row) => {
    const { fields, operation, params } = row
    // Nothing here waits, and on a slow machine the worker would not report in time.
    await setImmediate()
    const options = fields && `{ fields: ${JSON.stringify(fields)} }`
    const call = `${operation}(${[params, options].filter(Boolean).join(", ")})`
    const ofPromise = `declare const catalog: PromiseCatalog\nconst reply = await catalog.${call}\n`
    // `promiseDeclarations.mjs` writes this page out, and loses these comments.
    const lost = operation === "anime.suggestions" ? [".data", ".paging"] : []
    expect(withoutComment(`${ofPromise}type Shown = typeof reply\n`)).toEqual(lost)
    const ofEffect = `import type { Effect } from "effect"\nconst effect = Catalog.${call}\n`
    expect(withoutComment(`${ofEffect}type Shown = Effect.Effect.Success<typeof effect>\n`)).toEqual([])
  })

  test.each([
    ["CatalogHooks.layer({ onRe¦try: () => {} })", "Before `Resilience.retry` waits to make another attempt."],
    ['declare const store: TextStore\nstore.s¦et("")', "Stores the string instead of the last one."],
    ["operations.anime.sea¦rch", "Searches anime by keyword"],
    ["operations.anime.search.des¦cription", "What it does."]
  ])("shows a doc comment: %s", (text, documentation) => {
    expect(hover(text).documentation).toContain(documentation)
  })

  test("shows the doc comment of an operation, on both faces", () => {
    expect(hover("Catalog.anime.g¦et({ id: 1 })").documentation).toContain("Reads one anime.")
    expect(hover("declare const catalog: PromiseCatalog\ncatalog.anime.g¦et({ id: 1 })").documentation).toContain(
      "Reads one anime."
    )
  })
})

describe("catalog-client", { timeout: 60_000 }, () => {
  // As a program that a bundler builds is set up: without conditions of a platform.
  const ours = openEditor(
    join(root, "examples/editor.ts"),
    `import { createCatalog, type Catalog } from "catalog-client"
import { createSession, createSessions, type SessionsOptions } from "catalog-client/oauth"
declare const other: Catalog
const catalog = createCatalog({ clientId: "my-client-id" })
const session = createSession({ clientId: "my-client-id" })
const sessions = createSessions({ client: { clientId: "my-client-id" } } as SessionsOptions)
`,
    {
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler
    }
  )
  const namespaces = openEditor(
    join(root, "examples/editorOfNamespaces.ts"),
    `import { Fields, Operation, Resilience } from "catalog-client"
import { EmbeddedCatalog, TestError } from "catalog-client/testing"\n`
  )
  test("a session has the types of every platform, whatever resolves them", () => {
    expect(ours.errors("const name = async () => (await session.resume())?.clientId\nvoid session.login()")).toEqual([])
  })

  test.each([
    ["cat¦alog", "const catalog: Catalog", 22],
    ["oth¦er", "const other: Catalog", 20],
    ["catalog.an¦ime", "(property) CatalogOperations.anime: AnimeOperations", 51],
    ["catalog.anime.g¦et({ id: 1 })", "(property) AnimeOperations.get: ", 205],
    ["catalog.anime.sear¦ch({ q: '' })", "(property) AnimeOperations.search: PagedItems ", 301],
    ["catalog.anime.search.it¦ems({ q: '' })", "(property) PagedItems<SearchParams, AnimePage", 275],
    ["catalog.anime.sugg¦estions()", "(property) AnimeOperations.suggestions: Suggestions ", 279],
    [
      "catalog.forum.boa¦rds()",
      "(property) ForumOperations.boards: (options?: CallOptions) => Promise<ForumBoards>",
      82
    ],
    ["catalog.ca¦ll", "(property) Catalog.call: Call", 29],
    ["catalog.withRes¦ponse", "(method) Catalog.withResponse<A>(", 80],
    ["catalog.cl¦ose()", "(method) Catalog.close(): Promise<void>", 39],
    ["ses¦sion", "const session: Session", 22],
    ["session.lo¦gin()", "(method) Session.login(options?: LoginOptions): Promise<Tokens>", 63],
    ["session.to¦kens()", "(method) Session.tokens(): Promise<Tokens | undefined>", 54],
    ["session.authorization¦Request()", "(method) Session.authorizationRequest(): Promise<AuthorizationRequest>", 70],
    ["sess¦ions", "const sessions: Sessions", 24],
    ["sessions.catal¦ogOf('')", "(method) Sessions.catalogOf(user: string): Catalog", 50]
  ])("shows %s with plain names, in few letters", (text, start, most) => {
    const shown = ours.hover(text)
    expect(shown.type.slice(0, start.length)).toBe(start)
    expect(shown.type).not.toMatch(/[$]\d|^const .*<never>|^\(property\) \w+<never>/)
    expect(shown.type.length).toBeLessThanOrEqual(most)
    // A variable of the program has none.
    expect(shown.documentation === "").toBe(start.startsWith("const "))
  })

  test.each([
    ["Resilience.re¦try()", "retry(options?: Resilience.RetryOptions): Policy", "Retries an attempt"],
    ["Operation.ma¦ke", "const make: <const Path extends string", "Makes a custom operation"],
    ["Fields.unche¦cked", "const unchecked: <const Part extends string>", "A selector that may have fields"],
    ["EmbeddedCatalog.fet¦ch()", "fetch(options?: EmbeddedCatalogOptions)", "The service as a `fetch`"],
    ["TestError.validat¦ion", "const validation: (props?: ", "A `ClientValidationError`"]
  ])("shows %s by its name and with its doc comment", (text, type, comment) => {
    const shown = namespaces.hover(text)
    expect(shown.type.replace(/^\(alias\) /, "").slice(0, type.length)).toBe(type)
    expect(shown.type).not.toMatch(/[$]\d|_d_|namespace_/)
    expect(shown.documentation).toContain(comment)
  })

  test("exports no name with a number that a bundler has added", () => {
    const dist = join(root, "packages/promise/dist")
    const files = readdirSync(dist).filter((file) => file.endsWith(".d.cts"))
    expect(files).toContain("types.d.cts")
    for (const file of files) {
      expect(
        read(`packages/promise/dist/${file}`).match(/^(?:declare )?(?:interface|type|class|const) \w+[$]\d/gm),
        file
      ).toBeNull()
    }
  })
})
