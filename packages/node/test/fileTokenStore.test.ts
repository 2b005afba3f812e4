import { createCatalog } from "@catalog-client/node"
import { createSession, fileTokenStore, layerFile, Tokens, TokenStore } from "@catalog-client/node/oauth"
import { Effect, Option, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { join as joined, runFork } from "../../core/test/support/fibers.js"
import { eventually } from "../../core/test/support/eventually.js"
import { gate } from "../../core/test/support/faces.js"
import { recordingLogger } from "../../core/test/support/telemetry.js"
import { clientId, newFolder, serveSignIn } from "./support/signIn.js"

afterEach(() => void vi.unstubAllEnvs())

const tokensOf = (n: number, of = clientId) =>
  new Tokens({
    accessToken: Redacted.make(`AccessCanary-${n}`),
    refreshToken: Redacted.make(`RefreshCanary-${n}`),
    clientId: of,
    obtainedAt: Date.now(),
    expiresAt: Date.now() + 3_600_000
  })

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** What an Effect gives, and the warnings that it logs. */
const told = async <A>(effect: Effect.Effect<A, unknown>) => {
  const { layer, texts } = recordingLogger()
  const value = await Effect.runPromise(Effect.provide(effect, layer))
  return { value, warnings: texts }
}

const run = async <A>(effect: Effect.Effect<A, unknown>): Promise<A> => (await told(effect)).value

const accessIn = async (path: string) =>
  Option.getOrUndefined(Option.map(await run(fileTokenStore(path).get), (tokens) => Redacted.value(tokens.accessToken)))

describe("the file", () => {
  test("is read as it was written, is removed, and can be removed again", async () => {
    const path = join(newFolder(), "a/b/tokens.json")
    const store = fileTokenStore(path)
    expect(await run(store.get)).toEqual(Option.none())
    await run(store.set(tokensOf(1)))
    await run(store.set(tokensOf(2)))
    expect(await accessIn(path)).toBe("AccessCanary-2")
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ version: 1, tokens: { clientId } })
    await run(store.remove)
    await run(store.remove)
    expect(await run(store.get)).toEqual(Option.none())
    expect(readdirSync(join(path, ".."))).toEqual([])
  })

  test("can be read by its user alone, and so can the folders that are made for it", async () => {
    const folder = newFolder()
    const path = join(folder, "a/b/tokens.json")
    await run(fileTokenStore(path).set(tokensOf(1)))
    expect([modeOf(path), modeOf(join(folder, "a/b")), modeOf(join(folder, "a"))]).toEqual(["600", "700", "700"])
  })

  test("is in the user's configuration directory unless a path is given", async () => {
    const folder = newFolder()
    vi.stubEnv("XDG_CONFIG_HOME", folder)
    await run(fileTokenStore().set(tokensOf(1)))
    expect(readdirSync(join(folder, "catalog-client"))).toEqual(["tokens.json"])
    vi.stubEnv("XDG_CONFIG_HOME", "relative")
    vi.stubEnv("HOME", folder)
    expect(homedir()).toBe(folder)
    await run(fileTokenStore().set(tokensOf(1)))
    expect(readdirSync(join(folder, ".config/catalog-client"))).toEqual(["tokens.json"])
  })

  test("is a Layer, too", async () => {
    const path = join(newFolder(), "tokens.json")
    await run(
      Effect.provide(
        Effect.flatMap(TokenStore, (store) => store.set(tokensOf(3))),
        layerFile(path)
      )
    )
    expect(await accessIn(path)).toBe("AccessCanary-3")
  })

  test.each(["", 1, null])("has a path: %j is none", (path) => {
    expect(() => fileTokenStore(path as string)).toThrow(/^fileTokenStore: path must be the path of a file/)
  })

  test("a wider mode is repaired, with one warning", async () => {
    const folder = newFolder()
    vi.stubEnv("XDG_CONFIG_HOME", folder)
    const [own, path] = [join(folder, "catalog-client"), join(folder, "catalog-client/tokens.json")]
    const store = fileTokenStore()
    await run(store.set(tokensOf(1)))
    chmodSync(path, 0o644)
    chmodSync(own, 0o755)
    const { warnings } = await told(Effect.zipRight(store.get, store.get))
    expect([modeOf(path), modeOf(own)]).toEqual(["600", "700"])
    chmodSync(path, 0o640)
    warnings.push(...(await told(store.get)).warnings)
    expect(modeOf(path)).toBe("600")
    expect(warnings).toEqual([expect.stringContaining(`${own} was 755 rather than 700`)])
    expect((await told(fileTokenStore().get)).warnings).toEqual([])
  })

  test("the mode of a folder that was there is not the store's to change", async () => {
    const folder = newFolder()
    chmodSync(folder, 0o755)
    const store = fileTokenStore(join(folder, "tokens.json"))
    const { warnings } = await told(Effect.zipRight(store.set(tokensOf(1)), store.get))
    expect([modeOf(folder), warnings]).toEqual(["755", []])
  })

  test("a symbolic link is not followed", async () => {
    const folder = newFolder()
    const [path, target] = [join(folder, "tokens.json"), join(folder, "target.json")]
    await run(fileTokenStore(target).set(tokensOf(1)))
    symlinkSync(target, path)
    const store = fileTokenStore(path)
    await expect(run(store.get)).rejects.toThrow(/ELOOP/)
    await run(store.set(tokensOf(2)))
    expect(lstatSync(path).isSymbolicLink()).toBe(false)
    expect([await accessIn(path), await accessIn(target)]).toEqual(["AccessCanary-2", "AccessCanary-1"])
  })

  test("a named pipe is not waited for", { timeout: 10_000 }, async () => {
    const path = join(newFolder(), "tokens.json")
    const [code] = (await once(spawn("/usr/bin/mkfifo", [path]), "exit")) as [number]
    expect(code).toBe(0)
    await expect(run(fileTokenStore(path).get)).rejects.toThrow("what is stored cannot be read as tokens")
  })
})

