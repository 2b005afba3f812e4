/**
 * The sessions of many users, against the embedded service, where each of them is another one.
 *
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { createCatalog } from "catalog-client"
import { createSession, createSessions, type SessionsOptions } from "catalog-client/oauth"
import { Catalog, CatalogConfig, Credentials, ServiceProfile } from "@catalog-client/core"
import { OAuthSession, OAuthSessions, Tokens, TokenStore, TokenStores } from "@catalog-client/oauth"
import {
  type Dataset,
  EmbeddedCatalog,
  type EmbeddedCatalogOptions,
  type ReceivedRequest
} from "@catalog-client/testing"
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { Cause, Effect, Exit, Layer, ManagedRuntime, Option, Redacted, type Scope } from "effect"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { eventually, hurry, rejection } from "../../core/test/support/eventually.js"
import { gate } from "../../core/test/support/faces.js"
import { onlyEffect } from "../../core/test/support/only.js"
import { rowOf, serviceOf, type Store } from "../../core/test/support/oauth.js"
import { inKeyValueStore } from "../../core/test/support/platform.js"
import { recordingLogger } from "../../core/test/support/telemetry.js"

afterEach(() => void vi.useRealTimers())

const clientId = "embedded-client"
const client = { clientId, redirectUri: "http://localhost:8080/callback" }
const origin = "https://catalog.test"
const profile: ServiceProfile = {
  ...ServiceProfile.default,
  baseUrl: `${origin}/v2`,
  oauth: { ...ServiceProfile.default.oauth, ...EmbeddedCatalog.oauthUrls(origin) }
}

/** Users, and nothing else. */
const users = Array.from({ length: 20 }, (_, nth) => `user-${nth}`)
const dataset: Dataset = {
  anime: [],
  manga: [],
  categories: [],
  topics: [],
  users: users.map((name, nth) => ({
    id: 1000 + nth,
    name,
    location: "",
    joined_at: "2014-05-11T16:02:33+00:00",
    animeList: [],
    mangaList: []
  }))
}

/** The service, and the grants that it was asked for. The user who signs in is in the authorization URL. */
const serving = (options: EmbeddedCatalogOptions = {}) => {
  const granted: Array<URLSearchParams> = []
  const { dispose, handler } = EmbeddedCatalog.toWebHandler({
    dataset,
    onRequest: ({ body, operation }) => {
      if (operation === "oauth.token") {
        granted.push(new URLSearchParams(body))
      }
    },
    ...options,
    oauth: { consent: ({ query }) => query.get("user") ?? "allow", accessTokenLifetime: "1 hour", ...options.oauth }
  })
  onTestFinished(dispose)
  const state = {
    granted,
    /** Waits before a response to a request for tokens arrives. */
    before: undefined as Promise<void> | undefined,
    /** Waits before a call reaches the service. */
    beforeCall: undefined as Promise<void> | undefined,
    /** An access token that the service has revoked. */
    revoked: undefined as string | undefined,
    fetch: async (input: URL | RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init)
      if (request.url.startsWith(profile.baseUrl)) {
        await state.beforeCall
        if (request.headers.get("authorization") === `Bearer ${state.revoked}`) {
          return Response.json({ error: "invalid_token" }, { status: 401 })
        }
      }
      const response = await handler(request)
      if (request.url === profile.oauth.tokenUrl) {
        await state.before
      }
      return response
    },
    /** What a browser does for a user of the service: to the service, and back. */
    visit: async (url: string, user = "allow") =>
      (await state.fetch(`${url}&user=${user}`, { redirect: "manual" })).headers.get("location") ?? "",
    /** The refresh tokens that were sent. */
    spent: () => granted.flatMap((form) => form.get("refresh_token") ?? [])
  }
  return state
}

/**
 * A database of strings, which takes a while; and the keys whose stores were made. With locks, several processes can share it; with
 * one connection, only one step runs at a time.
 */
