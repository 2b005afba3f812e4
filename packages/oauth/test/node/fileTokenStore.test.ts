/**
 * The number of a title is the row of docs/faults.md that it proves.
 */
// Not over the bundle: its policies and stores are Effects, made by those of core.
import { createCatalog } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import { fileTokenStore, type Tokens, type TokenStore, type TokenStoreError } from "@catalog-client/oauth/node"
import { Effect, Option, Redacted } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import fs, { type FileHandle } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { eventually, sleep } from "../../../core/test/support/eventually.js"
import { join as joined, runFork } from "../../../core/test/support/fibers.js"
import { gate } from "../../../core/test/support/faces.js"
import { access, tokensOf as tokensOfClient } from "../../../core/test/support/oauth.js"
import { recordingLogger } from "../../../core/test/support/telemetry.js"
import { newFolder } from "../../../core/test/support/newFolder.js"
import { clientId, serveSignIn, signInTo } from "../support/signIn.js"

afterEach(() => void vi.unstubAllEnvs())

const tokensOf = (n: number) => tokensOfClient(n, { of: clientId })

/** Stores tokens, or removes them. */
const put = (store: TokenStore.Service, tokens?: Tokens) =>
  store.update(() => Effect.succeed(Option.fromNullable(tokens)))

/** Replaces functions of a module of Node for one test. */
const replacing = <A extends object>(module: A, replaced: Partial<A>) => {
  const before = Object.fromEntries(Object.keys(replaced).map((name) => [name, Reflect.get(module, name)]))
  Object.assign(module, replaced)
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(module, before)
    syncBuiltinESMExports()
  })
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** The value of an Effect, and the warnings that it logs. */
const told = async <A>(effect: Effect.Effect<A, unknown>) => {
  const { layer, texts } = recordingLogger()
  const value = await Effect.runPromise(Effect.provide(effect, layer))
  return { value, warnings: texts }
}

const run = async <A>(effect: Effect.Effect<A, unknown>): Promise<A> => (await told(effect)).value

const accessIn = async (path: string) =>
  Option.getOrUndefined(Option.map(await run(fileTokenStore(path).get), (tokens) => Redacted.value(tokens.accessToken)))