describe("a session over the file", () => {
  const open = async (path: string) => {
    const warnings: Array<string> = []
    const spy = vi.spyOn(console, "warn").mockImplementation((text: unknown) => void warnings.push(String(text)))
    onTestFinished(() => spy.mockRestore())
    const { granted, profile, service, tokenRequests } = await serveSignIn()
    const session = createSession({ clientId, profile, store: fileTokenStore(path) })
    const catalog = createCatalog({ session })
    onTestFinished(async () => {
      await catalog.close()
      await session.close()
    })
    const { accessToken } = service
    /** Tokens of the service, as of a sign-in. */
    const signIn = async () => {
      const pending = await session.authorizationRequest()
      const response = await fetch(Redacted.value(pending.url), { redirect: "manual" })
      await session.exchange(pending, response.headers.get("location") ?? "")
    }
    return { accessToken, catalog, granted, profile, session, signIn, tokenRequests, warnings }
  }

  test.each([
    ["corrupt", `{"tokens": "RefreshCanary-1`],
    ["empty", ""],
    ["of a foreign version", JSON.stringify({ version: 99, tokens: { accessToken: "AccessCanary-1" } })],
    ["of another client", TokenStore.encode(tokensOf(1, "another"))],
    ["huge", "RefreshCanary-1".repeat(100_000)]
  ])("20: the file is %s", async (_, text) => {
    const path = join(newFolder(), "tokens.json")
    writeFileSync(path, text, { mode: 0o600 })
    const { catalog, signIn, warnings } = await open(path)
    await expect(catalog.user.me()).rejects.toMatchObject({ reason: "SignedOut" })
    await expect(catalog.user.me()).rejects.toMatchObject({ reason: "SignedOut" })
    expect((await catalog.anime.get({ id: 30230 })).id).toBe(30230)
    expect(warnings).toHaveLength(1)
    expect(warnings.join()).not.toMatch(/Canary/)
    expect(readFileSync(path, "utf8")).toBe(text)
    await signIn()
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(readFileSync(`${path}.aside`, "utf8")).toBe(text)
    expect(modeOf(`${path}.aside`)).toBe("600")
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ tokens: { clientId } })
  })

  test("20: a folder is in the place of the file", async () => {
    const path = join(newFolder(), "tokens.json")
    mkdirSync(path)
    const { catalog, signIn } = await open(path)
    await expect(catalog.user.me()).rejects.toMatchObject({ reason: "SignedOut" })
    await signIn()
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(statSync(`${path}.aside`).isDirectory()).toBe(true)
    expect(statSync(path).isFile()).toBe(true)
  })

  test("21: the file cannot be written after the exchange", async () => {
    const folder = join(newFolder(), "tokens")
    const path = join(folder, "tokens.json")
    const { catalog, session, signIn, tokenRequests, warnings } = await open(path)
    await signIn()
    const before = readFileSync(path, "utf8")
    // A superuser may write in any folder, so the failure is made by the file system itself: a name that is taken.
    const aside = `${folder}.aside`
    renameSync(folder, aside)
    writeFileSync(folder, "not a folder")
    await session.refresh()
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(warnings.filter((text) => /could not be stored \(E\w+\)/.test(text))).toHaveLength(1)
    expect(warnings.join()).not.toMatch(/def50200|access_token/)
    rmSync(folder)
    renameSync(aside, folder)
    expect(readFileSync(path, "utf8")).toBe(before)
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(readFileSync(path, "utf8")).not.toBe(before)
    expect(tokenRequests.map((form) => form.get("grant_type"))).toEqual(["authorization_code", "refresh_token"])
  })

  test("a refused session that has given up the lock leaves the tokens of its suspended holder alone", async () => {
    const path = join(newFolder(), "tokens.json")
    const { catalog, profile, signIn } = await open(path)
    await signIn()
    const resumed = gate()
    let isSuspended = false
    await using holder = createSession({
      clientId,
      profile,
      store: fileTokenStore(path),
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        isSuspended = true
        await resumed.promise
        return response
      }
    })
    const refreshed = holder.refresh()
    await eventually("the service has replied", () => isSuspended)
    await using refused = createSession({
      clientId,
      profile,
      store: { ...fileTokenStore(path), exclusively: (effect) => effect }
    })
    await expect(refused.refresh()).rejects.toMatchObject({ reason: "SignedOut" })
    await using next = createSession({ clientId, profile, store: fileTokenStore(path) })
    expect(await next.tokens()).toBeUndefined()
    resumed.open()
    const { accessToken } = await refreshed
    expect(await accessIn(path)).toBe(Redacted.value(accessToken))
    for (const other of [refused, next]) {
      expect(await other.tokens()).toEqual(await holder.tokens())
    }
    expect((await catalog.user.me()).name).toBe("sample_reader")
  })

  test("prepares the file that it will write before it sends the refresh token", async () => {
    const folder = newFolder()
    const { session, signIn, tokenRequests } = await open(join(folder, "tokens.json"))
    await signIn()
    const seen: Array<ReadonlyArray<string>> = []
    const push = tokenRequests.push.bind(tokenRequests)
    tokenRequests.push = (...forms) => {
      seen.push(readdirSync(folder).map((name) => name.replace(/[.]\d+-.*?(?=[.]tmp|$)/, "")))
      return push(...forms)
    }
    await session.refresh()
    expect(seen.map((names) => names.toSorted())).toEqual([["tokens.json", "tokens.json.lock", "tokens.json.tmp"]])
    expect(readdirSync(folder)).toEqual(["tokens.json"])
  })
})