const database = ({ connections = Infinity, hasLocks = false } = {}) => {
  const rows = new Map<string, string>()
  const locks = new Map<string, Promise<void>>()
  const made: Array<string> = []
  const soon = () => new Promise((resolve) => setImmediate(resolve))
  const locked = async (key: string, run: () => Promise<void>) => {
    while (locks.has(key)) {
      await locks.get(key)
    }
    const { open, promise } = gate()
    locks.set(key, promise)
    await run().finally(() => {
      locks.delete(key)
      open()
    })
  }
  const storeOf = (key: string): Store => {
    const get = async () => {
      await soon()
      return rows.get(key)
    }
    const set = async (text: string) => {
      await soon()
      rows.set(key, text)
    }
    const remove = async () => {
      await soon()
      rows.delete(key)
    }
    return hasLocks
      ? {
          get,
          update: (step) =>
            locked(connections === 1 ? "" : key, async () => {
              const next = await step(await get())
              await (next === undefined ? remove() : set(next))
            })
        }
      : { get, set, remove }
  }
  const store = (key: string) => {
    made.push(key)
    return storeOf(key)
  }
  return { rows, made, store }
}

type Service = ReturnType<typeof serving>
type Options = Partial<Omit<SessionsOptions, "store">> & {
  readonly store: (key: string) => Store | TokenStore.Service
}

/** A client that waits only this long for the service and for a store. */
const hasty = { ...client, timeout: 300 }

const never = () => new Promise<never>(() => undefined)

const openEffect = ({ fetch }: Service, { client: given = client, store }: Options) => {
  const { layer: logging, texts: warnings } = recordingLogger()
  const runtime = ManagedRuntime.make(
    OAuthSessions.layer(given).pipe(
      Layer.provide(Layer.succeed(TokenStores, { storeOf: (key) => serviceOf(store(key)) })),
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch)),
          CatalogConfig.layer({ profile }),
          logging
        )
      )
    )
  )
  onTestFinished(() => runtime.dispose())
  const run = async <A, E>(use: (sessions: typeof OAuthSessions.Service) => Effect.Effect<A, E>): Promise<A> => {
    const exit = await runtime.runPromiseExit(Effect.flatMap(OAuthSessions, use))
    if (Exit.isSuccess(exit)) {
      return exit.value
    }
    throw Cause.squash(exit.cause)
  }
  return {
    begin: (user: string) => run(({ begin }) => Effect.map(begin(user), (url) => Redacted.value(url).href)),
    finish: (user: string, url: string) => run(({ finish }) => Effect.map(finish(user, url), Option.getOrUndefined)),
    /** The name of a user, as the service says it. */
    name: async (user: string): Promise<string> => {
      const name = Effect.flatMap(OAuthSessions, ({ credentials }) =>
        Effect.provideService(Catalog.user.me(), Credentials, credentials(user))
      )
      const exit = await runtime.runPromiseExit(name)
      if (Exit.isSuccess(exit)) {
        return exit.value.name
      }
      throw Cause.squash(exit.cause)
    },
    tokens: (user: string) => run(({ tokens }) => Effect.map(tokens(user), Option.getOrUndefined)),
    signIn: (user: string, tokens: Tokens) => run(({ signIn }) => signIn(user, tokens)),
    signOut: (user: string) => run(({ signOut }) => signOut(user)),
    close: () => runtime.dispose(),
    warnings
  }
}

type Opened = ReturnType<typeof openEffect>

const openPromise = ({ fetch }: Service, { store, ...options }: Options): Opened => {
  const warnings: Array<string> = []
  const logger = { warn: (line: string) => void warnings.push(line) }
  const sessions = createSessions({ client, profile, fetch, logger, store, ...options })
  onTestFinished(() => sessions.close())
  return {
    begin: (user) => sessions.begin(user),
    finish: (user, url) => sessions.finish(user, url),
    name: async (user) => (await sessions.catalogOf(user).user.me()).name,
    tokens: (user) => sessions.tokens(user),
    signIn: (user, tokens) => sessions.signIn(user, tokens),
    signOut: (user) => sessions.signOut(user),
    close: () => sessions.close(),
    warnings
  }
}

const signedIn = async (service: Service, { begin, finish }: Opened, user: string) =>
  finish(user, await service.visit(await begin(user), user))

