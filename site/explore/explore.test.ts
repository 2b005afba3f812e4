// The page Explore without a browser: what its views call, the programs that it shows, faults and policies.
import { Catalog, Transport } from "@catalog-client/core"
import { CatalogApi, EmbeddedCatalog, type ReceivedRequest } from "@catalog-client/testing"
import { OpenApi } from "@effect/platform"
import { Fetch } from "@effect/platform/FetchHttpClient"
import { createCatalog, type CatalogOptions, Resilience } from "catalog-client"
import { Layer } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { type EffectScope, effectScope, nextTick, shallowReactive } from "vue"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Address } from "./address.js"
import { credentialOf } from "./code.js"
import { type Explore, makeExplore, type ViewName } from "./explore.js"
import { policyNames, type PolicyName, type TroubleName } from "./faults.js"
import { credentialNote, nameOf, programOf, requestOf, useInspector } from "./inspector.js"
import { type Operation, usePicker } from "./picker.js"
import { type CallRecord, exchangesOf } from "./session.js"
import { useTrial } from "./trial.js"
import { useForum } from "./views/forum.js"
import { useList } from "./views/list.js"
import { useProfile } from "./views/profile.js"
import { useRankings } from "./views/rankings.js"
import { type FieldTypes, typeOf } from "./fields.js"
import { searchFields, useSearch } from "./views/search.js"
import { seasonFields, useSeason } from "./views/season.js"
import { titleFields, useTitle } from "./views/title.js"
import { errorNames } from "../shortAddresses.js"
import { errorAddressOf, placesInExplore } from "../urls.js"
import { eventually } from "../../packages/core/test/support/eventually.js"
import { compiled, root } from "../../test/readme.js"

const folder = join(root, ".cache/explore")

/** What a service was asked. */
type Asked = Pick<ReceivedRequest, "method" | "path" | "search" | "body">

/** How the programs reach a service: the one that a test gives them. */
let send: (request: Request) => Promise<Response>

const fetch = (url: RequestInfo | URL, init?: RequestInit) => send(new Request(url, init))

// The programs are run as they are shown; only the network is replaced.
const promises = () => ({
  Resilience,
  createCatalog: (options: CatalogOptions) => createCatalog({ ...options, fetch })
})
const node = () => ({
  layer: Layer.provide(Layer.fresh(Transport.layerFetch), Layer.succeed(Fetch, fetch))
})

/** The credentials that the programs find in the environment. */
const credentials = { tokens: { "my-access-token": "sample_reader" }, clientIds: ["my-client-id"] }

/** A history of addresses, as a browser has it. */
const historyOf = (query: string) => {
  const entries = shallowReactive([query])
  const address: Address = {
    query: () => entries.at(-1) ?? "",
    go: (next, { replace }) => entries.splice(replace ? -1 : entries.length, replace ? 1 : 0, next)
  }
  return { address, entries }
}

/** Makes an Explore whose views live as long as the test, at an address. */
const within = <A>(use: (explore: Explore) => A, { address } = historyOf(""), latency = 0) => {
  const scope: EffectScope = effectScope()
  const [session, value] = scope.run(() => {
    const explore = makeExplore(address, latency)
    return [explore.session, use(explore)]
  }) as [Explore["session"], A]
  const settled = () => eventually("calls end", () => session.calls.every(({ state }) => state !== "pending"))
  const end = async () => {
    scope.stop()
    await session.close()
  }
  return { session, value, settled, [Symbol.asyncDispose]: end }
}

/** Goes through all views as a user might; every call of theirs. */
const walk = async (): Promise<ReadonlyArray<CallRecord>> => {
  await using opened = within((explore) => {
    const manga: Explore["state"] = { view: "title", title: { kind: "manga", id: 2 }, opened: 0, operation: "" }
    return {
      search: useSearch(explore),
      season: useSeason(explore),
      list: useList(explore),
      title: useTitle(explore),
      manga: useTitle({ ...explore, state: manga }),
      rankings: useRankings(explore),
      forum: useForum(explore),
      profile: useProfile(explore),
      trial: useTrial(explore)
    }
  })
  const { session, settled, value: views } = opened
  await settled()
  const first = views.list.state.entries[0]
  if (first === undefined) {
    throw new Error("The list is empty")
  }
  await views.season.more()
  views.season.state.nsfw = true
  views.search.state.kind = "manga"
  await eventually("manga are searched", () => session.calls[0]?.operation === "manga.search")
  await views.list.advance(first)
  await views.list.change(first, { score: 7 })
  await views.list.remove(first)
  views.list.state.kind = "manga"
  await eventually("the list of manga is read", () => session.calls[0]?.operation === "user.mangaList.collect")
  await settled()
  await views.title.setStatus("completed")
  await views.manga.setStatus("completed")
  await views.manga.setStatus("")
  for (const from of ["manga", "suggestions"] as const) {
    views.rankings.state.from = from
    await settled()
  }
  await views.forum.openBoard(4)
  views.forum.state.q = "bell & whistle's"
  await views.forum.search()
  await views.forum.openTopic(2_000_009)
  await views.forum.more()
  views.title.fields.value = ["mean"]
  await eventually("the title is read with one field", () => session.calls[0]?.operation === "anime.get")
  await settled()
  for (const name of policyNames) {
    session.policies.set(name, true)
  }
  await views.trial.run()
  await settled()
  return session.calls.toReversed()
}

const asked = ({ body, method, path, search }: ReceivedRequest): Asked => ({ method, path, search, body })

const shown = ({ exchanges }: CallRecord): ReadonlyArray<Asked> =>
  exchanges.map(({ form, method, url }) => {
    const { pathname, search } = new URL(url)
    return { method, path: pathname, search, body: form ?? "" }
  })

const fieldsOf = (call: CallRecord): ReadonlyArray<string> => {
  const [, options] = call.inputs as [unknown, { readonly fields?: ReadonlyArray<string> }]
  return options.fields ?? []
}

/** The fields of the operations whose type the page shows. */
const shownFields: Readonly<Record<string, FieldTypes>> = {
  "anime.seasonal": seasonFields,
  "anime.search": searchFields,
  "manga.search": searchFields,
  "anime.get": titleFields.anime,
  "manga.get": titleFields.manga
}

/** A program whose reply can be imported. */
const exported = (program: string) => program.replace(/^const reply/m, "export const reply")

/** A program that compiles if the type that the page shows is the type of the reply. */
const typeTest = (program: string, operation: string, fields: ReadonlyArray<string>) => {
  const ofKinds = ["ListStatus", "MediaType", "Status"].flatMap((name) => [`Anime${name}`, `Manga${name}`])
  const names = [...ofKinds, "AnimeSeason", "Broadcast", "Genre", "Picture", "Studio"]
  const isEntry = !operation.endsWith(".get")
  const type = typeOf(shownFields[operation] ?? {}, fields, isEntry)
  const node = isEntry ? '["node"]' : ""
  const used = names.filter((name) => RegExp(`\\b${name}\\b`).test(type))
  return `${used.length === 0 ? "" : `import type { ${used.join(", ")} } from "catalog-client"\n`}import type { reply } from "./${program}.js"

type Entry = (typeof reply)${isEntry ? '["data"][number]' : ""}
type Shown = ${type}
export const toShown = (entry: Entry): Shown => entry
export const fromShown = (entry: Shown): Entry => entry
type Names<A> = keyof A
export const names: [Names<Shown${node}>, Names<Entry${node}>] extends [Names<Entry${node}>, Names<Shown${node}>] ? true : never = true
`
}

