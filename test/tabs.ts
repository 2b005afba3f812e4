/**
 * Tabs of a browser at an application with an origin of its own, whose users sign in to an embedded service.
 */
import { build } from "esbuild"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright"
import type { BrowserCommand } from "vitest/node"
import { root } from "./readme.js"

/** The application. `setup` is what is known of the service. */
const plain = `
  import { createCatalog, ServiceProfile } from "catalog-client"
  import { createSession, localTokenStore } from "catalog-client/oauth"

  const profile = {
    ...ServiceProfile.default,
    baseUrl: setup.baseUrl,
    oauth: { ...ServiceProfile.default.oauth, authorizeUrl: setup.authorizeUrl, tokenUrl: setup.tokenUrl }
  }
  const open = (store) => {
    const session = createSession({ clientId: setup.clientId, redirectUri: location.origin + "/callback", profile, store })
    return { session, catalog: createCatalog({ session, profile }) }
  }
  const said = (promise) => promise.then(
    (value) => (value === undefined ? "nothing" : "done"),
    (error) => error._tag + " " + (error.reason ?? error.status)
  )
  const nameOf = ({ catalog }) => catalog.user.me().then(({ name }) => name, (error) => error._tag + " " + error.reason)`

const promises = `${plain}
  const own = open(localTokenStore())
  const resumed = said(own.session.resume())
  globalThis.app = {
    resumed: () => resumed,
    login: () => void own.session.login(),
    signOut: () => own.session.signOut(),
    name: () => nameOf(own),
    list: () => own.catalog.user.animeList({ username: "@me" }).then(({ data }) => data.length)
  }`

/** In development, StrictMode mounts each component twice. One has its session from outside, the other makes its own. */
const react = `${plain}
  import { createElement, StrictMode, useEffect, useState } from "react"
  import { createRoot } from "react-dom/client"

  const shared = open()
  const starts = []
  const Shared = () => {
    const [name, setName] = useState("")
    useEffect(() => {
      starts.push(said(shared.session.resume()))
      void shared.session.resume().then(() => nameOf(shared)).then(setName)
    }, [])
    return createElement("p", null, "shared: ", name)
  }
  const Own = () => {
    const [name, setName] = useState("")
    useEffect(() => {
      const own = open()
      let isMounted = true
      void own.session.resume().then(() => nameOf(own)).then((name) => isMounted && setName(name), () => {})
      return () => {
        isMounted = false
        void own.session.close()
      }
    }, [])
    return createElement("p", null, "own: ", name)
  }
  createRoot(document.getElementById("root")).render(
    createElement(StrictMode, null, createElement(Shared), createElement(Own))
  )
  globalThis.app = {
    login: () => void shared.session.login(),
    resumed: async () => (await Promise.all(starts)).join()
  }`

const scripts = { promises, react }

/** What a test sets up. */
export interface WorldOptions {
  readonly script?: keyof typeof scripts
  /** Whether the tabs have Web Locks. */
  readonly hasLocks?: boolean
}

/** What has happened at the service. */
export interface Stats {
  /** Codes and refresh tokens that were sent to be redeemed, and how many of them gave tokens. */
  readonly exchanges: number
  readonly refreshes: number
  readonly grants: number
  /** Every code, verifier, state and token so far. */
  readonly secrets: ReadonlyArray<string>
  /** What the tabs have logged. */
  readonly lines: ReadonlyArray<string>
}

interface World {
  readonly context: BrowserContext
  readonly tabs: Array<Page>
  readonly origin: string
  readonly stats: () => Stats
  readonly advance: (millis: number) => void
  readonly close: () => Promise<void>
}

const worlds: Array<World> = []

const worldOf = (world: number): World => {
  const found = worlds[world]
  if (found === undefined) {
    throw new Error(`there is no world ${world}`)
  }
  return found
}

const tabOf = (world: number, tab: number): Page => {
  const found = worldOf(world).tabs[tab]
  if (found === undefined) {
    throw new Error(`there is no tab ${tab}`)
  }
  return found
}

const bundles: Partial<Record<keyof typeof scripts, Promise<string>>> = {}

const bundle = async (script: keyof typeof scripts): Promise<string> => {
  const { outputFiles } = await build({
    // Where there is React.
    stdin: { contents: scripts[script], resolveDir: join(root, "examples") },
    bundle: true,
    write: false,
    format: "iife",
    define: { "process.env.NODE_ENV": '"development"' }
  })
  return outputFiles.map(({ text }) => text).join("")
}