/** Lets time pass for sessions and the service, whose clocks read `Date`. */
const pass = (millis: number) => {
  const now = Date.now() + millis
  vi.useFakeTimers({ toFake: ["Date"] })
  vi.setSystemTime(now)
}

const minute = 60_000

/** A call that refreshes the tokens of a user. The service has acted; its response is held until the test lets it go. */
const refreshing = async (service: Service, sessions: Opened, user: string) => {
  const before = service.granted.length
  pass(60 * minute)
  const { open: respond, promise } = gate()
  service.before = promise
  const call = sessions.name(user).catch((error: unknown) => error)
  await eventually("the refresh is sent", () => service.granted.length > before)
  return { call, respond }
}

const faces = [...onlyEffect([["Effect", openEffect]] as const), ["promise", openPromise]] as const

describe.each(faces)("the sessions of many users (%s)", (_, open) => {
  /** The sessions of one process over a database, and the users who have signed in. */
  const opened = async (...names: ReadonlyArray<string>) => {
    const service = serving()
    const { made, rows, store } = database()
    const sessions = open(service, { store })
    for (const name of names) {
      await signedIn(service, sessions, name)
    }
    return { made, rows, service, sessions, store }
  }

  test("14: each token is refreshed once for 20 users, with 400 overlapping requests to two instances over one database", async () => {
    const service = serving()
    const { made, store } = database({ hasLocks: true })
    const options: Options = { store }
    const [one, other] = [open(service, options), open(service, options)]
    // A sign-in begins in one instance and ends in the other.
    await Promise.all(users.map(async (user) => other.finish(user, await service.visit(await one.begin(user), user))))
    pass(60 * minute)
    const names = await Promise.all(
      Array.from({ length: 400 }, async (_, nth) => {
        const user = users[nth % 20] ?? ""
        return [user, await (nth % 40 < 20 ? one : other).name(user)]
      })
    )
    expect(names).toHaveLength(400)
    expect(names.filter(([user, name]) => user !== name)).toEqual([])
    expect(new Set(service.spent()).size).toBe(20)
    expect(service.spent()).toHaveLength(20)
    for (const user of users) {
      expect(await one.tokens(user)).toEqual(await other.tokens(user))
      // One session in each instance, and one that was idle before.
      expect(made.filter((key) => key === user)).toHaveLength(3)
    }
  })

  test("2: a pending sign-in survives a restart, and no other user can finish it", async () => {
    const service = serving()
    const { rows, store } = database()
    const first = open(service, { store })
    const back = await service.visit(await first.begin("user-1"), "user-1")
    await first.begin("user-2")
    await first.close()
    const second = open(service, { store })
    for (const thief of ["user-2", "user-3"]) {
      await expect(second.finish(thief, back)).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "State" })
    }
    expect(service.granted).toEqual([])
    expect(await second.tokens("user-1")).toBeUndefined()
    // What others did has not used it up.
    expect(await second.finish("user-1", back)).toBeInstanceOf(Tokens)
    expect(await second.name("user-1")).toBe("user-1")
    expect([...rows.keys()]).toEqual(["user-2.pending", "user-1"])
  })

  test("2: a pending sign-in expires, and a new one replaces it", async () => {
    const { service, sessions } = await opened()
    const late = await service.visit(await sessions.begin("user-1"), "user-1")
    pass(10 * minute)
    await expect(sessions.finish("user-1", late)).rejects.toMatchObject({ reason: "State" })
    const replaced = await service.visit(await sessions.begin("user-1"), "user-1")
    const current = await service.visit(await sessions.begin("user-1"), "user-1")
    await expect(sessions.finish("user-1", replaced)).rejects.toMatchObject({ reason: "State" })
    expect(service.granted).toEqual([])
    pass(10 * minute - 1)
    expect(await sessions.finish("user-1", current)).toBeInstanceOf(Tokens)
  })

  test("3: the same redirect twice, at once or later, is exchanged once", async () => {
    const { service, sessions, store } = await opened()
    const back = await service.visit(await sessions.begin("user-1"), "user-1")
    const both = await Promise.all([sessions.finish("user-1", back), sessions.finish("user-1", back)])
    expect(both.filter((tokens) => tokens !== undefined)).toHaveLength(1)
    expect(await sessions.finish("user-1", back)).toBeUndefined()
    expect(await open(service, { store }).finish("user-1", back)).toBeUndefined()
    // A redirect that no sign-in began: it is not told from a repeated one, unless another sign-in is pending.
    const forged = "/callback?error=access_denied&state=forged"
    expect(await sessions.finish("user-1", forged)).toBeUndefined()
    await sessions.begin("user-1")
    await expect(sessions.finish("user-1", forged)).rejects.toMatchObject({ reason: "State" })
    expect(service.granted).toHaveLength(1)
  })

  test("3: the same redirect is exchanged once if it reaches two processes at once", async () => {
    const service = serving()
    const { rows, store } = database({ hasLocks: true })
    const [one, other] = [open(service, { store }), open(service, { store })]
    const back = await service.visit(await one.begin("user-1"), "user-1")
    const both = await Promise.all([one.finish("user-1", back), other.finish("user-1", back)])
    expect(both.filter((tokens) => tokens !== undefined)).toHaveLength(1)
    expect(service.granted).toHaveLength(1)
    expect(await Promise.all([one.name("user-1"), other.name("user-1")])).toEqual(["user-1", "user-1"])
    expect([...rows.keys()]).toEqual(["user-1"])
  })

  test("3: a sign-in needs one connection of its store at a time", async () => {
    const service = serving()
    const { rows, store } = database({ hasLocks: true, connections: 1 })
    const sessions = open(service, { client: hasty, store })
    const users = ["user-1", "user-2", "user-3"]
    const all = await Promise.all(users.map((user) => signedIn(service, sessions, user)))
    expect(all.map((tokens) => tokens instanceof Tokens)).toEqual([true, true, true])
    expect([...rows.keys()].toSorted()).toEqual(users)
  })

  test("3: a redirect that one of two processes fails to redeem signs the user in on neither", async () => {
    const service = serving()
    const { rows, store } = database({ hasLocks: true })
    const [one, other] = [open(service, { store }), open(service, { store })]
    const back = new URL(await service.visit(await one.begin("user-1"), "user-1"))
    back.searchParams.set("code", "another")
    const failed = (sessions: Opened) => rejection(sessions.finish("user-1", back.href))
    const both = await Promise.all([failed(one), failed(other)])
    expect(both).toContainEqual(expect.objectContaining({ _tag: "ClientRestError" }))
    expect(both).toContainEqual(
      expect.objectContaining({
        reason: "State",
        message: expect.stringMatching(/[.]finish rejected a redirect that belongs to no pending sign-in[.] Start/)
      })
    )
    expect(service.granted).toHaveLength(1)
    expect(rows.size).toBe(0)
  })

  test("3: a sign-in that starts while another one is redeemed stays pending", async () => {
    const { service, sessions } = await opened()
    const first = await service.visit(await sessions.begin("user-1"), "user-1")
    const { open: respond, promise } = gate()
    service.before = promise
    const finishing = sessions.finish("user-1", first)
    await eventually("the code is sent", () => service.granted.length === 1)
    const second = await service.visit(await sessions.begin("user-1"), "user-1")
    respond()
    expect(await finishing).toBeInstanceOf(Tokens)
    expect(await sessions.finish("user-1", second)).toBeInstanceOf(Tokens)
  })

  test("4: a denial uses up the pending sign-in", async () => {
    const service = serving({ oauth: { consent: "deny" } })
    const { rows, store } = database()
    const sessions = open(service, { store })
    const back = await service.visit(await sessions.begin("user-1"))
    await expect(sessions.finish("user-1", back)).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "Denied" })
    await expect(sessions.finish("user-1", back)).rejects.toMatchObject({ reason: "State" })
    expect(rows.size).toBe(0)
  })

  test("an idle session is closed; its user stays signed in", async () => {
    const { made, service, sessions } = await opened("user-1", "user-2")
    const times = (user: string) => made.filter((key) => key === user).length
    pass(14 * minute)
    expect(await sessions.name("user-1")).toBe("user-1")
    pass(14 * minute)
    // The first one was used since.
    expect(await sessions.name("user-1")).toBe("user-1")
    expect([times("user-1"), times("user-2")]).toEqual([1, 1])
    expect(await sessions.name("user-2")).toBe("user-2")
    expect([times("user-1"), times("user-2")]).toEqual([1, 2])
    expect(service.granted).toHaveLength(2)
  })

  test("7: a call that outlives its idle session gets a new token", async () => {
    const { service, sessions } = await opened()
    const tokens = await signedIn(service, sessions, "user-1")
    const { open: send, promise } = gate()
    service.beforeCall = promise
    service.revoked = tokens && Redacted.value(tokens.accessToken)
    const calls = [1, 2, 3].map(() => sessions.name("user-1"))
    pass(16 * minute)
    await expect(sessions.name("user-2")).rejects.toMatchObject({ reason: "SignedOut" })
    send()
    expect(await Promise.all(calls)).toEqual(["user-1", "user-1", "user-1"])
    expect(service.spent()).toHaveLength(1)
  })

  test("26: after the clock was set back, idle sessions are closed", async () => {
    const { made, sessions } = await opened()
    const idle = users.slice(0, 5)
    for (const user of idle) {
      await sessions.tokens(user)
    }
    pass(-24 * 60 * minute)
    await sessions.tokens("user-20")
    pass(15 * minute)
    await sessions.tokens("user-20")
    for (const user of idle) {
      await sessions.tokens(user)
    }
    expect(made.filter((key) => idle.includes(key))).toHaveLength(10)
  })

  test("24: stores that hang delay no call for long", async () => {
    hurry()
    const service = serving()
    const { rows } = database()
    let isStuck: string | undefined
    const stuck = async (method: string) => {
      if (isStuck === method) {
        await never()
      }
    }
    const sessions = open(service, {
      client: hasty,
      store: (key) => ({
        get: async () => {
          await stuck("get")
          return rows.get(key)
        },
        update: async (step: (text: string | undefined) => Promise<string | undefined>) => {
          await stuck("update")
          const next = await step(rows.get(key))
          if (next === undefined) {
            rows.delete(key)
          } else {
            rows.set(key, next)
          }
          await stuck("write")
        }
      })
    })
    const back = await service.visit(await sessions.begin("user-1"), "user-1")
    isStuck = "write"
    expect(await sessions.finish("user-1", back)).toBeInstanceOf(Tokens)
    await expect(sessions.signOut("user-1")).rejects.toMatchObject({ reason: "CredentialsUnavailable" })
    isStuck = "get"
    await expect(sessions.tokens("user-2")).rejects.toMatchObject({ cause: { name: "no response after 300 ms" } })
    isStuck = "update"
    const late = { reason: "CredentialsUnavailable", cause: { name: "no response after 15000 ms" } }
    await expect(sessions.begin("user-2")).rejects.toMatchObject(late)
    await expect(sessions.finish("user-2", back)).rejects.toMatchObject(late)
    const signingIn = sessions.signIn("user-2", Tokens.from({ access_token: "a" })).catch(() => undefined)
    await sessions.close()
    await signingIn
  })

  test("12: a session with a refresh in flight, or with tokens that could not be stored, is not idle", async () => {
    const service = serving()
    const { made, rows, store } = database()
    let isDown = false
    const sessions = open(service, {
      store: (key) => {
        made.push(key)
        return {
          get: () => rows.get(key),
          set: (text) => (isDown ? Promise.reject(new Error("down")) : rows.set(key, text)),
          remove: () => rows.delete(key)
        }
      }
    })
    await signedIn(service, sessions, "user-1")
    const before = rows.get("user-1")
    const times = () => made.filter((key) => key === "user-1").length
    const { call, respond } = await refreshing(service, sessions, "user-1")
    const made1 = times()
    pass(15 * minute)
    await expect(sessions.name("user-2")).rejects.toMatchObject({ reason: "SignedOut" })
    const shared = sessions.name("user-1")
    isDown = true
    respond()
    expect(await Promise.all([call, shared])).toEqual(["user-1", "user-1"])
    expect(service.spent()).toHaveLength(1)
    expect(rows.get("user-1")).toBe(before)
    pass(15 * minute)
    isDown = false
    // Another user's call finds that it has been idle, and stores its tokens.
    await expect(sessions.name("user-2")).rejects.toMatchObject({ reason: "SignedOut" })
    await eventually("the tokens are stored", () => rows.get("user-1") !== before)
    expect(times()).toBe(made1)
    expect(await open(service, { store }).name("user-1")).toBe("user-1")
    expect(service.spent()).toHaveLength(1)
  })

  test("25: a sign-out during a refresh removes all rows of the user", async () => {
    const { rows, service, sessions } = await opened("user-1", "user-2")
    await sessions.begin("user-1")
    const { call, respond } = await refreshing(service, sessions, "user-1")
    await sessions.signOut("user-1")
    respond()
    expect(await call).toMatchObject({ _tag: "ClientAuthError", reason: "SignedOut" })
    expect([...rows.keys()]).toEqual(["user-2"])
  })

  test("21: a store that fails is an error of the sign-in; one that cannot keep a pending sign-in is another sign-in", async () => {
    const service = serving()
    const failing = open(service, {
      store: () => ({
        get: () => undefined,
        set: () => Promise.reject(Object.assign(new Error("secret"), { code: "ECONNREFUSED" })),
        remove: () => undefined
      })
    })
    await expect(failing.begin("user-1")).rejects.toMatchObject({
      _tag: "ClientNetworkError",
      reason: "CredentialsUnavailable",
      cause: { name: "ECONNREFUSED" }
    })
    // The user may be signed in.
    const down = () => Promise.reject(new Error("secret"))
    const unreadable = open(service, { store: () => ({ get: down, update: down }) })
    const unavailable = { reason: "CredentialsUnavailable", cause: { message: "the token store could not be read" } }
    await expect(unreadable.name("user-1")).rejects.toMatchObject(unavailable)
    await expect(unreadable.tokens("user-1")).rejects.toMatchObject({
      ...unavailable,
      operation: expect.stringMatching(/^(OAuthSessions|createSessions).tokens$/)
    })
    await expect(unreadable.signOut("user-1")).rejects.toMatchObject({
      reason: "CredentialsUnavailable",
      operation: expect.stringMatching(/^(OAuthSessions|createSessions).signOut$/)
    })
    expect(unreadable.warnings.join()).toMatch(/the token store could not be read \(Error\).*could not be removed/)
    const { rows, store } = database()
    const known = (key: string) =>
      key === "user-1" ? store(key) : { get: () => undefined, set: () => undefined, remove: () => undefined }
    const forgetful = open(service, { store: known })
    const back = await service.visit(await forgetful.begin("user-1"), "user-1")
    await expect(forgetful.finish("user-1", back)).rejects.toMatchObject({ reason: "State" })
    const sessions = open(service, { store: (key) => (key.endsWith(".pending") ? store(`of ${key}`) : known(key)) })
    await signedIn(service, sessions, "user-1")
    expect([...rows.keys()]).toEqual(["user-1"])
  })

  test.each(["", " ", "user-1.pending", undefined])("no user is called %j", async (user) => {
    const { store } = database()
    const sessions = open(serving(), { store })
    for (const use of [sessions.begin, sessions.name, sessions.tokens, sessions.signOut]) {
      await expect(use(user as string)).rejects.toThrow(
        /the user must be a string that names one user and does not end with .pending, but it is/
      )
    }
  })

  test("tokens of another library, as plain strings, keep a user signed in", async () => {
    const { rows, service, sessions } = await opened()
    const stored = await signedIn(service, sessions, "user-1")
    const reply = {
      access_token: stored ? Redacted.value(stored.accessToken) : "",
      refresh_token: stored?.refreshToken && Redacted.value(stored.refreshToken),
      expires_in: 3600
    }
    await sessions.signIn("a migrated user", Tokens.from(reply))
    expect(await sessions.name("a migrated user")).toBe("user-1")
    expect(JSON.parse(rows.get("a migrated user") ?? "")).toMatchObject({ tokens: { clientId } })
    await expect(sessions.signIn("user-2", Tokens.from(reply, { clientId: "another" }))).rejects.toThrow(TypeError)
  })

  test("12: closing waits for a refresh, and ends all sessions", async () => {
    const { rows, service, sessions } = await opened("user-1")
    const before = rows.get("user-1")
    const { call, respond } = await refreshing(service, sessions, "user-1")
    const closing = sessions.close()
    respond()
    await closing
    await call
    expect(rows.get("user-1")).not.toBe(before)
  })
})