describe("the code that Explore shows", () => {
  let calls: ReadonlyArray<{ readonly call: CallRecord; readonly file: string; readonly title: string }>
  let printed: string

  beforeAll(async () => {
    vi.doMock("catalog-client", promises)
    vi.doMock("@catalog-client/node", node)
    vi.stubEnv("CATALOG_ACCESS_TOKEN", "my-access-token")
    vi.stubEnv("CATALOG_CLIENT_ID", "my-client-id")
    const walked = await walk()
    calls = walked.map((call, i) => ({ call, file: String(i), title: call.operation }))
    const programs = calls.flatMap(({ call, file }) => [
      { file: `${file}-promise.ts`, line: 1, text: exported(programOf(call, "promise")) },
      { file: `${file}-effect.ts`, line: 1, text: programOf(call, "effect") },
      ...(call.operation in shownFields
        ? [{ file: `${file}-type.ts`, line: 1, text: typeTest(`${file}-promise`, call.operation, fieldsOf(call)) }]
        : [])
    ])
    const inputs = {
      "anime.seasonal": '{ year: 2012, season: "winter" }',
      "manga.search": '{ q: "berserk" }',
      "anime.get": "{ id: 1 }"
    }
    const choices = Object.entries(inputs).flatMap(([operation, input]) =>
      [[], Object.keys(shownFields[operation] ?? {})].map((fields) => ({ operation, input, fields }))
    )
    const types = choices.flatMap(({ fields, input, operation }, i) => {
      const options = fields.length === 0 ? "" : `, { fields: ${JSON.stringify(fields)} }`
      const text = `import { createCatalog } from "catalog-client"
export const reply = await createCatalog().${operation}(${input}${options})
`
      return [
        { file: `choice-${i}.ts`, line: 1, text },
        { file: `choice-${i}-type.ts`, line: 1, text: typeTest(`choice-${i}`, operation, fields) }
      ]
    })
    await using signedIn = within(({ session, signIn }) => ({ session, signIn }))
    await signedIn.value.signIn.start()
    await signedIn.value.signIn.answer("allow")
    const [exchange] = signedIn.session.calls
    const signIns = (["promise", "effect"] as const).map((face) => ({
      file: `sign-in-${face}.ts`,
      line: 1,
      text: programOf(exchange as CallRecord, face)
    }))
    expect(signIns.every(({ text }) => text.includes("/oauth"))).toBe(true)
    printed = await compiled(folder, [...programs, ...types, ...signIns], {
      extends: "../../tsconfig.json",
      // Variables of the environment are read as in most projects.
      compilerOptions: { tsBuildInfoFile: "./tsbuildinfo", noPropertyAccessFromIndexSignature: false },
      include: ["*.ts"],
      references: []
    })
  }, 300_000)

  afterAll(() => {
    vi.doUnmock("catalog-client")
    vi.doUnmock("@catalog-client/node")
    vi.unstubAllEnvs()
  })

  it("is there for each operation of the catalog", () => {
    const all = Object.entries(Catalog).flatMap(([domain, operations]) =>
      Object.keys(operations).map((name) => `${domain}.${name}`)
    )
    const reached = calls.map(({ call }) => call.operation.replace(/\.collect$/, ""))
    expect(all.filter((name) => !reached.some((operation) => operation === name))).toEqual([])
    expect(all).toHaveLength(19)
  })

  it("compiles, with the types of replies that are shown", () => {
    expect(printed).toBe("")
  })

  it(
    "sends with promises and with Effect what the page has sent, and prints the reply",
    { timeout: 120_000 },
    async () => {
      const log = vi.spyOn(console, "log").mockImplementation(() => {})
      for (const { call, file, title } of calls) {
        for (const face of ["promise", "effect"]) {
          const sent: Array<Asked> = []
          const onRequest = (request: ReceivedRequest) => sent.push(asked(request))
          const { dispose, handler } = EmbeddedCatalog.toWebHandler({ ...credentials, onRequest })
          send = handler
          log.mockClear()
          await import(join(folder, `${file}-${face}.ts`))
          await dispose()
          expect(sent, `${title}: ${face}`).toEqual(shown(call))
          expect(log.mock.calls, `${title}: ${face}`).toEqual([[expect.stringMatching(/^[{[]|^Done\.$/)]])
        }
      }
      log.mockRestore()
    }
  )

  it("names an access token only where it changes the reply", () => {
    const identified = calls.filter(({ call }) => !programOf(call, "promise").includes("accessToken"))
    const forum = ["forum.boards", "forum.topic", "forum.topics"]
    expect(new Set(identified.map(({ title }) => title))).toEqual(
      new Set(
        ["anime.get", "anime.ranking", "anime.search", "anime.seasonal", "manga.ranking", "manga.search"].concat(forum)
      )
    )
  })

  it("retries writes only where there is one, and says why", () => {
    const writing = calls.flatMap(({ call, title }) =>
      (["promise", "effect"] as const).some((face) =>
        /writes: sending [^]*writes: true/.test(programOf({ ...call, policies: ["retry"] }, face))
      )
        ? [title]
        : []
    )
    expect(new Set(writing)).toEqual(new Set(["anime.updateMyListStatus", "manga.updateMyListStatus"]))
    expect(programOf({ ...(calls[0] as { call: CallRecord }).call, policies: ["retry"] }, "promise")).toContain(
      "// timeouts: a response that comes too late is retried, too.\n    Resilience.retry({ attempts: 3, timeouts: true })"
    )
  })

  it("names the credential that each operation needs", () => {
    const { paths } = OpenApi.fromApi(CatalogApi)
    const declared = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(declared.length).toBe(19)
    for (const { operationId: operation, security } of declared) {
      const needed = security.length === 1 ? "accessToken" : "clientId"
      expect(credentialOf({ operation, inputs: [] }), operation).toBe(needed)
    }
  })

  it("sends with curl what the page has sent", () => {
    for (const { call, title } of calls) {
      const sent = programOf(call, "curl")
        .split("\n\n")
        .map((program) => {
          // In place of curl, a function that prints its arguments.
          const script = `curl() { printf '%s\\0' "$@"; }\n${program}`
          const args = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)
          expect(args.join(" ").includes("Bearer"), title).toBe(programOf(call, "promise").includes("accessToken"))
          const after = (option: string) => args.filter((_, i) => args[i - 1] === option)
          const { pathname, search } = new URL(args.at(-1) ?? "")
          const form = new URLSearchParams(after("--data-urlencode").map((pair) => pair.split("=") as [string, string]))
          return { method: after("-X")[0] ?? "GET", path: pathname, search, body: form.toString() }
        })
      expect(sent, title).toEqual(shown(call))
    }
  })
})

/** Makes the trial call under a fault with some policies. */
const trial = async (name: TroubleName, policies: ReadonlyArray<PolicyName>) => {
  const opened = within((explore) => ({ ...useTrial(explore), explore }))
  for (const policy of policies) {
    opened.session.policies.set(policy, true)
  }
  opened.value.choose(name)
  await opened.value.run()
  return opened
}

describe("a fault of Explore", () => {
  it.for<[TroubleName, Record<string, unknown>, string]>([
    ["unavailable", { reason: "Status", status: 503 }, "status-5xx"],
    ["limited", { reason: "Status", status: 429, retryAfter: 1000 }, "status-429"],
    ["stops", { reason: "Timeout", timeoutMs: 1500 }, "timeout"],
    ["html", { reason: "InvalidBody", status: 200 }, "invalidbody"],
    ["slow", { reason: "Timeout", timeoutMs: 1500 }, "timeout"],
    ["expired", { reason: "Status", status: 401 }, "status-401"],
    ["dropped", { reason: "Transport" }, "transport"]
  ])("gives its error, and is over or handled with what helps: %s", async ([name, members, errorName]) => {
    {
      await using opened = await trial(name, [])
      const { error } = opened.value.state
      expect(error).toMatchObject({ members, page: errorAddressOf(errorName) })
      expect(opened.session.calls[0]).toMatchObject({ state: "failed", error })
      expect(errorNames).toContain(errorName)
      opened.value.explore.state.view = "forum"
      await nextTick()
      expect(opened.value.state).toMatchObject({ error: undefined, notice: "" })
    }
    await using opened = await trial(name, ["retry", "cache"])
    const { calls, faults } = opened.session
    const { renew, run, state } = opened.value
    if (name === "html" || name === "expired") {
      expect(state.error).toBeDefined()
      if (name === "expired") {
        renew()
        await run()
        expect(calls.at(0)?.exchanges).toHaveLength(1)
      } else {
        faults.begin("none")
        await run()
        faults.begin("html")
        await run()
        expect(exchangesOf(calls[0] as CallRecord)).toBe("0 exchanges: shared another call's")
      }
    } else {
      expect(calls[0]?.exchanges).toHaveLength(name === "unavailable" ? 3 : 2)
    }
    expect(state.error).toBeUndefined()
    expect(state.notice).toMatch(/^Reply /)
  })

  it("has ended once its call has, and the call ends when another fault is chosen", async () => {
    await using opened = within(useTrial)
    const { session, settled, value } = opened
    value.choose("slow")
    expect(value.stage()).toContain("The next request")
    const run = value.run()
    await eventually("the call gets the fault", () => session.faults.state.left === 0)
    expect(value.stage()).toBe("")
    value.choose("limited")
    await run
    await settled()
    expect(value.state).toEqual({ isRunning: false, notice: "", error: undefined })
    expect(session.calls[0]?.state).toBe("cancelled")
    await value.run()
    expect(value.state.error).toMatchObject({ members: { status: 429 } })
    expect(value.stage()).toContain("The fault has ended")
    // What a policy makes of it can be seen in any view.
    session.policies.set("retry", true)
    expect(value.stage()).toContain("The next request")
    await session.call("forum.boards", [])
    expect(session.calls[0]?.exchanges).toHaveLength(2)
    session.policies.set("retry", false)
    value.choose("limited")
    const { state } = value
    await expect(session.call("forum.boards", [])).rejects.toMatchObject({ status: 429 })
    expect(state.error).toBeUndefined()
  })

  it("is tried with the call that the inspector shows, be it a change", async () => {
    const use = (explore: Explore) => ({ explore, list: useList(explore), trial: useTrial(explore) })
    await using opened = within(use, historyOf("?view=list"))
    const { session, settled, value } = opened
    const { explore, list, trial } = value
    const newest = () => session.calls.slice(0, 2).map(({ operation }) => operation)
    await settled()
    // Of the calls that the view makes at once, the first.
    expect(trial.operation.value).toBe("user.animeList.collect")
    explore.inspect(session.calls.find(({ operation }) => operation === "user.me")?.id ?? 0)
    expect(trial.operation.value).toBe("user.me")
    await trial.run()
    expect(newest()).toEqual(["user.me", "user.me"])
    await list.advance(firstOf(list))
    await nextTick()
    trial.choose("unavailable")
    await trial.run()
    expect(trial.state.error).toMatchObject({ members: { status: 503 } })
    expect(newest()).toEqual(["anime.updateMyListStatus", "anime.updateMyListStatus"])
    expect(new Set(session.calls.slice(0, 2).map(({ exchanges }) => exchanges[0]?.form)).size).toBe(1)
  })

  it("opens the circuit of the breaker", async () => {
    await using opened = await trial("unavailable", ["breaker"])
    await opened.value.run()
    await opened.value.run()
    await opened.value.run()
    expect(opened.value.state.error).toMatchObject({ members: { reason: "CircuitOpen" } })
    expect(exchangesOf(opened.session.calls[0] as CallRecord)).toBe("0 exchanges: not sent")
  })
})

describe("the inspector of Explore", () => {
  it("shows the view's call again when the view is shown again", async () => {
    const use = (explore: Explore) => ({ explore, search: useSearch(explore), trial: useTrial(explore) })
    await using opened = within(use)
    const { session, settled, value } = opened
    const { explore, trial } = value
    await settled()
    explore.state.view = "forum"
    await nextTick()
    await session.call("forum.boards", [])
    expect(trial.operation.value).toBe("forum.boards")
    explore.state.view = "search"
    await nextTick()
    expect(explore.inspected()?.operation).toBe("anime.search")
    expect(trial.operation.value).toBe("anime.search")
  })

  it("shows what a request sends, decoded", async () => {
    await using opened = within(({ session }) => session)
    const { session } = opened
    await session.call("anime.get", [{ id: 1 }, { fields: ["mean", "alternative_titles{ja}"] }])
    await session.call("anime.updateMyListStatus", [{ id: 1, comments: "a & b, 50 %" }])
    const [changed, read] = session.calls.map(({ exchanges }) => exchanges.map(requestOf))
    expect(read).toEqual([{ path: "/v2/anime/1", query: [["fields", "mean,alternative_titles{ja}"]], form: [] }])
    expect(changed).toEqual([{ path: "/v2/anime/1/my_list_status", query: [], form: [["comments", "a & b, 50 %"]] }])
  })
})

describe("an operation that is picked in Explore", () => {
  const opening = async () => {
    const history = historyOf("")
    const use = (explore: Explore) => ({
      explore,
      picker: usePicker(explore),
      search: useSearch(explore),
      season: useSeason(explore),
      list: useList(explore),
      title: useTitle(explore),
      rankings: useRankings(explore),
      forum: useForum(explore),
      profile: useProfile(explore)
    })
    const opened = within(use, history)
    await opened.settled()
    return { ...opened, ...opened.value, history }
  }
  const isChange = (operation: string) => /\.(?:update|delete)/.test(operation)

  it("is called in its view, also if that is shown; a change names its button", async () => {
    await using opened = await opening()
    const { explore, picker, session, settled } = opened
    const operations = Object.keys(placesInExplore) as Array<Operation>
    expect(operations).toHaveLength(19)
    for (const operation of operations.flatMap((operation) => [operation, operation])) {
      const last = session.calls[0]?.id ?? 0
      await picker.pick(operation)
      expect(picker.operation.value, operation).toBe(operation)
      const inspected = explore.inspected()
      if (isChange(operation)) {
        expect(explore.state.view).toBe("list")
        expect(picker.notice.value).toMatch(/^Press (?:\+1|Remove) /)
      } else {
        expect(picker.notice.value).toBe("")
        expect(inspected?.id, operation).toBeGreaterThan(last)
        expect(nameOf(inspected as CallRecord)).toBe(operation)
      }
      await settled()
      expect(explore.inspected()?.error).toBeUndefined()
    }
  })

  it("leaves the other choices of its view, and is another step of the history", async () => {
    await using opened = await opening()
    const { explore, picker, search, settled } = opened
    search.state.fields = ["rank"]
    search.state.q = "berserk"
    await eventually("it is searched", () =>
      explore.session.calls.some(({ inputs }) => JSON.stringify(inputs).includes("berserk"))
    )
    await picker.pick("user.me")
    await picker.pick("manga.search")
    await settled()
    expect(search.state).toMatchObject({ q: "berserk", kind: "manga", fields: ["rank"] })
    expect(opened.history.entries.slice(-2)).toEqual([
      "?view=list&operation=user.me",
      "?q=berserk&kind=manga&fields=rank"
    ])
  })
})

it("the programs of a call under a fault say that they lack it", async () => {
  await using opened = within((explore) => ({ search: useSearch(explore), inspector: useInspector(explore) }))
  const { session, settled, value } = opened
  await settled()
  expect(value.inspector.note.value).not.toContain("fault")
  session.faults.begin("limited")
  await session.call("user.me", []).catch(() => {})
  await nextTick()
  expect(value.inspector.note.value).toBe("The fault is not part of the program, which calls the service without it.")
})

describe("an operation in the address of Explore", () => {
  const opening = async (query: string) => {
    const history = historyOf(query)
    const opened = within((explore) => ({ explore, picker: usePicker(explore), list: useList(explore) }), history)
    await opened.settled()
    return { ...opened, ...opened.value, history }
  }

  it.each([
    "anime.updateMyListStatus",
    "anime.deleteFromList",
    "manga.updateMyListStatus",
    "manga.deleteFromList"
  ] as const)("is a change that waits for its button, as in the link of its reference: %s", async (operation) => {
    await using opened = await opening(`?${placesInExplore[operation]}`)
    const { history, list, picker, session, settled } = opened
    const isRemoval = operation.endsWith(".deleteFromList")
    expect(picker.operation.value).toBe(operation)
    expect(picker.notice.value).toBe(`Press ${isRemoval ? "Remove" : "+1"} on a title below to call it.`)
    expect(history.entries.at(-1)).toContain(`operation=${operation}`)
    const [entry] = list.state.entries
    if (entry === undefined) {
      throw new Error("The list is empty")
    }
    await (isRemoval ? list.remove(entry) : list.advance(entry))
    await settled()
    expect(session.calls[0]?.operation).toBe(operation)
    expect([picker.operation.value, picker.notice.value]).toEqual([operation, ""])
    expect(history.entries.at(-1)).not.toContain("operation=")
  })

  it("is a call beside that of the list, which the inspector shows until the next one", async () => {
    await using opened = await opening("?view=list&operation=user.me")
    const { explore, history, list, picker, settled } = opened
    expect([picker.operation.value, picker.notice.value]).toEqual(["user.me", ""])
    expect(explore.inspected()?.operation).toBe("user.me")
    expect(history.entries.at(-1)).toBe("?view=list&operation=user.me")
    list.state.status = "completed"
    await eventually("the list is read", () => picker.operation.value === "user.animeList")
    await settled()
    expect(history.entries.at(-1)).toBe("?view=list&status=completed")
  })

  it("is forgotten when the reader shows another call or another view", async () => {
    await using opened = await opening("?view=list&operation=anime.deleteFromList")
    const { explore, picker, session } = opened
    explore.inspect(session.calls[0]?.id ?? 0)
    expect([picker.operation.value, picker.notice.value]).toEqual(["user.me", ""])
    await picker.pick("anime.deleteFromList")
    expect(picker.notice.value).toContain("Remove")
    explore.state.view = "season"
    explore.state.view = "list"
    expect(picker.notice.value).toBe("")
  })
})

describe("My list of Explore", () => {
  it("takes a change back that the service does not accept, and keeps it with a retry", async () => {
    await using opened = within(useList)
    const { session, settled, value: list } = opened
    await settled()
    const [entry] = list.state.entries
    if (entry === undefined) {
      throw new Error("The list is empty")
    }
    const { progress } = entry
    session.faults.begin("unavailable")
    const change = list.advance(entry)
    expect(entry.progress).toBe(progress + 1)
    await change
    expect(entry.progress).toBe(progress)
    expect(list.state.change).toMatchObject({
      notice: `${entry.title} was not saved; the change was undone.`,
      error: { name: "ClientRestError", members: { status: 503 } }
    })

    session.policies.set("retry", true)
    session.faults.begin("unavailable")
    await list.advance(entry)
    expect(entry.progress).toBe(progress + 1)
    expect(list.state.change).toEqual({ notice: `${entry.title} was saved.` })
  })

  it("puts entries back that could not be removed, where they were", async () => {
    await using opened = within(useList)
    const { session, settled, value: list } = opened
    await settled()
    const before = list.state.entries.map(({ id }) => id)
    session.faults.begin("unavailable")
    const removals = list.state.entries.slice(1, 3).map(list.remove)
    expect(list.state.entries).toHaveLength(before.length - 2)
    await Promise.all(removals)
    expect(list.state.entries.map(({ id }) => id)).toEqual(before)
  })
})

/** The first entry of a list that was read. */
const firstOf = ({ state }: ReturnType<typeof useList>) => {
  const [entry] = state.entries
  if (entry === undefined) {
    throw new Error("The list is empty")
  }
  return entry
}

describe("a change in Explore whose reply is lost", () => {
  it("may have been saved: the list shows what the service has", async () => {
    await using opened = within(useList)
    const { session, settled, value: list } = opened
    await settled()
    expect(list.found.value).toBe("The first 20 entries.")
    const { id, progress, title } = firstOf(list)
    const now = () => list.state.entries.find((entry) => entry.id === id)
    session.faults.begin("dropped")
    await list.advance(firstOf(list))
    await settled()
    expect(list.state.change).toMatchObject({
      notice: `No usable reply came: ${title} may have been saved. To find out, the list is loaded again.`,
      error: { members: { reason: "Transport" } }
    })
    expect(now()?.progress).toBe(progress + 1)
    session.faults.begin("dropped")
    await list.remove(firstOf(list))
    await settled()
    expect(now()).toBeUndefined()
  })

  it("may have been saved: the title shows what the service has", async () => {
    await using opened = within(useTitle)
    const { session, settled, value: title } = opened
    await settled()
    session.faults.begin("dropped")
    await title.setStatus("dropped")
    await settled()
    expect(title.state.change.notice).toContain("may have been saved")
    expect(title.state.status).toBe("dropped")
  })
})

it("what is changed in Explore while a change is saved is sent next, the last choice of several alone", async () => {
  const both = (explore: Explore) => ({ list: useList(explore), title: useTitle(explore) })
  await using opened = within(both, historyOf(""), 50)
  const { session, settled, value } = opened
  const { list, title } = value
  await settled()
  const entry = firstOf(list)
  const progress = entry.progress + 1
  await Promise.all([list.advance(entry), list.change(entry, { score: 6 }), list.change(entry, { score: 7 })])
  // As arrow keys do.
  const chosen = [title.setStatus("on_hold"), title.setStatus("dropped")]
  await eventually("it is sent", () => session.calls.some(({ state }) => state === "pending"))
  await Promise.all([...chosen, title.setStatus("on_hold"), title.setStatus("completed")])
  const forms = session.calls.toReversed().flatMap(({ exchanges }) => exchanges.flatMap(({ form = [] }) => form))
  expect(forms).toEqual([`num_watched_episodes=${progress}`, "score=7", "status=dropped", "status=completed"])
  expect([entry.score, entry.isSaving, title.state.status]).toEqual([7, false, "completed"])
})

describe("while the list of Explore is read again after a lost reply", () => {
  it("what is changed and removed stays as the user left it", async () => {
    await using opened = within(useList, historyOf(""), 50)
    const { session, settled, value: list } = opened
    await settled()
    const [lost, changed, removed] = list.state.entries
    if (lost === undefined || changed === undefined || removed === undefined) {
      throw new Error("The list is too short")
    }
    session.faults.begin("dropped")
    await list.change(lost, { score: 1 })
    expect(list.latest.isLoading).toBe(true)
    const score = changed.score === 9 ? 8 : 9
    await Promise.all([list.change(changed, { score }), list.remove(removed)])
    await settled()
    expect(list.state.entries.find(({ id }) => id === changed.id)).toMatchObject({ score, isSaving: false })
    expect(list.state.entries.some(({ id }) => id === removed.id)).toBe(false)
    list.reload()
    await settled()
    expect(list.state.entries.find(({ id }) => id === changed.id)?.score).toBe(score)
    expect(list.state.entries.some(({ id }) => id === removed.id)).toBe(false)
  })

  it("no change that waits puts a removed entry on the list again", async () => {
    await using opened = within(useList, historyOf(""), 50)
    const { session, settled, value: list } = opened
    await settled()
    const entry = firstOf(list)
    const changes = [list.advance(entry), list.change(entry, { score: 6 })]
    await Promise.all([...changes, list.remove(entry)])
    expect(session.calls.map(({ operation }) => operation).slice(0, 2)).toEqual([
      "anime.deleteFromList",
      "anime.updateMyListStatus"
    ])
    list.reload()
    await settled()
    expect(list.state.entries.some(({ id }) => id === entry.id)).toBe(false)
  })
})

describe("the status of a title in Explore", () => {
  const statusesSent = (calls: ReadonlyArray<CallRecord>) =>
    calls
      .toReversed()
      .flatMap(({ exchanges }) => exchanges.flatMap(({ form, url }) => (form ? [`${url} ${form}`] : [])))

  it("is the one that was chosen last, also while the title is read again", async () => {
    await using opened = within(useTitle, historyOf(""), 50)
    const { session, settled, value: title } = opened
    await settled()
    session.faults.begin("dropped")
    await title.setStatus("dropped")
    expect(title.latest.isLoading).toBe(true)
    await title.setStatus("completed")
    await settled()
    expect(statusesSent(session.calls).map((sent) => sent.split(" ")[1])).toEqual([
      "status=dropped",
      "status=completed"
    ])
    expect(title.state.status).toBe("completed")
  })

  it("is saved for its title, wherever the reader goes meanwhile", async () => {
    await using opened = within((explore) => ({ explore, title: useTitle(explore) }), historyOf(""), 50)
    const { session, settled, value } = opened
    const { explore, title } = value
    await settled()
    const first = title.setStatus("on_hold")
    void title.setStatus("completed")
    explore.state.title.id = 20
    await nextTick()
    explore.state.title.id = 30230
    await first
    await settled()
    expect(statusesSent(session.calls).map((sent) => sent.replace(/.*(\/anime)/, "$1"))).toEqual([
      "/anime/30230/my_list_status status=completed"
    ])
    expect(title.state.status).toBe("completed")
  })

  it("is read again when the same title is opened again", async () => {
    await using opened = within((explore) => ({ explore, title: useTitle(explore) }))
    const { session, settled, value } = opened
    await settled()
    await session.call("anime.updateMyListStatus", [{ id: 30230, status: "dropped" }])
    value.explore.state.opened += 1
    await nextTick()
    await settled()
    expect(value.title.state.status).toBe("dropped")
  })
})

/** Shows a view, and waits until its calls have ended. */
const shows = async (opened: { readonly settled: () => Promise<unknown> }, state: Explore["state"], view: ViewName) => {
  state.view = view
  await nextTick()
  await opened.settled()
}

/** Opens an anime, as a card does. */
const openAnime = async (opened: { readonly settled: () => Promise<unknown> }, { state }: Explore, id: number) => {
  Object.assign(state.title, { kind: "anime", id })
  state.opened += 1
  await shows(opened, state, "title")
}

describe("a change in a view of Explore", () => {
  it("is shown by the others once they are shown, and by its own without another call", async () => {
    await using opened = within((explore) => {
      explore.state.view = "list"
      return {
        explore,
        list: useList(explore),
        profile: useProfile(explore),
        season: useSeason(explore),
        title: useTitle(explore)
      }
    })
    const { session, settled, value } = opened
    const { explore, list, profile, season, title } = value
    await settled()
    season.state.fields.push("my_list_status")
    await shows(opened, explore.state, "season")
    await season.more()
    const shown = season.state.items.length
    const { next } = season.state
    await shows(opened, explore.state, "list")
    const entry = firstOf(list)
    const before = session.calls.length
    await list.change(entry, { score: 1, status: "dropped" })
    await nextTick()
    expect(session.calls.slice(0, session.calls.length - before).map(({ operation }) => operation)).toEqual([
      "anime.updateMyListStatus"
    ])
    await openAnime(opened, explore, entry.id)
    expect(title.state).toMatchObject({ item: { id: entry.id }, status: "dropped" })
    // Once, though the title is another one, too.
    expect(session.calls.filter(({ operation }) => operation === "anime.get")).toHaveLength(2)
    await title.setStatus("watching")
    await shows(opened, explore.state, "list")
    expect(list.state.entries.find(({ id }) => id === entry.id)).toMatchObject({ score: 1, status: "watching" })
    await title.setStatus("on_hold")
    await nextTick()
    await settled()
    // A change that ends while another view is shown.
    expect(list.state.entries.some(({ id }) => id === entry.id)).toBe(false)
    const calls = session.calls.length
    await shows(opened, explore.state, "profile")
    expect(session.calls.length).toBe(calls + 3)
    expect(profile.state.anime.length).toBeGreaterThan(0)
    const [card] = season.state.items
    await title.setStatus("completed")
    await session.call("anime.updateMyListStatus", [{ id: card?.id ?? 0, status: "on_hold" }])
    await shows(opened, explore.state, "season")
    expect(season.state.items[0]?.my_list_status?.status).toBe("on_hold")
    // As many as before, so that Back finds the same place.
    expect([season.state.items.length, season.state.next]).toEqual([shown, next])
    expect(season.latest.isLoading).toBe(false)
  })

  it("that failed while another view was shown is reported until its view is left", async () => {
    await using opened = within(
      (explore) => {
        explore.state.view = "list"
        return { explore, list: useList(explore), title: useTitle(explore) }
      },
      historyOf(""),
      20
    )
    const { session, settled, value } = opened
    const { explore, list, title } = value
    await settled()
    session.faults.begin("unavailable")
    const entry = firstOf(list)
    const change = list.change(entry, { score: 1 })
    explore.state.view = "title"
    await change
    const other = title.setStatus("dropped")
    explore.state.view = "list"
    await other
    await settled()
    const notice = `${entry.title} was not saved; the change was undone.`
    expect(list.state.change.notice).toBe(notice)
    await openAnime(opened, explore, 1)
    expect(list.state.change).toEqual({ notice: "" })
    expect(title.state.change).toMatchObject({
      notice: "Diamond no Ace: Second Season was not saved; the change was undone.",
      error: { members: { status: 503 } }
    })
    await shows(opened, explore.state, "list")
    expect(title.state.change).toEqual({ notice: "" })
  })
})

describe("while a change of Explore is sent", () => {
  /** Opens views with a list, whose next change takes its time. */
  const opening = async () => {
    const opened = within(
      (explore) => {
        explore.state.view = "list"
        return { explore, list: useList(explore), title: useTitle(explore) }
      },
      historyOf(""),
      20
    )
    await opened.settled()
    return { ...opened, ...opened.value }
  }
  /** Whether entries with these ids are on the list as it is read now. */
  const isListed = async ({ list, settled }: Awaited<ReturnType<typeof opening>>, id: number) => {
    list.reload()
    await settled()
    return list.state.entries.some((entry) => entry.id === id)
  }

  it("a removal waits for it, and it is not reported", async () => {
    await using opened = await opening()
    const { list, session } = opened
    const entry = firstOf(list)
    session.policies.set("retry", true)
    session.faults.begin("limited")
    const change = list.change(entry, { score: 1 })
    await list.remove(entry)
    await change
    expect(list.state.change).toEqual({ notice: `${entry.title} was removed.` })
    expect(await isListed(opened, entry.id)).toBe(false)
  })

  it("the list that the entry moves to shows it, and the numbers say that they do not count it", async () => {
    await using opened = await opening()
    const { list, settled } = opened
    const entry = firstOf(list)
    const change = list.change(entry, { status: "on_hold" })
    list.state.status = "on_hold"
    await change
    await settled()
    expect(list.state.entries.some(({ id }) => id === entry.id)).toBe(true)
    expect(list.state.isCounted).toBe(false)
    list.readStatistics()
    await settled()
    expect(list.state.isCounted).toBe(true)
  })

  it("a title that is read before and shown after keeps the saved status", async () => {
    await using opened = await opening()
    const { explore, session, settled, title } = opened
    session.faults.begin("slow")
    explore.state.opened += 1
    await nextTick()
    await eventually("the read is late", () => session.faults.state.left === 0)
    await title.setStatus("dropped")
    await settled()
    expect(title.state.status).toBe("dropped")
  })

  it("a sign-out shows nothing of it", async () => {
    await using opened = await opening()
    const { explore, list, session, settled, title } = opened
    const entry = firstOf(list)
    session.faults.begin("unavailable")
    const first = [list.remove(entry), title.setStatus("dropped")]
    await eventually("both are sent", () => session.faults.state.left === 0)
    await explore.signIn.leave()
    await Promise.all(first)
    await shows(opened, explore.state, "title")
    expect([list.state.entries, list.state.change, title.state.change]).toEqual([[], { notice: "" }, { notice: "" }])
    expect(title.state.status).toBe("")
    await explore.signIn.start()
    await explore.signIn.answer("allow")
    await shows(opened, explore.state, "list")
    const again = firstOf(list)
    const changes = [list.change(again, { score: 1 }), list.change(again, { score: 2 })]
    await explore.signIn.leave()
    await Promise.all(changes)
    await settled()
    expect(list.state.change).toEqual({ notice: "" })
    expect(session.calls.some(({ error }) => error?.members["reason"] === "Missing")).toBe(false)
  })
})

it("Explore makes a call again once the service works, unless the fault was not its cause", async () => {
  await using opened = within(useProfile, historyOf("?view=profile&username=quiet_shelf"))
  const { session, settled, value: profile } = opened
  await settled()
  expect(profile.profile.error).toMatchObject({ members: { status: 404 } })
  const calls = session.calls.length
  session.faults.begin("html")
  session.faults.begin("none")
  await nextTick()
  expect(session.calls.length).toBe(calls)
})

it("a sign-in of Explore that was denied is told until it was seen", async () => {
  await using opened = within(({ session, signIn, state }) => ({ session, signIn, state }))
  const { signIn, state } = opened.value
  state.view = "list"
  await signIn.start()
  const answered = signIn.answer("deny")
  state.view = "search"
  await answered
  state.view = "list"
  await nextTick()
  expect(signIn.state).toMatchObject({ notice: "The sign-in failed.", error: { members: { reason: "Denied" } } })
  state.view = "search"
  await nextTick()
  expect(signIn.state).toMatchObject({ notice: "", error: undefined })
})

it("the list of Explore says that there is more after an entry was removed", async () => {
  await using opened = within(useList)
  const { settled, value: list } = opened
  await settled()
  await list.remove(firstOf(list))
  expect(list.found.value).toBe("The first 19 entries.")
})

it("the list of Explore is read to its end with More, and begins with its first entries after another list", async () => {
  await using opened = within(useList)
  const { session, settled, value: list } = opened
  await settled()
  list.more()
  await settled()
  expect(list.found.value).toBe("The first 40 entries.")
  expect(session.calls[0]?.exchanges).toHaveLength(4)
  list.more()
  await settled()
  expect([list.found.value, list.state.hasMore]).toEqual([expect.stringMatching(/^\d+ entries\.$/), false])
  list.state.status = "completed"
  await settled()
  list.state.status = "watching"
  await settled()
  expect(list.found.value).toBe("The first 20 entries.")
})

it("the seasons of Explore show a status only of titles that were read with it, and no year with a fraction", async () => {
  await using opened = within(useSeason)
  const { session, settled, value: season } = opened
  await settled()
  season.state.fields.push("my_list_status")
  await nextTick()
  expect(season.hasStatus.value).toBe(false)
  await settled()
  expect(season.hasStatus.value).toBe(true)
  const calls = session.calls.length
  season.state.year = 2012.5
  await eventually("nothing is shown", () => season.state.items.length === 0)
  expect(season.found.value).toMatch(/^Enter a year from/)
  expect(session.calls.length).toBe(calls)
})

it("a sign-in of Explore that completes after the user has signed out is dropped, and says what it does", async () => {
  await using opened = within(({ session, signIn, state }) => ({ session, signIn, state }), historyOf(""), 20)
  const { session, settled, value } = opened
  const { answer, leave, start, state, who } = value.signIn
  value.state.view = "list"
  await nextTick()
  const opening = start()
  expect(state.notice).toBe("Opening the consent page…")
  await opening
  const answered = answer("allow")
  expect(state.notice).toBe("Signing in…")
  await eventually("the code is sent", () => session.calls.some(({ state }) => state === "pending"))
  await leave()
  await answered
  await settled()
  expect(who.value).toBe("Signed out.")
  await expect(session.call("user.me", [])).rejects.toMatchObject({ reason: "Missing" })
  // Nor is its page opened after that.
  const second = start()
  await leave()
  await second
  expect(state).toEqual({ page: undefined, notice: "Public data can still be read.", error: undefined })
  value.state.view = "forum"
  await nextTick()
  expect(state.notice).toBe("")
})

it("views of Explore show nothing of another choice while a call is in flight", async () => {
  await using opened = within((explore) => ({
    explore,
    search: useSearch(explore),
    rankings: useRankings(explore),
    list: useList(explore),
    title: useTitle(explore),
    forum: useForum(explore),
    season: useSeason(explore)
  }))
  const { session, settled, value } = opened
  const { explore, forum, list, rankings, search, season, title } = value
  await settled()
  const shown = () => [search.state.results, rankings.state.rows, list.state.entries].map(({ length }) => length > 0)
  expect(shown()).toEqual([true, true, true])
  search.state.kind = rankings.state.from = list.state.kind = "manga"
  explore.state.title.id = 1
  await nextTick()
  expect(shown()).toEqual([false, false, false])
  expect(title.state.item).toBeUndefined()
  expect([search.found.value, rankings.found.value, list.found.value]).toEqual(["Loading…", "Loading…", "Loading…"])
  await settled()
  expect(rankings.found.value).toBe("The first 10 titles.")
  rankings.state.from = "anime"
  rankings.state.rankingType = "airing"
  season.state.season = "spring"
  await nextTick()
  expect([rankings.state.rows, season.state.items]).toEqual([[], []])
  await settled()
  rankings.state.rankingType = "tv"
  await nextTick()
  expect(rankings.state.rows).toEqual([])
  await settled()
  rankings.state.rankingType = "airing"
  await nextTick()
  await settled()
  // These are all.
  expect(rankings.found.value).toBe(`${rankings.state.rows.length} titles.`)

  // A status that fails later is that of the other title.
  session.faults.begin("slow")
  const saved = title.setStatus("dropped")
  await eventually("it is sent", () => session.faults.state.left === 0)
  explore.state.title.id = 30230
  await nextTick()
  await eventually("the other title is shown", () => title.state.item?.id === 30230)
  session.cancel(session.calls.find(({ operation }) => operation === "anime.updateMyListStatus")?.id ?? 0)
  await saved
  expect(title.state).toMatchObject({
    status: "watching",
    change: { notice: "No usable reply came: the change of Cowboy Bebop may have been saved." }
  })

  await forum.openBoard(4)
  const topics = forum.found.value
  expect(topics).toMatch(/\d topics/)
  await forum.openTopic(2_000_009)
  expect(forum.found.value).toMatch(/^\d posts/)
  forum.closeTopic()
  expect(forum.found.value).toBe(topics)
  session.faults.begin("html")
  await forum.openBoard(1)
  expect([forum.found.value, forum.state.topics]).toEqual(["", []])
  forum.parts.list.again()
  await settled()
  expect(forum.found.value).toMatch(/topic/)
})

it("a page more of a season that failed is tried again, and what is shown stays", async () => {
  await using opened = within(useSeason)
  const { session, settled, value: season } = opened
  await settled()
  const { length } = season.state.items
  session.faults.begin("html")
  await season.more()
  expect(season.latest.error).toBeDefined()
  expect(season.state.items).toHaveLength(length)
  season.latest.again()
  await settled()
  expect(season.latest.error).toBeUndefined()
  expect(season.state.items.length).toBeGreaterThan(length)
})

it("Explore shows the exchange of a search with an apostrophe", async () => {
  await using opened = within(useForum)
  const { session, settled, value: forum } = opened
  await settled()
  forum.state.q = "it's"
  await forum.search()
  await settled()
  expect(session.calls[0]?.exchanges).toMatchObject([{ status: 200, headers: { accept: expect.anything() as string } }])
})

describe("the address of Explore", () => {
  it("keeps a view with its choices, the fault and the policies, and a new visit begins there", async () => {
    const { address, entries } = historyOf("?view=season&year=2017&genre=Drama&fault=html&policies=retry,cache")
    await using opened = within((explore) => ({ explore, trial: useTrial(explore), season: useSeason(explore) }), {
      address,
      entries
    })
    const { explore, season } = opened.value
    expect(explore.state.view).toBe("season")
    expect(season.state).toMatchObject({ year: 2017, season: "winter", genre: "Drama" })
    expect(explore.session.faults.state.name).toBe("html")
    expect(explore.session.policies.names()).toEqual(["cache", "retry"])
    season.state.fields = []
    season.state.nsfw = true
    await nextTick()
    expect(entries).toEqual(["?view=season&fault=html&policies=cache,retry&year=2017&nsfw=true&fields=&genre=Drama"])
    await opened.settled()
  })

  it("is a step of the history with each view and title, and Back returns", async () => {
    const { address, entries } = historyOf("")
    await using opened = within((explore) => ({ explore, search: useSearch(explore) }), { address, entries })
    const { explore, search } = opened.value
    search.state.q = "naruto"
    await nextTick()
    explore.state.view = "title"
    await nextTick()
    explore.state.title.id = 1
    await nextTick()
    expect(entries).toEqual(["?q=naruto", "?view=title", "?view=title&id=1"])
    entries.pop()
    await nextTick()
    expect(explore.state).toMatchObject({ view: "title", title: { kind: "anime", id: 30230 } })
    entries.pop()
    await nextTick()
    expect(explore.state.view).toBe("search")
    expect(search.state.q).toBe("naruto")
    expect(entries).toEqual(["?q=naruto"])
    await opened.settled()
  })

  it("that makes no sense is ignored", async () => {
    const history = historyOf("?view=nothing&kind=film&fault=flood&policies=magic&year=soon")
    await using opened = within(
      (explore) => ({ explore, search: useSearch(explore), trial: useTrial(explore) }),
      history
    )
    expect(opened.value.explore.state.view).toBe("search")
    expect(opened.value.search.state.kind).toBe("anime")
    expect(opened.session.faults.state.name).toBe("none")
    expect(opened.session.policies.names()).toEqual([])
    await opened.settled()
  })

  it("opens the list of a manga reader, and a topic", async () => {
    await using list = within(useList, historyOf("?view=list&kind=manga&status=completed"))
    expect(list.value.state).toMatchObject({ kind: "manga", status: "completed" })
    await list.settled()
    const history = historyOf("?view=forum&board=4&topic=2000009")
    await using forum = within(useForum, history)
    await forum.settled()
    await nextTick()
    expect(forum.value.of.value).toBe("in Anime Discussion")
    expect(forum.value.state.topic?.posts.length).toBeGreaterThan(0)
    expect(history.entries).toEqual(["?view=forum&board=4&topic=2000009"])
  })

  it("that names a kind alone begins with its first status, and one of the other kind is ignored", async () => {
    for (const query of ["?view=list&kind=manga", "?view=list&kind=manga&status=watching"]) {
      const history = historyOf(query)
      await using opened = within(useList, history)
      expect(opened.value.state).toMatchObject({ kind: "manga", status: "reading" })
      await opened.settled()
      expect(opened.value.state.entries.length).toBeGreaterThan(0)
    }
    await using opened = within(useRankings, historyOf("?view=rankings&from=manga&rankingType=airing"))
    expect(opened.value.state).toMatchObject({ from: "manga", rankingType: "all" })
    await opened.settled()
  })
})

it("the seasons of Explore explain a year that is no year, and filter by genre", async () => {
  await using opened = within(useSeason)
  const { settled, value: season } = opened
  await settled()
  const all = season.state.items.length
  const [genre = ""] = season.genres.value
  season.state.genre = genre
  expect(season.found.value).toMatch(new RegExp(`^[1-9] of ${all} shown`))
  expect(season.shown.value.every(({ genres }) => genres?.some(({ name }) => name === genre))).toBe(true)
  season.state.genre = "No such genre"
  expect(season.found.value).toContain(`0 of ${all} shown`)
  season.state.year = ""
  expect(season.found.value).toBe("Enter a year, such as 2017.")
  season.state.year = 201
  await eventually("the entries of the other year are gone", () => season.state.items.length === 0)
  expect(season.found.value).toMatch(/^Enter a year from \d+ to \d+\.$/)
  expect(opened.session.calls).toHaveLength(1)
})

it("views of Explore whose call fails show nothing of their last one", async () => {
  await using opened = within((explore) => ({
    season: useSeason(explore),
    rankings: useRankings(explore),
    list: useList(explore)
  }))
  const { session, settled, value } = opened
  const { list, rankings, season } = value
  await settled()
  const shown = () => [season.state.items, rankings.state.rows, list.state.entries].map(({ length }) => length > 0)
  expect([...shown(), season.state.hasMore]).toEqual([true, true, true, true])
  const changes = [
    [season, () => (season.state.season = "spring")],
    [rankings, () => (rankings.state.rankingType = "tv")],
    [list, () => (list.state.kind = "manga")]
  ] as const
  for (const [{ latest }, change] of changes) {
    session.faults.begin("html")
    change()
    await nextTick()
    // More entries would be those of the other season.
    expect(season.state.hasMore).toBe(false)
    await eventually("the call has failed", () => latest.error !== undefined)
  }
  expect(shown()).toEqual([false, false, false])
  expect([rankings.found.value, season.found.value, list.found.value]).toEqual(["", "", ""])
})

it("Explore signs out and in on the consent page of its service, reads the list anew, and tells of a refusal", async () => {
  await using opened = within((explore) => {
    explore.state.view = "list"
    return { signIn: explore.signIn, list: useList(explore), trial: useTrial(explore) }
  })
  const { session, settled, value } = opened
  const { answer, leave, start, state, who } = value.signIn
  const { list } = value
  await settled()
  expect(who.value).toBe("Signed in as sample_reader.")
  session.faults.begin("expired")
  await expect(session.call("user.me", [])).rejects.toThrow("401")
  await leave()
  await nextTick()
  expect(who.value).toBe("Signed out.")
  expect([list.state.entries, list.found.value]).toEqual([[], "Sign in to see your list."])
  await expect(session.call("user.me", [])).rejects.toMatchObject({ reason: "Missing" })
  // The fault is about a token, and signs nobody in.
  value.trial.choose("expired")
  expect(who.value).toBe("Signed out.")
  expect(value.trial.stage()).toContain("You are signed out")
  await session.call("anime.get", [{ id: 1 }])
  expect(session.calls[0]?.exchanges[0]?.headers).toMatchObject({ "x-mal-client-id": "<redacted>" })
  await start()
  expect(state.page).toContain("<form")
  await answer("deny")
  expect(state.error).toMatchObject({ name: "ClientAuthError", members: { reason: "Denied" } })
  await start()
  await answer("allow")
  expect(state.error).toBeUndefined()
  expect(who.value).toBe("Signed in as sample_reader.")
  // The new token has not expired.
  await nextTick()
  expect(session.faults.state.name).toBe("none")
  await settled()
  expect(list.state.entries.length).toBeGreaterThan(0)
  const exchange = session.calls.find((call) => call.operation === "session.exchange") as CallRecord
  expect(exchange).toMatchObject({ state: "done", exchanges: [{ method: "POST", status: 200, outcome: "Success" }] })
  expect(exchange.exchanges[0]?.form).toContain("code=<redacted>&code_verifier=<redacted>")
  await eventually("its body is read", () => exchange.exchanges[0]?.body !== undefined)
  expect(JSON.parse(exchange.exchanges[0]?.body ?? "")).toMatchObject({
    access_token: "<redacted>",
    refresh_token: "<redacted>"
  })
  expect(programOf(exchange, "curl")).not.toContain("Bearer")
  const shown = session.calls.map((call) => JSON.stringify(call) + programOf(call, "curl"))
  expect(shown.filter((text) => /embedded-(client|token)/.test(text))).toEqual([])
})

it("the shown view of Explore is read again for another user, and the others once they are shown", async () => {
  await using opened = within((explore) => ({
    explore,
    list: useList(explore),
    profile: useProfile(explore),
    rankings: useRankings(explore),
    season: useSeason(explore),
    title: useTitle(explore)
  }))
  const { session, settled, value } = opened
  const { explore, list, profile, rankings, title } = value
  const operations = () => session.calls.map(({ operation }) => operation)
  /** What a change calls. */
  const callsOf = async (change: () => unknown) => {
    const before = session.calls.length
    await change()
    await nextTick()
    await settled()
    return operations().slice(0, session.calls.length - before)
  }
  rankings.state.from = "suggestions"
  explore.state.view = "profile"
  await nextTick()
  await settled()
  await title.setStatus("completed")
  await nextTick()
  await settled()
  const facts = profile.state.facts
  expect(facts.length).toBeGreaterThan(0)
  const notice = profile.notice.value
  expect(notice).toMatch(/^[1-9] anime and [1-9] manga of @me, the best first\.$/)

  await callsOf(explore.signIn.leave)
  expect(profile.profile.error).toMatchObject({ name: "ClientAuthError", members: { reason: "Missing" } })
  expect([profile.state.facts, profile.notice.value]).toEqual([[], "Sign in to see your profile and your lists."])
  // What needs no token is not called for its error.
  expect(operations()[0]).toBe("user.get")
  const signIn = async () => {
    await explore.signIn.start()
    await explore.signIn.answer("allow")
  }
  expect((await callsOf(signIn)).toSorted()).toEqual([
    "session.exchange",
    "user.animeList",
    "user.get",
    "user.mangaList"
  ])
  expect(profile.profile.error).toBeUndefined()
  expect([profile.state.facts, profile.notice.value]).toEqual([facts, notice])

  // Views that are not shown have called nothing.
  expect(await callsOf(() => (explore.state.view = "rankings"))).toEqual(["anime.suggestions"])
  await callsOf(explore.signIn.leave)
  expect(rankings.latest.error).toMatchObject({ members: { reason: "Missing" } })
  expect(title.state.status).toBe("completed")
  await callsOf(() => (explore.state.view = "title"))
  expect([title.state.item?.id, title.state.status]).toEqual([30230, ""])
  expect(await callsOf(() => (explore.state.view = "list"))).toEqual([])
  expect([list.state.entries, list.found.value]).toEqual([[], "Sign in to see your list."])
  expect(await callsOf(() => (list.state.kind = "manga"))).toEqual([])
  expect(list.latest.error).toBeUndefined()
  await callsOf(signIn)
  expect(list.state.entries.length).toBeGreaterThan(0)
  // Its entries are the same for all.
  expect(await callsOf(() => (explore.state.view = "season"))).toEqual([])
})

it("Explore shows calls that share an exchange, and never a token", async () => {
  await using opened = within(({ session }) => session)
  const { session } = opened
  session.policies.set("dedupe", true)
  await Promise.all([session.call("forum.boards", []), session.call("forum.boards", [])])
  expect(session.calls.map(exchangesOf).sort()).toEqual(["0 exchanges: shared another call's", "1 exchange"])
  // Its programs have a client ID.
  expect(session.calls.map(credentialNote).join("")).toContain("needs only a client ID")
  await session.call("user.me", [])
  expect(session.calls[0]?.exchanges[0]?.headers).toMatchObject({ authorization: "Bearer <redacted>" })
  expect(credentialNote(session.calls[0] as CallRecord)).toBe("")
  expect(JSON.stringify(session.calls)).not.toContain("embedded-token")
})
