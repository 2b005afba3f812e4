/**
 * The stores of `catalog-client/postgres` and `catalog-client/sqlite` over what drivers have. Their rows are those of the stores for
 * Effect, which packages/node and packages/oauth test over each database.
 */
import type BetterSqlite from "better-sqlite3"
import { createCatalog, Resilience } from "catalog-client"
import { createSession, Tokens } from "catalog-client/oauth"
import * as postgres from "catalog-client/postgres"
import * as sqlite from "catalog-client/sqlite"
import type { PGlite } from "@electric-sql/pglite"
import sqliteInWasm from "node-sqlite3-wasm"
import type { Pool } from "pg"
import { fork } from "node:child_process"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { expect, expectTypeOf, onTestFinished, test } from "vitest"
import { type Postgres, startPostgres } from "../../../examples/mirror/test/support/postgres.js"
import { sleep } from "../../core/test/support/eventually.js"
import { isFull } from "../../core/test/support/full.js"
import { newFolder } from "../../core/test/support/newFolder.js"
import { fileOver } from "./fileOver.mjs"

const newFile = () => join(newFolder(), "app.db")

const open = (path: string) => {
  const database = new sqliteInWasm.Database(path)
  onTestFinished(() => database.close())
  return database
}

const expired = Tokens.from({ access_token: "a", refresh_token: "r-0", expires_in: 1 }, { obtainedAt: 0 })

const sessionOver = (store: ReturnType<ReturnType<typeof sqlite.tokenStores>>, fetch: typeof globalThis.fetch) => {
  const session = createSession({ clientId: "c", store, fetch, logger: { warn: () => undefined } })
  onTestFinished(() => session.close())
  return session
}

const neverAsked = () => Promise.reject(new Error("nothing is sent"))

test("pools and drivers have the shapes", () => {
  expectTypeOf<Pool>().toExtend<postgres.PostgresPool>()
  expectTypeOf<PGlite>().toExtend<postgres.PostgresPool>()
  expectTypeOf<BetterSqlite.Database>().toExtend<sqlite.SqliteDatabase>()
})

test("what has no such shape, and invalid options, are a TypeError that says what to pass", () => {
  const pool = { query: async () => ({ rows: [] }) }
  const wrong: ReadonlyArray<readonly [() => unknown, string]> = [
    [() => postgres.tokenStores({} as never), "PostgreSQL, but got a value of type object, for example"],
    [() => postgres.rateLimitStore("postgres://" as never), "for example new Pool() of pg"],
    [() => postgres.tokenStores(Promise.resolve(pool) as never), "a promise: await it first"],
    [() => postgres.tokenStores({ ...pool, escapeIdentifier: String } as never), "but got a client, on which your"],
    [() => sqlite.tokenStores("app.db" as never), 'for example new DatabaseSync("app.db") of node:sqlite'],
    [() => sqlite.rateLimitStore(pool as never), "rateLimitStore takes a database of node:sqlite"],
    [() => postgres.tokenStores(pool, { table: "a; b" }), "tokenStores: table must be the name of a table"],
    [() => postgres.tokenStores(pool, { key: "a" } as never), 'tokenStores has no option "key"'],
    [() => postgres.rateLimitStore(pool, { key: "" }), "rateLimitStore: key must be a string that is not empty"],
    [() => postgres.rateLimitStore(pool, { timeout: "soon" as never }), "rateLimitStore: timeout must be a number"]
  ]
  for (const [use, message] of wrong) {
    expect(use).toThrow(TypeError)
    expect(use).toThrow(message)
  }
})

/** A pool whose role may not create tables. */
const refusing = (isThere: boolean) => {
  const statements: Array<string> = []
  const pool = {
    query: async (statement: string) => {
      statements.push(statement)
      if (statement.startsWith("CREATE")) {
        throw Object.assign(new Error("permission denied for schema public"), { code: "42501" })
      }
      if (!isThere) {
        throw Object.assign(new Error('relation "app.tokens" does not exist'), { code: "42P01" })
      }
      return { rows: [] }
    }
  }
  return { pool, statements }
}

test("a table that exists needs no right to create it", async () => {
  const { pool, statements } = refusing(true)
  const session = sessionOver(postgres.tokenStores(pool, { table: "app.tokens" })("ada"), neverAsked)
  expect(await session.tokens()).toBeUndefined()
  expect(statements.map((statement) => statement.split("(")[0]?.trim())).toEqual([
    "CREATE TABLE IF NOT EXISTS app.tokens",
    "SELECT 1 FROM app.tokens LIMIT 0",
    "SELECT value FROM app.tokens WHERE name = $1"
  ])
})

