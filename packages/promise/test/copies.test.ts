/**
 * One run time for all subpaths, and none shared with another copy of the package.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as root from "catalog-client"
import * as oauth from "catalog-client/oauth"
import * as testing from "catalog-client/testing"
import { afterAll, expect, test } from "vitest"
import { rejection } from "../../core/test/support/eventually.js"

interface Package {
  readonly root: typeof root
  readonly oauth: typeof oauth
  readonly testing: typeof testing
}

const folder = mkdtempSync(join(tmpdir(), "catalog-client-"))
afterAll(() => rmSync(folder, { recursive: true }))

const dist = join(import.meta.dirname, "../dist")

/** Another copy, as a dependency of the program would bring it. */
const copyAs = async (name: string): Promise<Package> => {
  const copy = join(folder, name)
  cpSync(dist, join(copy, "dist"), { recursive: true })
  cpSync(join(dist, "../package.json"), join(copy, "package.json"))
  const from = (file: string) => import(/* @vite-ignore */ join(copy, "dist", file))
  return { root: await from("node.js"), oauth: await from("oauth/node.js"), testing: await from("testing/node.js") }
}

const load = createRequire(import.meta.url)

/** The files for tools that have no ES modules. */
const commonJs: Package = {
  root: load(join(dist, "node.cjs")),
  oauth: load(join(dist, "oauth/node.cjs")),
  testing: load(join(dist, "testing/node.cjs"))
}

const required: Package = {
  root: load("catalog-client"),
  oauth: load("catalog-client/oauth"),
  testing: load("catalog-client/testing")
}

const client = { clientId: "my-client-id", redirectUri: "https://app.example/callback" }

const signedOut = ({ oauth, testing }: Package) => {
  const fetch = testing.EmbeddedCatalog.fetch()
  return oauth.createSession({ ...client, clientId: "embedded-client", fetch })
}

test.each([
  ["import", { root, oauth, testing }],
  ["require", required],
  ["the files of CommonJS", commonJs]
])("an error of one subpath is an instance of the class of another: %s", async (_, all) => {
  const { createCatalog, ClientAuthError, ClientRestError, isNotFound, isSignInRequired } = all.root
  const { EmbeddedCatalog, TestError } = all.testing
  await using catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), ...EmbeddedCatalog.credentials() })
  const missing = await rejection(catalog.anime.get({ id: 999_999_999 }))
  expect(missing).toBeInstanceOf(ClientRestError)
  expect(isNotFound(missing)).toBe(true)
  const made = TestError.rest({ status: 404 })
  expect(made).toBeInstanceOf(ClientRestError)
  expect(isNotFound(made)).toBe(true)
  const session = signedOut(all)
  const refused = await rejection(session.refresh())
  expect(refused).toBeInstanceOf(ClientAuthError)
  expect(isSignInRequired(refused)).toBe(true)
  await session.close()
})

test("require loads the classes that import loads", () => {
  expect(required.root.ClientRestError).toBe(root.ClientRestError)
  expect(required.oauth.Tokens).toBe(oauth.Tokens)
})

test("a Redacted of another copy is a mistake, and not a missing token", async () => {
  const secret = (await copyAs("another")).root.Redacted.make("token")
  const fetch = async () => new Response("{}")
  const mistakes: Readonly<Record<string, () => unknown>> = {
    accessToken: () => root.createCatalog({ accessToken: secret }),
    "accessToken must be": () => root.createCatalog({ fetch, accessToken: () => secret }).user.me(),
    clientSecret: () => oauth.createSession({ ...client, clientSecret: secret }),
    headers: () => root.createCatalog({ headers: { "x-key": secret } })
  }
  for (const [message, make] of Object.entries(mistakes)) {
    const error = await rejection(Promise.resolve().then(make))
    expect(error).toMatchObject({ name: "TypeError", message: expect.stringContaining(message) })
  }
})

test("two copies in one program share no state, and the guards of one know the errors of the other", async () => {
  const other = await copyAs("other")
  expect(other.root.ClientRestError).not.toBe(root.ClientRestError)
  const called: Array<string> = []
  const fetchAs = (name: string) => async () => {
    called.push(name)
    return new Response(JSON.stringify({ id: 1, title: name }))
  }
  const cachedBy = ({ root }: Pick<Package, "root">, name: string) =>
    root.createCatalog({
      fetch: fetchAs(name),
      policies: [root.Resilience.cache({ capacity: 1, timeToLive: "1 minute" }), root.Resilience.dedupe()]
    })
  const [one, two] = [cachedBy({ root }, "one"), cachedBy(other, "two")]
  const read = async () =>
    (await Promise.all([one, two].map(({ anime }) => anime.get({ id: 1 })))).map(({ title }) => title)
  expect(await read()).toEqual(["one", "two"])
  expect(await read()).toEqual(["one", "two"])
  expect(called).toEqual(["one", "two"])
  await one.close()
  expect((await two.anime.get({ id: 1 })).title).toBe("two")
  await two.close()
  const error = other.testing.TestError.rest({ status: 404 })
  expect(error).not.toBeInstanceOf(root.ClientRestError)
  expect(root.isNotFound(error)).toBe(true)
  expect(root.isClientError(error)).toBe(true)
})

test.each(["oauth/page", "oauth/fetch", "testing/fetch"])(
  "%s exports what Node has: the types are those of every platform",
  async (file) => {
    const module: object = await import(/* @vite-ignore */ join(dist, `${file}.js`))
    expect(Object.keys(module)).toEqual(Object.keys(file.startsWith("oauth") ? oauth : testing))
  }
)

test("an export of another platform is a TypeError that says what to use here", async () => {
  const from = (file: string) => import(/* @vite-ignore */ join(dist, file))
  const [page, worker, workerTesting]: [typeof oauth, typeof oauth, typeof testing] = await Promise.all([
    from("oauth/page.js"),
    from("oauth/fetch.js"),
    from("testing/fetch.js")
  ])
  const instead = "use authorizationRequest and exchange of the session"
  const own = "pass functions that store a string: { get, set, remove }"
  const mistakes: ReadonlyArray<readonly [() => unknown, string]> = [
    [() => oauth.createSession(client).resume(), "session.resume needs a page: session.login signs the user in"],
    [() => oauth.localTokenStore(), "localTokenStore needs a page: use fileTokenStore"],
    [() => oauth.sessionTokenStore(), "sessionTokenStore needs a page: use fileTokenStore"],
    [() => page.fileTokenStore(), "fileTokenStore needs Node: use sessionTokenStore or localTokenStore"],
    [() => worker.createSession(client).login(), `session.login needs Node or a page: ${instead}`],
    [() => worker.createSession(client).resume(), `session.resume needs a page: ${instead}`],
    [() => worker.fileTokenStore(), `fileTokenStore needs Node: ${own}`],
    [() => worker.localTokenStore(), `localTokenStore needs a page: ${own}`],
    [() => worker.sessionTokenStore(), `sessionTokenStore needs a page: ${own}`],
    [() => workerTesting.serve(), "serve needs Node, Bun or Deno: pass EmbeddedCatalog.fetch() as the option fetch"],
    [
      () => workerTesting.recordingFile("a.json"),
      "recordingFile needs Node, Bun or Deno: pass a store with a name, read and write"
    ]
  ]
  for (const [run, message] of mistakes) {
    expect(await rejection(Promise.resolve().then(run))).toEqual(new TypeError(message))
  }
})
