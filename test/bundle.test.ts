import { build, type BuildOptions, type Plugin } from "esbuild"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createContext, runInContext } from "node:vm"
import { gzipSync } from "node:zlib"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import * as anime from "@catalog-client/core/anime"
import * as forum from "@catalog-client/core/forum"
import * as manga from "@catalog-client/core/manga"
import * as user from "@catalog-client/core/user"
import type { Catalog } from "catalog-client"
import { effectFolders } from "../scripts/workspace.mjs"

const root = join(import.meta.dirname, "..")

const groups = { anime, forum, manga, user }

const operations = Object.entries(groups).flatMap(([group, module]) =>
  Object.keys(module).map((name) => ({ group, name }))
)

const built = async (contents: string, options: BuildOptions = {}) => {
  const { metafile, outputFiles } = await build({
    format: "esm",
    ...options,
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "error"
  })
  return { metafile, code: outputFiles.map(({ text }) => text).join("") }
}

const bundle = async (contents: string) => {
  const { metafile, code } = await built(contents, { minify: true, external: ["effect", "@effect/platform"] })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return {
    code,
    /** The policies that it holds, and how many bytes they and what they share take. */
    policies: inputs.flatMap(([path, { bytesInOutput }]) => {
      const [, name = "", part] = /core\/dist\/(resilience\/|Resilience)(\w*)/.exec(path) ?? []
      return name !== "" && bytesInOutput > 0 ? [{ name: part === "" ? "Resilience" : part, bytesInOutput }] : []
    })
  }
}