test("a table that cannot be created: the error has the statement", async () => {
  const { pool } = refusing(false)
  const session = sessionOver(postgres.tokenStores(pool)("ada"), neverAsked)
  await expect(session.tokens()).rejects.toMatchObject({ reason: "CredentialsUnavailable", cause: { name: "42501" } })
  const store = postgres.rateLimitStore(pool, { table: "app.quota" })
  const catalog = createCatalog({
    fetch: neverAsked,
    policies: [Resilience.rateLimit({ limit: 1, interval: 1, store })]
  })
  await expect(catalog.forum.boards({ clientId: "c" })).rejects.toMatchObject({
    reason: "RateLimitStore",
    cause: {
      message: expect.stringMatching(
        /^rateLimitStore: the table app.quota cannot be used: .*\(permission denied for schema public\).*CREATE TABLE app.quota \(/
      ) as string
    }
  })
})

test("a database that does not answer in time is a failure of the store", async () => {
  const store = postgres.rateLimitStore({ query: () => new Promise(() => undefined) }, { timeout: 50 })
  const catalog = createCatalog({
    fetch: neverAsked,
    policies: [Resilience.rateLimit({ limit: 1, interval: 1, store })]
  })
  await expect(catalog.forum.boards({ clientId: "c" })).rejects.toMatchObject({
    reason: "RateLimitStore",
    cause: { message: "The database did not respond within 50 ms" }
  })
})

test("during a refresh the program writes to the same SQLite, and what it wrote stays when the refresh fails", async () => {
  const path = newFile()
  const database = open(path)
  database.exec("CREATE TABLE orders (id INTEGER)")
  const stores = sqlite.tokenStores(fileOver(database))
  let refreshes = 0
  const session = sessionOver(stores("ada"), async () => {
    refreshes++
    database.exec("INSERT INTO orders VALUES (1)")
    open(path).exec("INSERT INTO orders VALUES (2)")
    return Response.json({ error: "server_error" }, { status: 500 })
  })
  await session.signIn(expired)
  await expect(session.refresh()).rejects.toMatchObject({ status: 500 })
  expect(refreshes).toBe(1)
  expect(database.all("SELECT id FROM orders")).toEqual([{ id: 1 }, { id: 2 }])
})

test("the stores wait for the end of a transaction of the program, and for the lock of another process", async () => {
  const path = newFile()
  const [database, other] = [open(path), open(path)]
  database.exec("CREATE TABLE orders (id INTEGER)")
  const session = sessionOver(sqlite.tokenStores(fileOver(database))("ada"), neverAsked)
  for (const writer of [database, other]) {
    writer.exec("BEGIN IMMEDIATE; INSERT INTO orders VALUES (1)")
    const signedIn = session.signIn(expired)
    await sleep(50)
    writer.exec("ROLLBACK")
    await signedIn
    // Not part of the transaction.
    expect(database.get("SELECT count(*) AS count FROM catalog_client_tokens WHERE value IS NOT NULL")).toEqual({
      count: 1
    })
    await session.signOut()
  }
  expect(database.all("SELECT id FROM orders")).toEqual([])
})

/** A server of tokens that redeems each refresh token once, and holds the request of the process that it is told to hold. */
const serveTokens = async () => {
  const spent: Array<string> = []
  let current = "r-0"
  const state: { held?: string; onHeld?: () => void } = {}
  const redeem = async (sent: string, response: ServerResponse) => {
    const token = new URLSearchParams(sent).get("refresh_token") ?? ""
    spent.push(token)
    // The service takes a while.
    await sleep(20)
    const isCurrent = token === current
    current = isCurrent ? `r-${spent.length}` : current
    response.writeHead(isCurrent ? 200 : 400, { "content-type": "application/json" })
    response.end(
      JSON.stringify(
        isCurrent
          ? { access_token: current, refresh_token: current, expires_in: 3600, token_type: "Bearer" }
          : { error: "invalid_grant" }
      )
    )
  }
  const server = createServer((request, response) => {
    if (request.url === state.held) {
      state.onHeld?.()
    } else {
      void text(request).then((sent) => redeem(sent, response))
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spent, state }
}

const overPostgres = async (): Promise<string> => {
  const server: Postgres = await startPostgres()
  onTestFinished(() => server.stop())
  return server.database()
}

test.each([["SQLite", async () => newFile()], ...(isFull ? [["PostgreSQL", overPostgres] as const] : [])] as const)(
  "processes over %s that start at once, refresh each token once, and take over from one that is killed",
  { timeout: 240_000 },
  async (_, newDatabase) => {
    const database = await newDatabase()
    const { spent, state, url } = await serveTokens()
    const start = async (name: number) => {
      const options = { database, tokenUrl: `${url}/${name}` }
      const child = fork(fileURLToPath(new URL("refreshing.mjs", import.meta.url)), [JSON.stringify(options)])
      onTestFinished(() => void child.kill("SIGKILL"))
      await once(child, "message")
      return child
    }
    const tell = async (child: Awaited<ReturnType<typeof start>>, message = {}) => {
      const answered = once(child, "message")
      child.send(message)
      const [{ error }] = (await answered) as [{ readonly error?: string }]
      return error
    }
    const children = await Promise.all(Array.from({ length: isFull ? 6 : 3 }, (_each, name) => start(name)))
    const [killed, ...others] = children
    // All create the table, and find that nobody is signed in.
    const errors = await Promise.all(children.map((child) => tell(child)))
    expect(errors).toEqual(children.map(() => expect.stringMatching(/^ClientAuthError: .*sign/) as string))
    expect(await Promise.all(others.slice(0, 1).map((child) => tell(child, { refreshToken: "r-0" })))).toEqual([
      undefined
    ])
    const rounds = isFull ? 20 : 3
    for (let round = 0; round < rounds; round++) {
      expect(await Promise.all(children.map((child) => tell(child)))).toEqual(children.map(() => undefined))
    }
    // One of them holds the lease, and is killed.
    const held = new Promise<void>((resolve) => (state.onHeld = resolve))
    state.held = "/0"
    killed?.send({})
    await held
    const rest = Promise.all(others.map((child) => tell(child)))
    await sleep(300)
    killed?.kill("SIGKILL")
    expect(await rest).toEqual(others.map(() => undefined))
    expect(spent.length).toBeGreaterThan(rounds)
    expect(new Set(spent).size).toBe(spent.length)
  }
)
