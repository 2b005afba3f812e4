/**
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { createSession, fileTokenStore, TokenStore, type TokenStoreService } from "@catalog-client/node/oauth"
import { tokenStores } from "@catalog-client/node/redis"
import { Effect, Option, Redacted } from "effect"
import { build } from "esbuild"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { isFull } from "../../core/test/support/full.js"
import { users, usersData } from "../../core/test/support/users.js"
import { startRedis } from "./support/redis.js"
import { clientId, serveSignIn } from "./support/signIn.js"
import { sqliteStores } from "./support/sqliteStores.mjs"

/** In memory where that is possible: it is not the disk that is tested. */
const temp = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "catalog-client-processes-"))
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const newFolder = (): string => mkdtempSync(join(temp, "tokens-"))

/** Each as one file, since to load the modules one by one takes a second of each process. */
const program = join(temp, "refreshing.mjs")
const server = join(temp, "serving.mjs")
beforeAll(() =>
  build({
    entryPoints: [
      fileURLToPath(new URL("./support/refreshing.mjs", import.meta.url)),
      fileURLToPath(new URL("./support/serving.mjs", import.meta.url))
    ],
    outdir: temp,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["open"],
    banner: { js: `import{createRequire}from"node:module";const require=createRequire(import.meta.url)` }
  })
)

interface Answer {
  readonly ok: boolean
  readonly moments: number
  readonly error?: string
}

const start = async (options: object, path = program): Promise<ChildProcess> => {
  const child = fork(path, [JSON.stringify(options)])
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child, "message")
  return child
}

const ask = async (child: ChildProcess, message: object): Promise<Answer> => {
  const answered = once(child, "message")
  child.send(message)
  const [answer] = (await answered) as [Answer]
  return answer
}

const serving = async () => {
  const served = await serveSignIn()
  const path = join(newFolder(), "tokens.json")
  /** Signs a user in and stores the tokens, as another process did before. */
  const signIn = async (store: TokenStoreService = fileTokenStore(path)) => {
    const session = createSession({ clientId, profile: served.profile, store })
    const pending = await session.authorizationRequest()
    const response = await fetch(Redacted.value(pending.url), { redirect: "manual" })
    await session.exchange(pending, response.headers.get("location") ?? "")
    await session.close()
  }
  /** The refresh tokens that were sent. */
  const sent = () => served.tokenRequests.flatMap((form) => form.get("refresh_token") ?? [])
  return { ...served, path, sent, signIn }
}

describe("22: two processes on one file", () => {
  const rounds = isFull ? 200 : 10

  test("refresh in turn, for many rounds", { timeout: 240_000 }, async () => {
    const { granted, path, profile, sent, signIn } = await serving()
    await signIn()
    const children = await Promise.all([0, 1].map(() => start({ path, profile })))
    for (let round = 1; round <= rounds; round++) {
      const answers = await Promise.all(children.map((child) => ask(child, { refresh: true, call: round % 10 === 0 })))
      expect(answers.map(({ error }) => error)).toEqual([undefined, undefined])
    }
    for (const child of children) {
      child.disconnect()
    }
    const refreshes = granted.length / 2 - 1
    expect(refreshes).toBeGreaterThanOrEqual(rounds)
    // One grant for each refresh token, and none is sent twice.
    expect(refreshes).toBe(new Set(sent()).size)
    expect(sent()).toHaveLength(refreshes)
    expect(readdirSync(join(path, ".."))).toEqual(["tokens.json"])
  })
})

describe("23: a process is killed at points around the exchange", () => {
  const count = isFull ? 35 : 5

  test("the file is always whole, and the next process goes on", { timeout: 300_000 }, async () => {
    const { granted, path: first, profile, sent, signIn } = await serving()
    await signIn(fileTokenStore(first))
    const { moments } = await ask(await start({ path: first, profile }), { refresh: true })
    expect(moments).toBeGreaterThan(30)
    const points = Array.from({ length: count }, (_, nth) => 1 + Math.round((nth * (moments - 1)) / (count - 1)))

    const killed = async (killAt: number) => {
      const folder = newFolder()
      const path = join(folder, "tokens.json")
      await signIn(fileTokenStore(path))
      const child = await start({ path, profile, killAt })
      const ended = once(child, "exit")
      child.send({ refresh: true })
      expect(await ended, `at ${killAt}`).toEqual([null, "SIGKILL"])
      expect((statSync(path).mode & 0o777).toString(8), `at ${killAt}`).toBe("600")
      const stored = await Effect.runPromise(TokenStore.decode(readFileSync(path, "utf8")))
      const refreshToken = stored.refreshToken && Redacted.value(stored.refreshToken)
      expect(granted).toContain(refreshToken)
      // What was killed between the exchange and the store has spent the token that is stored: the user has to sign in again.
      const isSpent = sent().includes(refreshToken ?? "")
      const session = createSession({ clientId, profile, store: fileTokenStore(path) })
      const began = performance.now()
      const outcome = await session.refresh().then(
        () => "refreshed",
        (error: { readonly reason?: string }) => error.reason
      )
      expect(performance.now() - began, `at ${killAt}`).toBeLessThan(10_000)
      await session.close()
      expect(outcome, `at ${killAt}`).toBe(isSpent ? "SignedOut" : "refreshed")
      // Nothing is left: no lock, no draft.
      expect(readdirSync(folder), `at ${killAt}`).toEqual(["tokens.json"])
      return outcome
    }

    const outcomes: Array<string | undefined> = []
    const queue = [...points]
    const lane = async () => {
      for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
        outcomes.push(await killed(point))
      }
    }
    await Promise.all([lane(), lane()])
    expect(outcomes.filter((outcome) => outcome === "refreshed").length).toBeGreaterThan(count / 3)
  })
})