describe("a bundle of one operation", () => {
  test.each(operations)("contains no path of another: $group.$name", async ({ group, name }) => {
    const { code } = await bundle(`export { ${name} } from "@catalog-client/core/${group}"`)
    const paths = new Set(
      Array.from(code.matchAll(/["'`](\/(?:anime|manga|users?|forum)\b[^"'`]*)["'`]/g), ([, path]) => path)
    )
    expect([...paths]).toHaveLength(1)
  })
})

describe("a bundle contains the policies that it uses", () => {
  const named = ["breaker", "cache", "dedupe", "rateLimit", "retry"]

  /** Whether it names an option of a policy, as their errors do. */
  const namesPolicies = async (contents: string) => /["'`]Resilience[.]\w/.test((await bundle(contents)).code)

  test("and none of catalog-client if it uses none", async () => {
    expect(await namesPolicies(`export { createCatalog } from "catalog-client"`)).toBe(false)
    expect(await namesPolicies(`export { Resilience } from "catalog-client"`)).toBe(true)
  })

  test.each([
    `export { CatalogClient } from "@catalog-client/core"`,
    `export { layerClient } from "@catalog-client/browser"`,
    `export { Catalog, CatalogPolicy, Credentials } from "@catalog-client/core"`,
    `export { get } from "@catalog-client/core/anime"`
  ])("and none if it uses none: %s", async (contents) => {
    expect((await bundle(contents)).policies).toEqual([])
  })

  test.each(named)("and one if it uses one: %s", async (name) => {
    const { policies } = await bundle(`export { ${name} } from "@catalog-client/core/Resilience"`)
    expect(policies.map((policy) => policy.name).filter((held) => named.includes(held ?? ""))).toEqual([name])
    expect(policies.reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0)).toBeLessThan(4_000)
  })

  test("and all of them are small", async () => {
    const { policies } = await bundle(`export { Resilience } from "@catalog-client/core"`)
    expect(policies.map((policy) => policy.name)).toEqual(expect.arrayContaining(named))
    // With the error of a store, which a page of a single policy has not.
    expect(policies.reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0)).toBeLessThan(10_600)
  })
})

test.each(["@catalog-client/testing", "catalog-client/testing"])(
  "a program that imports TestError of %s contains no data of the embedded service",
  async (specifier) => {
    const holdsData = async (name: string) =>
      (await bundle(`export { ${name} } from "${specifier}"`)).code.includes("Cowboy Bebop")
    expect(await holdsData("TestError")).toBe(false)
    expect(await holdsData("sample")).toBe(true)
  }
)

describe("a bundle contains a session if it uses one", () => {
  const oauthIn = async (contents: string) => {
    const { metafile, code } = await built(contents, { minify: true, external: ["effect", "@effect/platform"] })
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
    const paths = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []))
    return { code, held: paths.filter((path) => path.includes("oauth/dist/")) }
  }

  test.each([
    `export { createCatalog } from "catalog-client"`,
    `export { layerClient } from "@catalog-client/browser"`,
    `export * from "@catalog-client/core"`,
    `export * from "@catalog-client/browser"`,
    `export { me } from "@catalog-client/core/user"`
  ])("and nothing of it otherwise: %s", async (contents) => {
    const { code, held } = await oauthIn(contents)
    expect(held).toEqual([])
    expect(code).not.toContain("refresh_token")
  })

  test("and Node loads nothing of it elsewhere", async () => {
    const loaded = async (specifier: string) => {
      const { metafile } = await built(`import * as all from "${specifier}"\nconsole.log(all)`, {
        platform: "node",
        external: ["effect", "@effect/platform", "undici", "open"]
      })
      return Object.keys(metafile.inputs).filter((path) => path.includes("oauth/dist/"))
    }
    expect(await loaded("@catalog-client/node")).toEqual([])
    expect(await loaded("@catalog-client/testing/node")).toEqual([])
    expect(await loaded("@catalog-client/oauth/node")).not.toEqual([])
  })

  test.each([
    // Names what is wrong with copied values, and waits for no store or lock without a limit.
    // In a page of catalog-client, the rest has little of Effect that a session could share. The state of a session is a class of
    // its own, whose members have names in the bundle.
    ["@catalog-client/browser", "layer, layerClient", "@catalog-client/oauth", "OAuthSession, TokenStore", 8_700],
    ["catalog-client", "createCatalog", "catalog-client/oauth", "createSession, localTokenStore", 13_350]
  ])("and is small: %s", async (name, catalogs, subpath, names, most) => {
    const session = `export { ${names} } from "${subpath}"`
    expect((await oauthIn(session)).code).toContain("refresh_token")
    const catalog = `export { ${catalogs} } from "${name}"`
    const { code: both } = await oauthIn(`${catalog}\n${session}`)
    const { code: one } = await oauthIn(catalog)
    const bytes = gzipSync(both).length - gzipSync(one).length
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(most)
  })
})

describe("a bundle of one guard", () => {
  test.each([
    `export { isNotFound } from "@catalog-client/core/guards"`,
    `export { isForbidden } from "@catalog-client/core"`
  ])("holds nothing else: %s", async (contents) => {
    const { code } = await built(contents, { minify: true })
    expect(gzipSync(code).length).toBeLessThan(1_000)
  })
})

describe("a bundle reads no variables of the environment", () => {
  // A message names some, too.
  const holdsNames = async (contents: string) => /"CATALOG_(BASE_URL|CLIENT_ID)"/.test((await bundle(contents)).code)

  test.each([
    `export { createCatalog } from "catalog-client"`,
    `export { layer } from "@catalog-client/browser"`,
    `export { Catalog, CatalogPolicy } from "@catalog-client/core"`,
    `export { get } from "@catalog-client/core/anime"`
  ])("that uses neither Credentials nor CatalogConfig: %s", async (contents) => {
    expect(await holdsNames(contents)).toBe(false)
  })

  test("unless it uses one", async () => {
    expect(await holdsNames(`export { Credentials } from "@catalog-client/core"`)).toBe(true)
    expect(await holdsNames(`export { CatalogConfig } from "@catalog-client/core"`)).toBe(true)
  })
})

test("a call works where Effect suspends a fiber by an instruction of another name", async () => {
  const renamed: Plugin = {
    name: "renamed",
    setup: (bundler) =>
      bundler.onLoad({ filter: /effect\/dist\/esm\/internal\/opCodes\/effect\.js$/ }, async ({ path }) => {
        const code = readFileSync(path, "utf8")
        expect(code).toContain('OP_ASYNC = "Async"')
        return { contents: code.replace('OP_ASYNC = "Async"', 'OP_ASYNC = "Suspend"') }
      })
  }
  const { code } = await built(
    `
      import { Catalog, Credentials, Transport } from "@catalog-client/core"
      import { FetchHttpClient } from "@effect/platform"
      import { Effect, Layer } from "effect"
      export const titleOf = (fetch) => {
        const transport = Layer.provide(Transport.layerFetch, Layer.succeed(FetchHttpClient.Fetch, fetch))
        const title = Effect.map(Catalog.anime.get({ id: 1 }), ({ title }) => title)
        return Effect.runPromise(Effect.provide(title, [transport, Credentials.layerNone]))
      }`,
    { format: "iife", globalName: "bundle", plugins: [renamed] }
  )
  // Effect keeps values of all its copies in the global object.
  const page = createContext({ URL, TextEncoder, TextDecoder, AbortController, setTimeout, clearTimeout })
  runInContext(code, page)
  const titleOf: (fetch: () => Promise<Response>) => Promise<string> = await runInContext("bundle.titleOf", page)
  expect(await titleOf(async () => Response.json({ id: 1, title: "One" }))).toBe("One")
})

// Safari has no `Symbol.asyncDispose`. The helper of esbuild falls back to `Symbol.for("Symbol.asyncDispose")`.
test("await using closes a catalog if the engine has no symbol for it", async () => {
  const { code } = await built(
    `
      import { createCatalog } from "catalog-client"
      export const used = async (fetch) => {
        await using catalog = createCatalog({ fetch })
        return catalog
      }`,
    { format: "iife", globalName: "bundle", target: "es2022" }
  )
  const page = createContext({ URL, TextEncoder, TextDecoder, AbortController, setTimeout, clearTimeout })
  expect(runInContext("typeof Symbol.asyncDispose", page)).toBe("undefined")
  runInContext(code, page)
  const catalog: Catalog = await runInContext("bundle.used(() => {})", page)
  await expect(catalog.forum.boards()).rejects.toMatchObject({ reason: "Cancelled" })
})

describe("platforms with less", () => {
  const globals = {
    URL,
    URLSearchParams,
    TextEncoder,
    TextDecoder,
    AbortController,
    setTimeout,
    clearTimeout,
    queueMicrotask,
    crypto,
    btoa,
    atob
  }
  const contents = `
    import { createCatalog } from "catalog-client"
    import { createSession, PendingAuthorization } from "catalog-client/oauth"

    const profileOf = (oauth) => ({
      accessToken: { header: "authorization", prefix: "Bearer " },
      clientId: { header: "x-client-id", prefix: "" },
      baseUrl: "https://catalog.example/v2",
      names: {},
      oauth: {
        authorizeUrl: "https://catalog.example/authorize",
        tokenUrl: "https://catalog.example/token",
        codeChallengeMethod: "plain",
        ...oauth
      }
    })
    const said = (promise) => promise.catch((error) => error.name + ": " + error.message)

    export const title = (fetch) =>
      said(
        createCatalog({ fetch, baseUrl: new URL("https://catalog.example/v2"), accessToken: "token-caf\u00e9-canary" })
          .anime.get({ id: 1 })
          .then(({ title }) => title)
      )
    export const body = (fetch) =>
      createCatalog({ fetch, baseUrl: "https://catalog.example", accessToken: "token-caf\u00e9-canary" })
        .anime.get({ id: 1 })
        .catch((error) => error.body)
    export const signedIn = async (fetch, oauth) => {
      const session = createSession({ fetch, clientId: "one", redirectUri: "app://one/back", profile: profileOf(oauth) })
      return said((async () => {
        const pending = await session.authorizationRequest()
        const { searchParams } = new URL(pending.redirectTo)
        const back = "app://one/back?code=a-code&iss=https%3A%2F%2Fcatalog.example&state=" + searchParams.get("state")
        return typeof (await session.exchange(PendingAuthorization.decode(PendingAuthorization.encode(pending)), back))
      })())
    }`

  type Send = (url: unknown) => Promise<Response>
  interface Program {
    readonly title: (fetch: Send) => Promise<string>
    readonly body: (fetch: Send) => Promise<unknown>
    readonly signedIn: (fetch: Send, oauth?: object) => Promise<string>
  }

  const send: Send = async (url) =>
    Response.json(
      String(url).endsWith("/token") ? { access_token: "an-access-token", expires_in: 60 } : { id: 1, title: "One" }
    )

  let bundled: ReturnType<typeof built> | undefined

  /** The program on a platform with other globals, where some disappear after it was loaded. */
  const programOn = async (less: Partial<Record<keyof typeof globals, unknown>>, gone: ReadonlyArray<string> = []) => {
    const { code } = await (bundled ??= built(contents, { format: "iife", globalName: "bundle", target: "es2022" }))
    const page = createContext({ ...globals, ...less })
    runInContext(code, page)
    gone.forEach((name) => runInContext(`delete globalThis.${name}`, page))
    return runInContext("bundle", page) as Program
  }

  class WithoutCanParse extends URL {
    static override canParse = () => false
  }

  test.each([
    ["URL.canParse refuses all URLs", { URL: WithoutCanParse }],
    ["URL has no canParse", { URL: Object.assign(class extends URL {}, { canParse: undefined }) }],
    ["nothing is missing", {}]
  ])("%s: a call and a sign-in work", async (_, less) => {
    const program = await programOn(less)
    expect(await program.title(send)).toBe("One")
    expect(await program.signedIn(send)).toBe("object")
  })

  /** As React Native had it before 0.80: it appends a slash to a query, and most members throw. */
  class OldUrl {
    readonly #text: string

    constructor(text: string) {
      this.#text = text.endsWith("/") ? text : `${text}/`
    }
    get search(): string {
      throw new Error("URL.search is not implemented")
    }
    get href(): string {
      return this.#text
    }
    toString(): string {
      return this.#text
    }
  }

  test("a URL that does not follow the standard: a catalog and a session say what is missing", async () => {
    const program = await programOn({ URL: OldUrl })
    const message = /URL does not follow the standard here: first load react-native-url-polyfill$/
    expect(() => program.title(send)).toThrow(message)
    await expect(program.signedIn(send)).rejects.toThrow(message)
  })

  test.each([
    ["no crypto", { crypto: undefined }],
    ["a crypto that makes no random values", { crypto: {} }]
  ])("%s: a call works, and a sign-in says what is missing", async (_, less) => {
    const program = await programOn(less)
    expect(await program.title(send)).toBe("One")
    expect(await program.signedIn(send)).toBe(
      "TypeError: OAuth.authorizationRequest needs crypto.getRandomValues, which is missing: load a polyfill first, for example react-native-get-random-values"
    )
  })

  test("no crypto.subtle, or no TextEncoder: a sign-in with S256 says what is missing", async () => {
    const S256 = { codeChallengeMethod: "S256" }
    const withoutSubtle = { getRandomValues: (bytes: Uint8Array) => bytes }
    expect(await (await programOn({ crypto: withoutSubtle })).signedIn(send, S256)).toMatch(/needs crypto\.subtle, /)
    expect(await (await programOn({}, ["TextEncoder"])).signedIn(send, S256)).toBe("object")
    expect(await (await programOn({})).signedIn(send, S256)).toBe("object")
  })

  test("no TextEncoder: errors are made as elsewhere, without secrets", async () => {
    const failing = async () => new Response("é😀 token-café-canary ".repeat(1_000), { status: 503 })
    const shown = await (await programOn({})).body(failing)
    expect(shown).toMatch(/^é😀 <redacted> é/u)
    expect(await (await programOn({}, ["TextEncoder"])).body(failing)).toBe(shown)
  })
})

describe("no code is made from text", () => {
  /** Where a code takes `eval`, or calls `Function`. */
  const evaluations = (code: string): Array<string> => {
    const found: Array<string> = []
    const visit = (node: ts.Node): void => {
      const { parent } = node
      if (ts.isIdentifier(node) && !("name" in parent && parent.name === node)) {
        const isCalled = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node
        if (node.text === "eval" || (node.text === "Function" && isCalled)) {
          found.push(parent.getText())
        }
      }
      node.forEachChild(visit)
    }
    ts.createSourceFile("code.js", code, ts.ScriptTarget.ES2022, true).forEachChild(visit)
    return found
  }

  test.each(effectFolders)("in the published files of %s", (name) => {
    const dist = join(root, "packages", name, "dist")
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"))
    expect(files).toContain("index.js")
    for (const file of files) {
      expect(evaluations(readFileSync(join(dist, file), "utf8")), file).toEqual([])
    }
  })

  test.each([
    `import * as client from "catalog-client"
      import * as oauth from "catalog-client/oauth"
      globalThis.used = { client, oauth }`,
    `import { Catalog } from "@catalog-client/core"
      import { layer, layerClient } from "@catalog-client/browser"
      import { Effect } from "effect"
      globalThis.used = { Catalog, Effect, layer, layerClient }`
  ])("in the bundle of a page: %s", async (contents) => {
    const { code } = await built(contents)
    expect(code).toContain("/my_list_status")
    expect(evaluations(code)).toEqual([])
  })

  test("and the search finds it where it is", () => {
    for (const code of ["eval(text)", "(0,eval)(text)", "new Function(text)", "Function(text)"]) {
      expect(evaluations(code)).toHaveLength(1)
    }
  })
})