const serveApplication = async (name: keyof typeof scripts, setup: object) => {
  const script = await (bundles[name] ??= bundle(name))
  const server = createServer((request, response) => {
    if (request.url === "/app.js") {
      response
        .setHeader("content-type", "text/javascript; charset=utf-8")
        .end(`const setup = ${JSON.stringify(setup)};\n${script}`)
    } else {
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .setHeader("content-security-policy", "script-src 'self'")
        .end('<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script src="/app.js"></script>')
    }
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Starts the application, its service, and a browser of its own; returns its number and origin. */
const openWorld: BrowserCommand<[options: WorldOptions]> = async (
  { context },
  { hasLocks = true, script = "promises" }
) => {
  const clientId = "TabCanary-0123456789"
  const setup = { clientId }
  const application = await serveApplication(script, setup)
  const stats = { exchanges: 0, refreshes: 0, grants: 0 }
  const secrets = new Set<string>()
  const lines: Array<string> = []
  let later = 0
  // Loaded here, because tools read vitest.config.ts before the build.
  const { serve } = await import("catalog-client/testing")
  const service = await serve({
    cors: true,
    latency: 20,
    now: () => Date.now() + later,
    oauth: {
      clients: { [clientId]: { redirectUris: [`${application.origin}/callback`] } },
      consent: "page",
      accessTokenLifetime: "1 hour"
    },
    quirks: {
      // So that a token that is redeemed twice is noticed.
      strictRotation: true,
      tokenReply: (reply) => {
        stats.grants++
        secrets.add(reply.access_token).add(reply.refresh_token)
        return reply
      }
    },
    onRequest: ({ body, operation, query }) => {
      const form = new URLSearchParams(body)
      for (const name of ["state", "code", "code_challenge", "code_verifier"]) {
        for (const value of [...query.getAll(name), ...form.getAll(name)]) {
          secrets.add(value)
        }
      }
      if (operation === "oauth.token") {
        stats[form.has("code") ? "exchanges" : "refreshes"]++
      }
    }
  })
  const { authorizeUrl, tokenUrl, url: baseUrl } = service
  Object.assign(setup, { authorizeUrl, baseUrl, tokenUrl })
  const own = await context.browser()?.newContext()
  if (own === undefined) {
    throw new Error("there is no browser")
  }
  if (!hasLocks) {
    await own.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })")
  }
  await own.clock.install()
  own.on("console", (message) => lines.push(message.text()))
  own.on("weberror", (error) => lines.push(String(error.error())))
  const world: World = {
    context: own,
    tabs: [],
    origin: application.origin,
    stats: () => ({ ...stats, secrets: [...secrets], lines }),
    advance: (millis) => {
      later += millis
    },
    close: async () => {
      await own.close()
      application.close()
      await service.close()
    }
  }
  return [worlds.push(world) - 1, world.origin] as const
}

const closeWorld: BrowserCommand<[world: number]> = (_, world) => worldOf(world).close()

/** Opens a tab at the application; returns its number. */
const openTab: BrowserCommand<[world: number]> = async (_, world) => {
  const { context, origin, tabs } = worldOf(world)
  const page = await context.newPage()
  await page.goto(origin)
  return tabs.push(page) - 1
}

/** The value of an expression in a tab. */
const inTab: BrowserCommand<[world: number, tab: number, expression: string]> = (_, world, tab, expression) =>
  tabOf(world, tab).evaluate<unknown>(expression)

/** Presses a button of the service's page, and waits until the tab is back at the application. */
const answerInTab: BrowserCommand<[world: number, tab: number, button: string]> = async (_, world, tab, button) => {
  const page = tabOf(world, tab)
  await page.getByRole("button", { name: button }).click()
  await page.waitForURL(`${worldOf(world).origin}/**`)
  await page.waitForFunction("globalThis.app !== undefined")
}

/** Goes back in a tab's history, or loads it again. */
const moveTab: BrowserCommand<[world: number, tab: number, how: "back" | "reload"]> = async (_, world, tab, how) => {
  const page = tabOf(world, tab)
  await (how === "back" ? page.goBack() : page.reload())
}

/** Lets the service's clock go forward. */
const advance: BrowserCommand<[world: number, millis: number]> = (_, world, millis) => worldOf(world).advance(millis)

/** Lets the tabs' clocks go forward: their time, and the timers that are due by then. */
const pass: BrowserCommand<[world: number, millis: number]> = (_, world, millis) =>
  worldOf(world).context.clock.fastForward(millis)

const statsOf: BrowserCommand<[world: number]> = (_, world) => worldOf(world).stats()

export const tabCommands = { advance, answerInTab, closeWorld, inTab, moveTab, openTab, openWorld, pass, statsOf }