test("20: Effects can store the tokens of users (Effect)", async () => {
  const service = serving()
  const rows = new Map<string, string>()
  const sessions = openEffect(service, {
    store: (key) =>
      TokenStore.from({
        get: () => Effect.sync(() => inKeyValueStore(rows.get(key))),
        set: (text) => Effect.sync(() => rows.set(key, text)),
        remove: () => Effect.sync(() => rows.delete(key))
      })
  })
  await signedIn(service, sessions, "user-1")
  expect(await sessions.name("user-1")).toBe("user-1")
  await sessions.signOut("user-1")
  expect([...rows]).toEqual([])
})

describe("createSessions", () => {
  test("20: over a key-value store, what is kept of a user's value is in no other user's row", async () => {
    const service = serving()
    const rows = new Map([["bob", "not tokens"]])
    const sessions = createSessions({
      client,
      profile,
      fetch: service.fetch,
      store: (key) => ({
        get: () => rows.get(key),
        set: (text) => rows.set(key, text),
        remove: () => rows.delete(key),
        keep: (text, id) => rows.set(`${key}.kept.${id}`, text)
      })
    })
    const tokens = Tokens.from({ access_token: "a" })
    await sessions.signIn("bob.kept", tokens)
    const row = rows.get("bob.kept")
    await sessions.signIn("bob", tokens)
    expect(rows.get("bob.kept")).toBe(row)
    expect([...rows.values()]).toContain("not tokens")
    expect(await sessions.tokens("bob.kept.2")).toBeUndefined()
    await sessions.close()
  })

  test("a user's catalog is a view of the option's, which stays open, and whose headers are not sent for tokens", async () => {
    const granted: Array<ReceivedRequest> = []
    const onRequest = (request: ReceivedRequest) => {
      if (request.operation === "oauth.token") {
        granted.push(request)
      }
    }
    const { fetch, visit } = serving({ onRequest })
    let calls = 0
    const catalog = createCatalog({ fetch, headers: { "x-of-calls": "1" }, hooks: { onRequest: () => calls++ } })
    const own = { ...client, headers: { "User-Agent": "my-app/1" } }
    const sessions = createSessions({ catalog, client: own, profile, fetch, store: database().store })
    const kept = sessions.catalogOf("user-1")
    await expect(kept.user.me()).rejects.toMatchObject({ reason: "SignedOut" })
    await sessions.finish("user-1", await visit(await sessions.begin("user-1"), "user-1"))
    expect(granted).toMatchObject([{ headers: { "user-agent": "my-app/1" } }])
    expect(granted[0]?.headers).not.toHaveProperty("x-of-calls")
    // One that was made before the user signed in, too.
    expect((await kept.user.me()).name).toBe("user-1")
    expect(calls).toBe(1)
    await sessions.close()
    await expect(kept.user.me()).rejects.toMatchObject({ reason: "Cancelled" })
    await expect(sessions.begin("user-1")).rejects.toMatchObject({ reason: "Cancelled" })
    await catalog.close()
  })

  test.each([
    [{ client: undefined }, "client takes an object of options"],
    [{ client: { ...client, clientId: 42 } }, "client: clientId must be"],
    [{ client: { redirectUri: "undefined/callback" } }, "client: redirectUri must be an absolute URL"],
    [{ client: { clientID: "id" } }, 'client has no option "clientID": did you mean "clientId"?'],
    [{ store: {} }, "store must be a function"]
  ])("an invalid option is named: %j", (options, message) => {
    const invalid = { client, store: () => rowOf().store(), ...options } as never
    expect(() => createSessions(invalid)).toThrow(`createSessions: ${message}`)
    expect(() => createSessions(invalid)).toThrow(TypeError)
  })

  test.each([undefined, "", " "])(
    "without a client ID (%j), a module loads; what needs it does not run",
    async (id) => {
      const without = { ...client, clientId: id as string }
      const sessions = createSessions({ client: without, profile, store: () => rowOf().store() })
      const session = createSession({ ...without, profile })
      onTestFinished(() => Promise.all([sessions.close(), session.close()]).then(() => undefined))
      const uses: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
        ["createSessions: client", () => sessions.begin("user-1")],
        ["createSessions: client", () => sessions.catalogOf("user-1").anime.get({ id: 1 })],
        ["createSession", () => session.authorizationRequest()],
        ["createSession", () => createCatalog({ session }).user.me()]
      ]
      for (const [where, use] of uses) {
        const error = await rejection(use())
        expect(error).toBeInstanceOf(TypeError)
        expect(String(error)).toContain(`${where}: clientId must be the client ID`)
      }
      expect(await sessions.tokens("user-1")).toBeUndefined()
    }
  )

  test("an unknown option is a TypeError that suggests the nearest name, or a defect", async () => {
    const one = { ...client, clientID: "id" }
    const many = { client, store: () => TokenStore.memory(), stores: 1 }
    const [nearestOne, nearestMany] = ['clientID": did you mean "clientId"?', 'stores": did you mean "store"?']
    expect(() => createSession(one)).toThrow(new TypeError(`createSession has no option "${nearestOne}`))
    expect(() => createSessions(many)).toThrow(new TypeError(`createSessions has no option "${nearestMany}`))
    type Made = Effect.Effect<void, never, TokenStore | TokenStores | HttpClient.HttpClient | Scope.Scope>
    const defects: ReadonlyArray<readonly [Made, string]> = [
      [Effect.asVoid(OAuthSession.make(one)), `OAuthSession has no option "${nearestOne}`],
      [Effect.asVoid(OAuthSessions.make(one)), `OAuthSessions has no option "${nearestOne}`]
    ]
    for (const [make, message] of defects) {
      const provided = Effect.provide(Effect.scoped(make), [
        TokenStore.layerMemory,
        TokenStores.layerMemory,
        FetchHttpClient.layer
      ])
      const exit = await Effect.runPromiseExit(provided)
      expect(Exit.isFailure(exit) && Cause.isDie(exit.cause) && Cause.squash(exit.cause)).toEqual(
        new TypeError(message)
      )
    }
  })
})

