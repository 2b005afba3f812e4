/**
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { createSession, createSessions, type LoginOptions } from "catalog-client/oauth"
import { createCatalog } from "catalog-client"
import { Catalog, CatalogConfig } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { fileTokenStore, Login, OAuthSession, TokenStore } from "@catalog-client/oauth/node"
import { Cause, Effect, Exit, Layer } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, onTestFinished, test, vi } from "vitest"
import { printings } from "../../../core/test/support/canary.js"
import { eventually, rejection } from "../../../core/test/support/eventually.js"
import { nodePrinters } from "../../../core/test/support/nodePrinters.js"
import { everyLogger, metrics, spansTo, withSpan } from "../../../core/test/support/telemetry.js"
import { freePort } from "../../../../test/freePort.mjs"
import { newFolder } from "../../../core/test/support/newFolder.js"
import { clientId, effectsOf, leadIn, serveSignIn } from "../support/signIn.js"

afterEach(() => void vi.restoreAllMocks())

const clientSecret = "SecretCanary-0123456789"

/** What was shown, and all secrets. */
class Watch {
  readonly secrets = new Set([clientSecret])
  readonly shown: Array<readonly [where: string, text: string]> = []

  see(where: string, text: string): void {
    this.shown.push([where, text])
  }

  show(where: string, value: unknown): void {
    printings(value, nodePrinters).forEach(([, text]) => this.see(where, text))
  }

  /** Goes through a sign-in as a browser does, and keeps the secrets that it sees. */
  async browse(fileUrl: string): Promise<void> {
    let url = leadIn(fileUrl)
    this.secrets.add(new URL(url).pathname)
    for (let hops = 0; hops < 5; hops++) {
      for (const name of ["state", "code_challenge", "code"]) {
        const value = new URL(url).searchParams.get(name)
        if (value !== null) {
          this.secrets.add(value)
        }
      }
      const response = await fetch(url, { redirect: "manual" })
      this.see("a page", await response.text())
      const next = response.headers.get("location")
      this.see("headers", JSON.stringify([...response.headers].filter(([name]) => name !== "location")))
      if (next === null) {
        return
      }
      url = next
    }
  }

  /** Where a part of a secret is shown that is long enough to be no coincidence. */
  get found(): ReadonlyArray<string> {
    const parts = [...this.secrets].flatMap((secret) => [secret.slice(0, 30), secret.slice(-30), secret.slice(20, 40)])
    return this.shown.flatMap(([where, text]) =>
      parts.some((part) => part.length > 9 && text.includes(part)) ? [where] : []
    )
  }
}

const serveWatched = async (options: Parameters<typeof serveSignIn>[1] = {}) => {
  const redirectUri = `http://localhost:${await freePort()}/callback`
  const clients = { [clientId]: { redirectUris: [redirectUri], secret: clientSecret } }
  return { ...(await serveSignIn(redirectUri, { ...options, oauth: { clients, ...options.oauth } })), redirectUri }
}

const ways = [
  ["a success", {}, () => ({})],
  ["a denial", { oauth: { consent: "deny" } }, () => ({})],
  [
    "a code that is refused",
    { faults: [{ on: "oauth.token", status: 400, body: { error: "invalid_grant" } }] },
    () => ({})
  ],
  ["a reply that is cut", { faults: [{ on: "oauth.token", drop: "in-body" }] }, () => ({})],
  ["a reply that is none", { faults: [{ on: "oauth.token", body: { token: clientSecret } }] }, () => ({})],
  ["a sign-in that is cancelled", {}, () => ({ openBrowser: () => undefined }), 100]
] as const satisfies ReadonlyArray<readonly [string, Parameters<typeof serveSignIn>[1], () => LoginOptions, number?]>

test.each(ways)("29: shows no secret of %s", async (_, options, more, limit: number = 60_000) => {
  const watch = new Watch()
  const { granted, profile, redirectUri } = await serveWatched(options)
  const store = join(newFolder(), "tokens.json")
  const live = OAuthSession.layer({ clientId, clientSecret, redirectUri }).pipe(
    Layer.provide(Layer.succeed(TokenStore, fileTokenStore(store))),
    Layer.provideMerge(Layer.merge(CatalogNode.layer, CatalogConfig.layer({ profile })))
  )
  const program = Effect.gen(function* () {
    const session = yield* OAuthSession
    watch.show("the session", session)
    watch.show("the request", yield* session.authorizationRequest)
    const functions = effectsOf({ openBrowser: (url) => watch.browse(url), onUrl: () => undefined, ...more() })
    watch.show("the tokens", yield* Effect.timeout(Login.loopback(functions), limit))
    watch.show("the user", yield* Catalog.user.me())
    watch.show("new tokens", yield* session.refresh)
  }).pipe(
    Effect.tapErrorCause((cause) => Effect.logError("it failed", cause)),
    withSpan("program"),
    Effect.provide(live),
    Effect.provide([
      everyLogger((where, text) => watch.see(where, text)),
      spansTo(({ attributes, errors, events, name }) => {
        watch.show("a span", [name, attributes, events])
        errors.forEach((error) => watch.show("an error of a span", error))
      }).layer
    ])
  )
  const exit = await Effect.runPromiseExit(program)
  watch.show("the exit", exit)
  if (Exit.isFailure(exit)) {
    watch.show("the error", Cause.squash(exit.cause))
  }
  watch.show("metrics", metrics())
  for (const secret of granted) {
    watch.secrets.add(secret)
  }
  expect(watch.shown.length).toBeGreaterThan(20)
  expect([...new Set(watch.found)]).toEqual([])
  // The search finds what is there.
  watch.see("a slip", `refused: ${[...watch.secrets].at(-1)}`)
  expect(watch.found).toEqual(["a slip"])
})