describe("the lock", () => {
  const exclusively = (path: string) => {
    const { exclusively } = fileTokenStore(path)
    if (exclusively === undefined) throw new Error("there is no lock")
    return exclusively
  }

  test("is held by one at a time", async () => {
    const path = join(newFolder(), "tokens.json")
    let inside = 0
    let most = 0
    const use = Effect.gen(function* () {
      most = Math.max(most, ++inside)
      yield* Effect.sleep(2)
      inside--
    })
    const all = Array.from({ length: 20 }, () => exclusively(path)(use))
    await Effect.runPromise(Effect.all(all, { concurrency: "unbounded" }))
    expect([most, readdirSync(join(path, ".."))]).toEqual([1, []])
  })

  test("is given back where its use fails or is interrupted, or where its wait is", async () => {
    const path = join(newFolder(), "tokens.json")
    await expect(run(exclusively(path)(Effect.fail(new Error("no"))))).rejects.toThrow("no")
    const waiting = Effect.timeoutOption(exclusively(path)(exclusively(path)(Effect.void)), 50)
    expect(await Effect.runPromise(waiting)).toEqual(Option.none())
    expect(readdirSync(join(path, ".."))).toEqual([])
  })

  test("is not there where there is no folder, and the use goes on", async () => {
    const path = join(newFolder(), "none/tokens.json")
    expect(await run(exclusively(path)(Effect.succeed(1)))).toBe(1)
    expect(existsSync(join(path, ".."))).toBe(false)
  })

  /** A process that takes the lock and prints a line, until it is killed. */
  const holder = async (path: string) => {
    const program = `
      import { fileTokenStore } from "@catalog-client/node/oauth"
      import { Effect } from "effect"
      const hold = Effect.zipRight(Effect.sync(() => console.log("held")), Effect.sleep("50 seconds"))
      await Effect.runPromise(fileTokenStore(${JSON.stringify(path)}).exclusively(hold))`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: join(import.meta.dirname, ".."),
      stdio: ["ignore", "pipe", "inherit"]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    await once(child.stdout, "data")
    return child
  }

  test("of a process that was killed is taken over, with what else it has left", async () => {
    const folder = newFolder()
    const path = join(folder, "tokens.json")
    const child = await holder(path)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["tokens.json.lock", expect.stringMatching(/[.]tmp$/)]))
    child.kill("SIGKILL")
    await once(child, "exit")
    const began = performance.now()
    let names: ReadonlyArray<string> = []
    await run(exclusively(path)(Effect.sync(() => (names = readdirSync(folder)))))
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(names).toHaveLength(2)
    expect(names.filter((name) => name.includes(`.${child.pid}-`))).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  test(
    "of a process that lives is not taken, however long it stands still; the wait is bounded",
    { timeout: 60_000 },
    async () => {
      const folder = newFolder()
      const path = join(folder, "tokens.json")
      const child = await holder(path)
      child.kill("SIGSTOP")
      const began = performance.now()
      const held = () => readdirSync(join(folder, "tokens.json.lock")).join()
      const [owner, during] = [held(), await run(exclusively(path)(Effect.sync(held)))]
      expect(performance.now() - began).toBeGreaterThan(10_000)
      expect(performance.now() - began).toBeLessThan(30_000)
      expect([during, held()]).toEqual([owner, owner])
    }
  )

  test("of a process whose id another one has now is taken over", async () => {
    const folder = newFolder()
    const path = join(folder, "tokens.json")
    const lock = join(folder, "tokens.json.lock")
    const owner: Array<string> = []
    await run(exclusively(path)(Effect.sync(() => owner.push(...readdirSync(lock)))))
    const [pid, , host, name] = (owner[0] ?? "").split("-")
    mkdirSync(lock)
    // This process has this id, and has started at another time.
    writeFileSync(join(lock, `${pid}-1-${host}-${name}`), "")
    const began = performance.now()
    await run(exclusively(path)(Effect.void))
    expect(performance.now() - began).toBeLessThan(5_000)
    // Of another machine, none can tell.
    mkdirSync(lock)
    writeFileSync(join(lock, `${pid}-1-00000000-${name}`), "")
    const fiber = runFork(exclusively(path)(Effect.void))
    const waiting = await Effect.runPromise(Effect.timeoutOption(joined(fiber), 300))
    expect(waiting).toEqual(Option.none())
    expect(readdirSync(lock)).toHaveLength(1)
  })
})