describe("Tokens.from", () => {
  test("takes what a token endpoint responds with", () => {
    const tokens = Tokens.from(
      { access_token: "a", refresh_token: "r", expires_in: "60", token_type: "bearer" },
      { clientId: "id", obtainedAt: 1000 }
    )
    expect(tokens).toEqual(
      new Tokens({
        accessToken: Redacted.make("a"),
        refreshToken: Redacted.make("r"),
        clientId: "id",
        obtainedAt: 1000,
        expiresAt: 61_000
      })
    )
    const without = ["", null, undefined].map((none) => Tokens.from({ access_token: "a", refresh_token: none }))
    expect(without.map(({ expiresAt, refreshToken }) => expiresAt ?? refreshToken)).toEqual([
      undefined,
      undefined,
      undefined
    ])
  })

  test.each([
    [undefined, "access_token"],
    [{}, "access_token"],
    [{ access_token: "canary\n" }, "access_token"],
    [{ access_token: "a", refresh_token: 1 }, "refresh_token"],
    [{ access_token: "a", token_type: "mac" }, "token_type"]
  ])("names what is invalid in %j, and not its value", (response, member) => {
    const make = () => Tokens.from(response as never)
    expect(make).toThrow(`Tokens.from: ${member} is missing or invalid`)
    expect(make).toThrow(TypeError)
    expect(make).not.toThrow("canary")
  })
})