test("29: shows no secret of a session of promises that logs all it does", async () => {
  const watch = new Watch()
  for (const method of ["debug", "info", "warn", "error", "log"] as const) {
    vi.spyOn(console, method).mockImplementation((...values) =>
      watch.see(`console.${method}`, values.map(String).join(" "))
    )
  }
  vi.stubEnv("CATALOG_LOG", "debug")
  onTestFinished(() => void vi.unstubAllEnvs())
  const { granted, profile, redirectUri } = await serveWatched()
  const path = join(newFolder(), "tokens.json")
  const store = fileTokenStore(path)
  const client = { clientId, clientSecret, redirectUri }
  const session = createSession({ ...client, profile, store })
  const sessions = createSessions({ client, profile, store: () => store })
  const catalog = createCatalog({ session, profile })
  onTestFinished(async () => {
    await catalog.close()
    await session.close()
    await sessions.close()
  })
  watch.show("tokens", await session.login({ openBrowser: (url) => watch.browse(url) }))
  chmodSync(path, 0o644)
  await catalog.user.me()
  watch.show("new tokens", await session.refresh())
  writeFileSync(path, readFileSync(path, "utf8").slice(0, -40))
  watch.show(
    "an error",
    await rejection(session.login({ openBrowser: false, onUrl: () => undefined, signal: AbortSignal.timeout(50) }))
  )
  // Tokens that cannot be read sign the user out.
  watch.show("another error", await rejection(session.refresh()))
  const request = await session.authorizationRequest()
  watch.secrets.add(new URL(request.redirectTo).searchParams.get("state") ?? "")
  for (const [name, value] of Object.entries({ session, sessions, catalog, store, request, copied: { ...request } })) {
    watch.show(name, value)
  }
  for (const secret of granted) {
    watch.secrets.add(secret)
  }
  expect(watch.shown.filter(([where]) => where.startsWith("console.")).length).toBeGreaterThan(2)
  expect([...new Set(watch.found)]).toEqual([])
})

/** The arguments of all processes of this machine, as other users can read them. */
const commandLines = (): string => {
  if (!existsSync("/proc/self/cmdline")) {
    return ""
  }
  const read = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8")
    } catch {
      return ""
    }
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(read)
    .join("\n")
}

test(
  "29: the programs that open the browser get no secret as an argument, and print none",
  { timeout: 60_000 },
  async () => {
    const watch = new Watch()
    const { granted, profile, redirectUri } = await serveWatched()
    const folder = newFolder()
    const [browser, record] = [join(folder, "browser"), join(folder, "arguments")]
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf '%s\\n' "$@" > "${record}.part" && mv "${record}.part" "${record}" && sleep 5\n`,
      { mode: 0o755 }
    )
    const program = `
    import * as CatalogNode from "@catalog-client/node"
    import { Login, OAuthSession, TokenStore } from "@catalog-client/oauth/node"
    import { Effect } from "effect"
    const { CLIENT_SECRET: clientSecret } = process.env
    const signIn = (options, more = {}, limit = "1 minute") => Login.loopback(options).pipe(
      Effect.timeout(limit),
      Effect.provide(OAuthSession.layer({ ...${JSON.stringify({ clientId, redirectUri })}, ...more })),
      Effect.provide([
        CatalogNode.layer,
        TokenStore.layerMemory,
        CatalogNode.CatalogConfig.layer({ profile: ${JSON.stringify(profile)} })
      ]),
      Effect.runPromise
    )
    // On a slow machine it takes the browser for one that did not open, and would print the URL.
    console.log(await signIn({ onUrl: () => Effect.void }, { clientSecret }))
    await signIn({ openBrowser: false, onUrl: () => Effect.void }, {}, "50 millis").catch(console.error)`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: join(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "pipe"],
      // Of the desktop's own choice of a browser, nothing is to be found.
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        XDG_DATA_DIRS: folder,
        DISPLAY: ":99",
        BROWSER: browser,
        CLIENT_SECRET: clientSecret
      }
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => watch.see("the streams", String(chunk)))
    }
    const ended = once(child, "close")
    await eventually("the browser is opened", () => existsSync(record), 20_000)
    const opened = readFileSync(record, "utf8").trim()
    expect(opened).toMatch(/^file:\/\/\/\S+\/sign-in[.]html$/)
    watch.see("the browser's arguments", opened)
    watch.see("the arguments of all processes", commandLines())
    await watch.browse(opened)
    watch.see("the arguments of all processes", commandLines())
    expect(await ended).toEqual([0, null])
    for (const secret of granted) {
      watch.secrets.add(secret)
    }
    await eventually("the streams have ended", () => watch.shown.some(([, text]) => text.includes("<redacted>")))
    expect(watch.found).toEqual([])
    expect(granted).toHaveLength(2)
  }
)
