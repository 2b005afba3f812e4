/**
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { createSession } from "catalog-client/oauth"
import { fileTokenStore, type TokenStore, TokenStores } from "@catalog-client/oauth/node"
import * as RedisTokenStores from "@catalog-client/oauth/redis"
import { Context, Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import { build } from "esbuild"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { isFull } from "../../../core/test/support/full.js"
import { decoded } from "../../../core/test/support/oauth.js"
import { startRedis } from "../../../node/test/support/redis.js"
import { clientId, serveSignIn, signInTo } from "../support/signIn.js"
import { sqliteStores } from "../support/sqliteStores.mjs"
import { sleep } from "../../../core/test/support/eventually.js"
import { onlyEffect } from "../../../core/test/support/only.js"

/** In memory if possible, because the disk is not tested. */
const temp = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "catalog-client-processes-"))
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const newFolder = (): string => mkdtempSync(join(temp, "tokens-"))

/** One file, since to load the modules one by one takes a second of each process. */
const program = join(temp, "refreshing.mjs")
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL("../support/refreshing.mjs", import.meta.url))],
    outfile: program,
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

const start = async (options: object): Promise<ChildProcess> => {
  const child = fork(program, [JSON.stringify(options)])
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
  /** Signs a user in and stores the tokens, as another process did before. */
  const signIn = async (store: TokenStore.Service) => {
    const session = createSession({ clientId, profile: served.profile, store })
    await signInTo(session)
    await session.close()
  }
  /** The refresh tokens that were sent. */
  const sent = () => served.tokenRequests.flatMap((form) => form.get("refresh_token") ?? [])
  return { ...served, sent, signIn }
}

test(
  "23: a process that is killed around the exchange leaves a whole file, and the next process continues",
  { timeout: 300_000 },
  async () => {
    const count = isFull ? 35 : 5
    const { granted, profile, sent, signIn } = await serving()
    const first = join(newFolder(), "tokens.json")
    await signIn(fileTokenStore(first))
    const { moments } = await ask(await start({ path: first, profile }), { refresh: true })
    expect(moments).toBeGreaterThan(30)
    const points = Array.from({ length: count }, (_, nth) => 1 + Math.round((nth * (moments - 1)) / (count - 1)))

    let refreshed = 0
    for (const killAt of points) {
      const folder = newFolder()
      const path = join(folder, "tokens.json")
      await signIn(fileTokenStore(path))
      const child = await start({ path, profile, killAt })
      const ended = once(child, "exit")
      child.send({ refresh: true })
      expect(await ended, `at ${killAt}`).toEqual([null, "SIGKILL"])
      expect((statSync(path).mode & 0o777).toString(8), `at ${killAt}`).toBe("600")
      const stored = decoded(readFileSync(path, "utf8"))
      const refreshToken = stored?.refreshToken && Redacted.value(stored.refreshToken)
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
      refreshed += isSpent ? 0 : 1
    }
    expect(refreshed).toBeGreaterThan(count / 3)
  }
)

const sqlitePath = pathToFileURL(
  createRequire(new URL("../../../node/package.json", import.meta.url)).resolve("node-sqlite3-wasm")
).href

/** A store that processes share: their options, and the same store in this process. */
const openFile = async () => {
  const path = join(newFolder(), "tokens.json")
  return { options: { path }, store: fileTokenStore(path) }
}
const openSqlite = async () => {
  const path = join(newFolder(), "tokens.db")
  return { options: { path, sqlitePath }, store: (await sqliteStores(path, sqlitePath))("me") }
}
const openRedis = async () => {
  const redis = await startRedis()
  const scope = await Effect.runPromise(Scope.make())
  const built = Layer.build(RedisTokenStores.layer({ port: redis.port }))
  const { storeOf } = Context.get(await Effect.runPromise(Scope.extend(built, scope)), TokenStores)
  onTestFinished(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await redis.stop()
  })
  return { options: { redisPort: redis.port }, store: storeOf("me") }
}
/** Of @catalog-client/node, whose stores are made of the Effects of another copy; packages/promise/test/redis.test.ts has its own. */
const databases = onlyEffect([
  ["SQLite", openSqlite],
  ["Redis", openRedis]
] as const)

test.each([["one file", openFile] as const, ...databases])(
  "22: two processes over %s refresh in turn, for many rounds",
  { timeout: 240_000 },
  async (_, open) => {
    const { granted, profile, sent, signIn } = await serving()
    const { options, store } = await open()
    await signIn(store)
    const children = await Promise.all([0, 1].map(() => start({ ...options, profile })))
    const rounds = isFull ? 200 : 10
    for (let round = 1; round <= rounds; round++) {
      const answers = await Promise.all(children.map((child) => ask(child, { refresh: true, call: round % 5 === 0 })))
      expect(answers.map(({ error }) => error)).toEqual([undefined, undefined])
    }
    // One grant for each refresh token, and none is sent twice.
    const refreshes = granted.length / 2 - 1
    expect(refreshes).toBeGreaterThanOrEqual(rounds)
    expect([new Set(sent()).size, sent().length]).toEqual([refreshes, refreshes])
  }
)

test.each(databases)(
  "22: of two processes over %s, one takes over the step of a killed process, but not that of a living one",
  { timeout: 60_000 },
  async (_, open) => {
    const { profile, sent, signIn } = await serving()
    const { options, store } = await open()
    await signIn(store)
    // Waits for the other process for 30 seconds.
    await using session = createSession({ clientId, profile, store, timeout: 20_000 })
    const child = await start({ ...options, profile, isStuck: true })
    const stuck = once(child, "message")
    child.send({ refresh: true })
    await stuck
    const began = performance.now()
    const refreshed = session.refresh().then(() => performance.now())
    // Longer than a lease, which a living process renews.
    await sleep(10_000)
    expect(sent()).toEqual([])
    child.kill("SIGKILL")
    const killed = performance.now()
    expect((await refreshed) - killed).toBeLessThan(12_000)
    expect(killed - began).toBeGreaterThan(9_000)
    expect(sent()).toHaveLength(1)
    expect(await Effect.runPromise(store.get)).toEqual(Option.some(await session.tokens()))
  }
)