describe("the file", () => {
  test("the file is read as it was written, only its user can read it, and it can be removed twice", async () => {
    const folder = newFolder()
    const path = join(folder, "a/b/tokens.json")
    const store = fileTokenStore(path)
    expect(await run(store.get)).toEqual(Option.none())
    await run(put(store, tokensOf(1)))
    await run(put(store, tokensOf(2)))
    expect(await accessIn(path)).toBe(access(2))
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ version: 1, tokens: { clientId } })
    // So can the folders that are made for it.
    expect([modeOf(path), modeOf(join(folder, "a/b")), modeOf(join(folder, "a"))]).toEqual(["600", "700", "700"])
    await run(put(store))
    await run(put(store))
    expect(await run(store.get)).toEqual(Option.none())
    expect(readdirSync(join(path, ".."))).toEqual([])
  })

  test("is in the user's configuration directory by default", async () => {
    const folder = newFolder()
    vi.stubEnv("XDG_CONFIG_HOME", folder)
    await run(put(fileTokenStore(), tokensOf(1)))
    expect(readdirSync(join(folder, "catalog-client"))).toEqual(["tokens.json"])
    vi.stubEnv("XDG_CONFIG_HOME", "relative")
    vi.stubEnv("HOME", folder)
    await run(put(fileTokenStore(), tokensOf(1)))
    expect(readdirSync(join(folder, ".config/catalog-client"))).toEqual(["tokens.json"])
  })

  describe("without a home directory, its default path is refused", () => {
    beforeEach(() => void vi.stubEnv("XDG_CONFIG_HOME", undefined))

    const refused = (reason: string) =>
      new TypeError(
        `fileTokenStore: the default path cannot be used: ${reason}. Pass another path, or set XDG_CONFIG_HOME to a directory that this user may write.`
      )

    test("HOME is not set, and passwd has no entry", () => {
      const message = "A system error occurred: uv_os_homedir returned ENOENT"
      replacing(os, {
        homedir: () => {
          throw Object.assign(new Error(message), { code: "ERR_SYSTEM_ERROR" })
        }
      })
      expect(() => fileTokenStore()).toThrow(refused(message))
      // Neither a path nor XDG_CONFIG_HOME needs one.
      expect(() => fileTokenStore("tokens.json")).not.toThrow()
      vi.stubEnv("XDG_CONFIG_HOME", newFolder())
      expect(() => fileTokenStore()).not.toThrow()
    })

    test.each([
      ["", "the home directory (HOME) is ''"],
      ["home", "the home directory (HOME) is 'home'"],
      ["/dev/null", "ENOTDIR: not a directory, mkdir '/dev/null/.config/catalog-client'"]
    ])("HOME is %j", (home, reason) => {
      vi.stubEnv("HOME", home)
      expect(() => fileTokenStore()).toThrow(refused(reason))
    })

    test("but made where HOME is not there yet", async () => {
      const home = join(newFolder(), "not/there/yet")
      vi.stubEnv("HOME", home)
      await run(put(fileTokenStore(), tokensOf(1)))
      expect(existsSync(join(home, ".config/catalog-client/tokens.json"))).toBe(true)
    })
  })

  test.each(["", 1, null])("has a path: %j is none", (path) => {
    expect(() => fileTokenStore(path as string)).toThrow(/^fileTokenStore: path must be the path of a file/)
  })

  test("a wider mode is repaired, with a warning", async () => {
    const folder = newFolder()
    vi.stubEnv("XDG_CONFIG_HOME", folder)
    const [own, path] = [join(folder, "catalog-client"), join(folder, "catalog-client/tokens.json")]
    const store = fileTokenStore()
    await run(put(store, tokensOf(1)))
    chmodSync(path, 0o644)
    chmodSync(own, 0o755)
    const { warnings } = await told(Effect.zipRight(store.get, store.get))
    expect([modeOf(path), modeOf(own)]).toEqual(["600", "700"])
    chmodSync(path, 0o640)
    warnings.push(...(await told(store.get)).warnings)
    expect(modeOf(path)).toBe("600")
    expect(warnings).toEqual([
      expect.stringContaining(`the mode of ${own} was 755 rather than 700`),
      expect.stringContaining(`the mode of a file in ${own} was 640 rather than 600`)
    ])
    expect((await told(fileTokenStore().get)).warnings).toEqual([])
  })

  test("the mode of a folder that was there is not the store's to change", async () => {
    const folder = newFolder()
    chmodSync(folder, 0o755)
    const store = fileTokenStore(join(folder, "tokens.json"))
    const { warnings } = await told(Effect.zipRight(put(store, tokensOf(1)), store.get))
    expect([modeOf(folder), warnings]).toEqual(["755", []])
  })

  test.each([
    ["a symbolic link", "ELOOP", (path: string) => symlinkSync(`${path}.target`, path)],
    ["a symbolic link to nothing", "ELOOP", (path: string) => symlinkSync(`${path}.none`, path)],
    ["a folder", "EISDIR", (path: string) => mkdirSync(path)],
    ["a named pipe", "ENOTSUP", (path: string) => void execFileSync("/usr/bin/mkfifo", [path])]
  ])("%s in its place is an error: it is not read, moved or replaced", { timeout: 20_000 }, async (_, code, make) => {
    const folder = newFolder()
    const path = join(folder, "tokens.json")
    await run(put(fileTokenStore(`${path}.target`), tokensOf(1)))
    make(path)
    const [names, { mode }] = [readdirSync(folder), lstatSync(path)]
    const store = fileTokenStore(path)
    for (const use of [Effect.asVoid(store.get), put(store, tokensOf(2)), put(store)]) {
      const { cause } = (await run(Effect.flip(use))) as TokenStoreError
      expect(String(cause)).toContain(code)
    }
    expect([readdirSync(folder), lstatSync(path).mode]).toEqual([names, mode])
    expect(await accessIn(`${path}.target`)).toBe(access(1))
  })

  test("a link that replaces the file while it is read is not followed", async () => {
    const path = join(newFolder(), "tokens.json")
    const store = fileTokenStore(path)
    await run(put(store, tokensOf(1)))
    await run(put(fileTokenStore(`${path}.target`), tokensOf(2)))
    const { lstat, open } = fs
    const replace = <A>(used: A, at: unknown): A => {
      if (at === path) {
        rmSync(path)
        symlinkSync(`${path}.target`, path)
      }
      return used
    }
    replacing<object>(fs, {
      lstat: async (at: string) => replace(await lstat(at), at),
      open: async (at: string, ...rest: [string | number]) => replace(await open(at, ...rest), at)
    })
    expect(await accessIn(path)).toBe(access(1))
  })

  test.each([
    ["corrupt", `{"tokens": "RefreshCanary-1`],
    ["empty", ""],
    ["huge", "RefreshCanary-1".repeat(100_000)]
  ])("20: a value is kept beside the tokens if it is %s", async (_, text) => {
    const folder = newFolder()
    const path = join(folder, "tokens.json")
    const store = fileTokenStore(path)
    writeFileSync(path, text, { mode: 0o600 })
    await expect(run(store.get)).rejects.toThrow("cannot be read as tokens")
    await run(put(store, tokensOf(1)))
    const [aside = ""] = readdirSync(folder).filter((name) => name.startsWith("tokens.json.aside."))
    expect(readFileSync(join(folder, aside), "utf8")).toBe(text)
    expect(modeOf(join(folder, aside))).toBe("600")
    expect(await accessIn(path)).toBe(access(1))
  })

  /** What is done with files, in order, and the handles that are opened. */
  const recorded = () => {
    const [events, handles]: [Array<string>, Array<FileHandle>] = [[], []]
    const { open, rename } = fs
    const named = (path: unknown) =>
      String(path)
        .replace(/.*[/]/, "")
        .replace(/[.]\d+-.*[.]tmp$/, ".tmp")
    replacing(fs, {
      open: async (path, ...rest) => {
        const handle = await open(path, ...rest)
        for (const name of ["sync", "close"] as const) {
          const use = handle[name].bind(handle)
          handle[name] = () => (events.push(`${name} ${named(path)}`), use())
        }
        handles.push(handle)
        return handle
      },
      rename: (from, to) => (events.push(`rename ${named(from)} ${named(to)}`), rename(from, to))
    })
    return { events, open: () => handles.filter(({ fd }) => fd !== -1).length, count: () => handles.length }
  }

  test("the file is synced before it is renamed, and its folder after that", async () => {
    const folder = join(newFolder(), "tokens")
    const { events } = recorded()
    await run(put(fileTokenStore(join(folder, "tokens.json")), tokensOf(1)))
    expect(events.filter((event) => !event.includes(".lock")).slice(0, 5)).toEqual([
      "sync tokens.json.tmp",
      "close tokens.json.tmp",
      "rename tokens.json.tmp tokens.json",
      "sync tokens",
      "close tokens"
    ])
  })

  test("closes every handle, whatever fails", async () => {
    const folder = newFolder()
    const path = join(folder, "tokens.json")
    const store = fileTokenStore(path)
    const { count, open } = recorded()
    await run(put(store, tokensOf(1)))
    await run(store.update(Effect.succeed))
    expect(await accessIn(path)).toBe(access(1))
    writeFileSync(path, "x".repeat(2 * 1024 * 1024), { mode: 0o600 })
    await expect(run(store.get)).rejects.toThrow("cannot be read as tokens")
    await run(put(store, tokensOf(2)))
    rmSync(path)
    mkdirSync(path)
    const failed = await run(Effect.flip(put(store, tokensOf(2))))
    expect(failed).toMatchObject({ cause: { code: "EISDIR" } })
    expect(count()).toBeGreaterThan(4)
    expect(open()).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual(["tokens.json", expect.stringMatching(/^tokens[.]json[.]aside[.]/)])
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
    const signIn = () => signInTo(session)
    return { accessToken, catalog, granted, profile, session, signIn, tokenRequests, warnings }
  }

  test("20, 29: a folder with the name of the file is an error that does not show the name, which can be the cookie of a visitor", async () => {
    const folder = newFolder()
    const path = join(folder, "VisitorCanary.json")
    mkdirSync(path)
    const { catalog, signIn, warnings } = await open(path)
    const reason = `EISDIR in ${folder}; pass fileTokenStore another path`
    await expect(catalog.user.me()).rejects.toMatchObject({
      reason: "CredentialsUnavailable",
      message: expect.stringContaining(`${reason}: the token store could not be read`)
    })
    await signIn()
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(warnings.filter((text) => text.includes(`could not be stored (${reason})`))).toHaveLength(1)
    expect(warnings.join()).not.toContain("Canary")
    expect(statSync(path).isDirectory()).toBe(true)
  })

  test("21: a lock that cannot be made beside the file is a warning, as in a folder of another user", async () => {
    const folder = newFolder()
    const { signIn, warnings } = await open(join(folder, "t".repeat(250)))
    await signIn()
    expect(warnings).toEqual([
      expect.stringContaining(`could not be stored (ENAMETOOLONG in ${folder}; pass fileTokenStore another path)`)
    ])
  })

  test("24: a session that has lost the lock overwrites nothing", async () => {
    const path = join(newFolder(), "tokens.json")
    const { profile, session, signIn } = await open(path)
    await signIn()
    const resumed = gate()
    let hasReply = false
    /** It is suspended when the service has replied to its refresh. */
    await using holder = createSession({
      clientId,
      profile,
      store: fileTokenStore(path),
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        hasReply = true
        await resumed.promise
        return response
      }
    })
    const refreshed = holder.refresh()
    await eventually("the service has replied", () => hasReply)
    // As if it were another machine's, which was suspended for more than an hour.
    rmSync(`${path}.lock`, { recursive: true })
    await session.signOut()
    resumed.open()
    await refreshed.catch(() => undefined)
    expect(existsSync(path)).toBe(false)
    expect(await holder.tokens()).toBeUndefined()
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
  /** Runs an effect in a step of the store, which changes nothing. */
  const exclusively =
    (path: string) =>
    (use: Effect.Effect<unknown>): Effect.Effect<void, unknown> =>
      fileTokenStore(path).update((stored) => Effect.as(use, stored))

  test("the lock is held by one process at a time", async () => {
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

  test("is released if its use fails or is interrupted, or its wait is", async () => {
    const path = join(newFolder(), "tokens.json")
    await expect(run(exclusively(path)(Effect.die(new Error("no"))))).rejects.toThrow("no")
    const waiting = Effect.timeoutOption(exclusively(path)(Effect.orDie(exclusively(path)(Effect.void))), 50)
    expect(await Effect.runPromise(waiting)).toEqual(Option.none())
    expect(readdirSync(join(path, ".."))).toEqual([])
  })

  /** A process that takes the lock and prints who has it, until it is killed. What is run before it is a part of its program. */
  const starting = (path: string, before = "") => {
    const program = `
      import fs from "node:fs/promises"
      import { syncBuiltinESMExports } from "node:module"
      ${before}
      syncBuiltinESMExports()
      const { fileTokenStore } = await import("@catalog-client/oauth/node")
      const { Effect } = await import("effect")
      const print = async () => console.log((await fs.readdir(${JSON.stringify(`${path}.lock`)})).join())
      const hold = Effect.andThen(Effect.promise(print), Effect.sleep("50 seconds"))
      await Effect.runPromise(fileTokenStore(${JSON.stringify(path)}).update((stored) => Effect.as(hold, stored)))`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: join(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "inherit"]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const printed = once(child.stdout, "data").then(([line]) => String(line).trim())
    return { child, printed }
  }

  const holder = async (path: string) => {
    const { child, printed } = starting(path)
    await printed
    return child
  }

  test("the lock of a killed process is taken over, and the files that it left are removed", async () => {
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

  test("the lock of a living process is not taken over, however long it is suspended", async () => {
    const folder = newFolder()
    const path = join(folder, "tokens.json")
    const child = await holder(path)
    child.kill("SIGSTOP")
    const held = () => readdirSync(join(folder, "tokens.json.lock")).join()
    const owner = held()
    let isInside = false
    const waiting = Effect.timeoutOption(exclusively(path)(Effect.sync(() => (isInside = true))), 1_000)
    expect(await Effect.runPromise(waiting)).toEqual(Option.none())
    expect([isInside, held()]).toEqual([false, owner])
    expect(readdirSync(folder).filter((name) => name.includes(`lock.${process.pid}-`))).toEqual([])
  })

  test("the lock of a process whose id belongs to another process now is taken over", async () => {
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
  })

  /** Waits until something else wants the lock, and for some of its tries: the lock is still its owner's. */
  const isKept = async (path: string, owner: string) => {
    const [folder, lock] = [join(path, ".."), `${path}.lock`]
    const wanting = () => readdirSync(folder).some((name) => name.startsWith("tokens.json.lock."))
    // Another process loads Effect first, which takes seconds on a busy machine.
    await expect.poll(wanting).toBe(true)
    await sleep(500)
    expect([wanting(), readdirSync(lock)]).toEqual([true, [owner]])
  }

  // No process of this machine can have this id.
  const pid = "Object.defineProperty(process, 'pid', { value: 4194305 })"

  test.each([
    [
      "of another container with this host name",
      `const { readlink } = fs
      fs.readlink = async (path) => (path === "/proc/self/ns/pid" ? "pid:[1]" : readlink(path))
      ${pid}`
    ],
    [
      "of another machine with this host name",
      `const { readFile } = fs
      fs.readFile = async (path, ...rest) => (String(path).endsWith("/boot_id") ? "another" : readFile(path, ...rest))
      ${pid}`
    ]
  ])("%s is not taken, until it is older than any use of it", async (_, before) => {
    const path = join(newFolder(), "tokens.json")
    const owner = await starting(path, before).printed
    expect(owner).toMatch(/^4194305-/)
    let next = ""
    const fiber = runFork(exclusively(path)(Effect.sync(() => (next = readdirSync(`${path}.lock`).join()))))
    await isKept(path, owner)
    const hoursAgo = Date.now() / 1000 - 2 * 3_600
    utimesSync(join(`${path}.lock`, owner), hoursAgo, hoursAgo)
    await Effect.runPromise(joined(fiber))
    expect(next).toMatch(new RegExp(`^${process.pid}-`))
  })

  const withoutProc = `
    for (const name of ["readFile", "readlink"]) {
      const read = fs[name]
      fs[name] = async (path, ...rest) => {
        if (String(path).startsWith("/proc")) throw Object.assign(new Error("none"), { code: "ENOENT" })
        return read(path, ...rest)
      }
    }`

  test.each([
    ["macOS, which has no /proc", withoutProc],
    [
      "Windows, which renames nothing onto a directory",
      `${withoutProc}
      Object.defineProperty(process, "platform", { value: "win32" })
      const { rename, stat } = fs
      fs.rename = async (from, to) => {
        const existing = await stat(to).catch(() => undefined)
        if (existing?.isDirectory()) throw Object.assign(new Error("not permitted"), { code: "EPERM" })
        return rename(from, to)
      }`
    ]
  ])("is taken from the dead, and not from the living, as on %s", async (_, before) => {
    const path = join(newFolder(), "tokens.json")
    const first = starting(path, before)
    const owner = await first.printed
    expect(owner).toMatch(new RegExp(`^${first.child.pid}-unknown-`))
    const second = starting(path, before)
    await isKept(path, owner)
    first.child.kill("SIGKILL")
    expect(await second.printed).toMatch(new RegExp(`^${second.child.pid}-unknown-`))
  })
})
