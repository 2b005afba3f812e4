/**
 * The number of a title is the row of docs/sign-in-faults.md that it proves.
 */
import { createSession, fileTokenStore, TokenStore } from "@catalog-client/node/oauth"
import { Effect, Redacted } from "effect"
import { build } from "esbuild"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { isFull } from "../../core/test/support/full.js"
import { clientId, serveSignIn } from "./support/signIn.js"

/** In memory where that is possible: it is not the disk that is tested. */
const temp = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "catalog-client-processes-"))
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const newFolder = (): string => mkdtempSync(join(temp, "tokens-"))

/** As one file, since to load the modules one by one takes a second of each process. */
const program = join(temp, "refreshing.mjs")
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL("./support/refreshing.mjs", import.meta.url))],
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
  const path = join(newFolder(), "tokens.json")
  /** Signs a user in and stores the tokens, as another process did before. */
  const signIn = async (at = path) => {
    const session = createSession({ clientId, profile: served.profile, store: fileTokenStore(at) })
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

  test.each([
    ["with the lock", true],
    ["without the lock", false]
  ])("%s, for many rounds", { timeout: 240_000 }, async (_, isLocked) => {
    const { granted, path, profile, sent, signIn } = await serving()
    await signIn()
    const children = await Promise.all([0, 1].map(() => start({ isLocked, path, profile })))
    for (let round = 1; round <= rounds; round++) {
      const answers = await Promise.all(children.map((child) => ask(child, { refresh: true, call: round % 10 === 0 })))
      expect(answers.map(({ error }) => error)).toEqual([undefined, undefined])
    }
    for (const child of children) {
      child.disconnect()
    }
    const refreshes = granted.length / 2 - 1
    expect(refreshes).toBeGreaterThanOrEqual(rounds)
    // One grant for each refresh token; with the lock, none is even sent twice.
    expect(refreshes).toBe(new Set(sent()).size)
    if (isLocked) {
      expect(sent()).toHaveLength(refreshes)
    }
    expect(readdirSync(join(path, ".."))).toEqual(["tokens.json"])
  })
})

describe("23: a process is killed at points around the exchange", () => {
  const count = isFull ? 50 : 5

  test("the file is always whole, and the next process goes on", { timeout: 300_000 }, async () => {
    const { granted, path: first, profile, sent, signIn } = await serving()
    await signIn(first)
    const { moments } = await ask(await start({ isLocked: true, path: first, profile }), { refresh: true })
    expect(moments).toBeGreaterThan(49)
    const points = Array.from({ length: count }, (_, nth) => 1 + Math.round((nth * (moments - 1)) / (count - 1)))

    const killed = async (killAt: number) => {
      const folder = newFolder()
      const path = join(folder, "tokens.json")
      await signIn(path)
      const child = await start({ isLocked: true, path, profile, killAt })
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