const sqlitePath = pathToFileURL(createRequire(import.meta.url).resolve("node-sqlite3-wasm")).href

/** A store that processes share: their options, and the same store in this process. */
const databases = [
  [
    "SQLite",
    async () => {
      const path = join(newFolder(), "tokens.db")
      return { options: { path, sqlitePath }, store: (await sqliteStores(path, sqlitePath))("me") }
    }
  ],
  [
    "Redis",
    async () => {
      const redis = await startRedis()
      const stores = tokenStores({ port: redis.port })
      onTestFinished(async () => {
        await stores.close()
        await redis.stop()
      })
      return { options: { redisPort: redis.port }, store: stores("me") }
    }
  ]
] as const

describe.each(databases)("22: two processes over %s", (_, open) => {
  const opened = async () => {
    const { granted, profile, sent, signIn } = await serving()
    const { options, store } = await open()
    await signIn(store)
    // Waits for the other process for 30 seconds.
    const session = createSession({ clientId, profile, store, timeout: 20_000 })
    return { granted, options: { ...options, profile }, sent, session, store }
  }

  test("refresh in turn, for many rounds", { timeout: 240_000 }, async () => {
    const { granted, options, sent, session } = await opened()
    const children = await Promise.all([0, 1].map(() => start(options)))
    const rounds = isFull ? 100 : 10
    for (let round = 1; round <= rounds; round++) {
      const answers = await Promise.all(children.map((child) => ask(child, { refresh: true, call: round % 5 === 0 })))
      expect(answers.map(({ error }) => error)).toEqual([undefined, undefined])
    }
    const refreshes = granted.length / 2 - 1
    expect(refreshes).toBeGreaterThanOrEqual(rounds)
    expect([new Set(sent()).size, sent().length]).toEqual([refreshes, refreshes])
    await session.close()
  })

  test("23: the step of a killed process is taken over, that of a living one is not", { timeout: 60_000 }, async () => {
    const { options, sent, session, store } = await opened()
    const child = await start({ ...options, isStuck: true })
    const stuck = once(child, "message")
    child.send({ refresh: true })
    await stuck
    const began = performance.now()
    const refreshed = session.refresh().then(() => performance.now())
    // Longer than a lease, which a living process renews.
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    expect(sent()).toEqual([])
    child.kill("SIGKILL")
    const killed = performance.now()
    expect((await refreshed) - killed).toBeLessThan(12_000)
    expect(killed - began).toBeGreaterThan(9_000)
    expect(sent()).toHaveLength(1)
    expect(await Effect.runPromise(store.get)).toEqual(Option.some(await session.tokens()))
    await session.close()
  })
})

describe("22: two processes of a server, over one database", () => {
  const redirectUri = "http://localhost:8080/callback"

  test("20 users, 400 overlapping requests", { timeout: 120_000 }, async () => {
    const { profile, tokenRequests } = await serveSignIn(redirectUri, {
      dataset: usersData,
      oauth: { consent: ({ query }) => query.get("user") ?? "", accessTokenLifetime: "1 hour" }
    })
    const options = { path: join(newFolder(), "sessions.db"), profile, redirectUri, sqlitePath }
    const children = await Promise.all([0, 1].map(() => start(options, server)))
    let id = 0
    const ask = (nth: number, use: string, user?: string, url?: string): Promise<unknown> => {
      const child = children[nth % 2]
      const own = id++
      return new Promise((resolve, reject) => {
        const listen = (answer: { readonly id?: number; readonly value?: unknown; readonly error?: string }) => {
          if (answer.id === own) {
            child?.off("message", listen)
            if (answer.error === undefined) {
              resolve(answer.value)
            } else {
              reject(new Error(answer.error))
            }
          }
        }
        child?.on("message", listen)
        child?.send({ id: own, use, user, url })
      })
    }
    for (const child of children) {
      child.setMaxListeners(0)
    }
    // Begun by one process, finished by the other.
    const signIns = users.map(async (user, nth) => {
      const response = await fetch(`${String(await ask(nth, "begin", user))}&user=${user}`, { redirect: "manual" })
      return ask(nth + 1, "finish", user, response.headers.get("location") ?? "")
    })
    expect(new Set(await Promise.all(signIns))).toEqual(new Set([true]))
    // All access tokens have ended, as far as the processes know.
    await Promise.all([ask(0, "pass"), ask(1, "pass")])
    const calls = Array.from({ length: 400 }, async (_, nth) => {
      const user = users[nth % 20] ?? ""
      return [user, await ask(nth % 40 < 20 ? 0 : 1, "name", user)]
    })
    const answers = await Promise.all(calls)
    expect(answers.filter(([user, name]) => user !== name)).toEqual([])
    await Promise.all([ask(0, "close"), ask(1, "close")])
    for (const child of children) {
      child.disconnect()
    }
    const spent = tokenRequests.flatMap((form) => form.get("refresh_token") ?? [])
    expect(spent).toHaveLength(20)
    expect(new Set(spent).size).toBe(20)
  })
})
