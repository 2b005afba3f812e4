/**
 * The stores of tokens in databases: SQLite, PostgreSQL and a real Redis. `processes.test.ts` has them in several processes.
 */
// Not over the bundle: its policies and stores are Effects, made by those of core.
import { createSessions, type Sessions } from "catalog-client/oauth"
import * as ofPostgres from "catalog-client/postgres"
import * as ofSqlite from "catalog-client/sqlite"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { OAuthSessions, type Tokens, TokenStore, TokenStores } from "@catalog-client/oauth/node"
import * as RedisTokenStores from "@catalog-client/oauth/redis"
import * as SqlTokenStores from "@catalog-client/oauth/sql"
import { SqlClient } from "@effect/sql/SqlClient"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import { Context, Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import { Redis } from "ioredis"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { gate } from "../../../core/test/support/faces.js"
import { access, tokensOf } from "../../../core/test/support/oauth.js"
import { type RedisServer, startRedis } from "../../../node/test/support/redis.js"
import { backFrom, clientId, serveSignIn } from "../support/signIn.js"
import { closePostgres, type Database, databases, pgCompiler } from "../../../node/test/support/sql.js"
import { clientOver } from "../../../node/test/support/sqlClient.js"
import { sleep } from "../../../core/test/support/eventually.js"

/** Stores tokens, or removes them, as another session does. */
const put = (store: TokenStore.Service, tokens?: Tokens): Promise<void> =>
  Effect.runPromise(store.update(() => Effect.succeed(Option.fromNullable(tokens))))

/** The function of stores, which lives as long as the scope. */
const storesOf = <E, R>(layer: Layer.Layer<TokenStores, E, R>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, TokenStores).storeOf)

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => (redis as RedisServer | undefined)?.stop())
afterAll(closePostgres)

const prefix = "catalog-client:tokens:"

/** Stores over one database, and what a test does to it behind their backs. */
const overRedis = async () => {
  const connection = new Redis({ port: redis.port })
  await connection.flushall()
  const scope = await Effect.runPromise(Scope.make())
  const stores = await Effect.runPromise(Scope.extend(storesOf(RedisTokenStores.layer({ port: redis.port })), scope))
  onTestFinished(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    connection.disconnect()
  })
  return {
    store: stores,
    /** The strings that are stored, by their names. */
    rows: async () => {
      const keys = await connection.keys(`${prefix}*`)
      const rows = keys.map(async (key) => [key.slice(prefix.length), await connection.hget(key, "value")])
      return Object.fromEntries(await Promise.all(rows)) as Readonly<Record<string, string | null>>
    },
    /** Stores a string. */
    write: (user: string, text: string): Promise<unknown> => connection.hset(prefix + user, "value", text),
    /** Ends a lease, as if its owner had been suspended for too long. */
    expire: (user: string): Promise<unknown> => connection.hset(prefix + user, "until", "1"),
    /** Lets a lease end a little later, as if another process's statement had read the clock after ours. */
    postpone: (user: string): Promise<unknown> => connection.hincrby(prefix + user, "until", 1_000)
  }
}

test("the stores over Redis fail after their scope was closed", async () => {
  const stores = await Effect.runPromise(Effect.scoped(storesOf(RedisTokenStores.layer({ port: redis.port }))))
  await expect(Effect.runPromise(Effect.flip(stores("me").get))).resolves.toMatchObject({
    _tag: "TokenStoreError",
    cause: { reason: "the store was closed" }
  })
})

type Stores = TokenStores.Service["storeOf"]

const withEffect = async ({ connect }: Database): Promise<Stores> =>
  Effect.runPromise(Effect.scoped(Effect.provideService(storesOf(SqlTokenStores.layer), SqlClient, await connect())))

const withDriver = async ({ driver }: Database): Promise<Stores> => {
  const given = driver()
  return "pool" in given ? ofPostgres.tokenStores(given.pool) : ofSqlite.tokenStores(given.file)
}

const overSql =
  (newDatabase: () => Promise<Database>, storesOf: typeof withEffect): typeof overRedis =>
  async () => {
    const database = await newDatabase()
    const sql = await database.connect()
    const store = await storesOf(database)
    // Creates the table.
    await Effect.runPromise(store("nobody").get)
    return {
      store,
      rows: async () => {
        const rows = await Effect.runPromise(sql<{ name: string; value: string }>`SELECT * FROM catalog_client_tokens`)
        return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
      },
      write: (user, text) =>
        Effect.runPromise(
          sql`INSERT INTO catalog_client_tokens (name, value, lease_until) VALUES (${user}, ${text}, 0)`
        ),
      expire: (user) => Effect.runPromise(sql`UPDATE catalog_client_tokens SET lease_until = 1 WHERE name = ${user}`),
      postpone: (user) =>
        Effect.runPromise(sql`UPDATE catalog_client_tokens SET lease_until = lease_until + 1000 WHERE name = ${user}`)
    }
  }

const accessIn = async (store: TokenStore.Service) =>
  Option.getOrUndefined(Option.map(await Effect.runPromise(store.get), (tokens) => Redacted.value(tokens.accessToken)))

describe.each([
  ...databases.flatMap(([name, newDatabase]) => [
    [name, overSql(newDatabase, withEffect)] as const,
    [`${name}, by its driver`, overSql(newDatabase, withDriver)] as const
  ]),
  ["Redis", overRedis] as const
])("over %s", (_, open) => {
  test("tokens are read as they were stored, for each user, and nothing is left of removed ones", async () => {
    const { rows, store } = await open()
    const [ann, bob] = [store("ann"), store("bob")]
    expect(ann.scope).toBe("processes")
    expect(await accessIn(ann)).toBeUndefined()
    await put(ann, tokensOf(1))
    await put(ann, tokensOf(2))
    await put(bob, tokensOf(3))
    expect([await accessIn(store("ann")), await accessIn(bob)]).toEqual([access(2), access(3)])
    await put(ann)
    await put(ann)
    await Effect.runPromise(ann.update(Effect.succeed))
    expect(await accessIn(ann)).toBeUndefined()
    expect(Object.keys(await rows())).toEqual(["bob"])
  })

  test("steps of one user run one after the other, those of others do not wait", async () => {
    const { store } = await open()
    const { open: leave, promise } = gate()
    const order: Array<string> = []
    const held = Effect.runPromise(
      store("ann").update(() =>
        Effect.as(
          Effect.promise(() => promise),
          Option.some(tokensOf(1))
        )
      )
    )
    const next = store("ann").update((stored) => {
      order.push(Option.match(stored, { onNone: () => "none", onSome: (tokens) => Redacted.value(tokens.accessToken) }))
      return Effect.succeed(Option.some(tokensOf(2)))
    })
    await put(store("bob"), tokensOf(3))
    const second = Effect.runPromise(next)
    await sleep(100)
    expect(order).toEqual([])
    leave()
    await Promise.all([held, second])
    expect(order).toEqual([access(1)])
    expect(await accessIn(store("ann"))).toBe(access(2))
  })

  test("a process that lost the lease writes nothing, and a wait that is interrupted takes none", async () => {
    const { expire, postpone, store } = await open()
    const ann = store("ann")
    await put(ann, tokensOf(1))
    const { open: leave, promise } = gate()
    const { open: begin, promise: begun } = gate()
    const frozen = Effect.runPromise(
      ann.update(() => {
        begin()
        return Effect.as(
          Effect.promise(() => promise),
          Option.some(tokensOf(2))
        )
      })
    )
    await begun
    await postpone("ann")
    const waiting = Effect.timeoutOption(store("ann").update(Effect.succeed), 100)
    expect(await Effect.runPromise(waiting)).toEqual(Option.none())
    await expire("ann")
    await put(store("ann"), tokensOf(9))
    leave()
    await expect(frozen).rejects.toThrow("the lease was lost")
    expect(await accessIn(ann)).toBe(access(9))
  })

  test("one redirect that reaches two servers at once is redeemed once", async () => {
    const { rows, store } = await open()
    const { profile, tokenRequests } = await serveSignIn()
    const client = { clientId, redirectUri: "http://localhost:8080/callback" }
    const [one, other] = [1, 2].map(() => createSessions({ client, profile, store })) as [Sessions, Sessions]
    onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined))
    const back = await backFrom(await one.begin("ann"))
    const both = await Promise.all([one.finish("ann", back), other.finish("ann", back)])
    expect(both.filter((tokens) => tokens !== undefined)).toHaveLength(1)
    expect([tokenRequests.length, Object.keys(await rows())]).toEqual([1, ["ann"]])
  })

  test("a value that is not this client's is kept under another name", async () => {
    const { rows, store, write } = await open()
    const foreign = TokenStore.encode(tokensOf(7, { of: "another" }))
    for (const text of ["not tokens", foreign]) {
      const user = `user of ${text.length}`
      await write(user, text)
      await Effect.runPromise(store(user).update(Effect.succeed))
      await put(store(user), tokensOf(1))
      const kept = Object.entries(await rows()).filter(([name]) => name.startsWith(`${user}.aside.`))
      expect(kept.map(([, value]) => value)).toEqual([text])
    }
  })
})

test("over PostgreSQL, a change inside a transaction of the program is not part of it", async () => {
  const [apart, inside]: [Array<string>, Array<string>] = [[], []]
  const noting = (texts: Array<string>) => (text: string) => {
    texts.push(text.trim().split(" ")[0] ?? "")
    return text.includes("RETURNING") ? [{ value: null }] : []
  }
  const sql = await clientOver(pgCompiler, noting(apart), noting(inside))
  const store = await Effect.runPromise(
    Effect.scoped(Effect.provideService(storesOf(SqlTokenStores.layer), SqlClient, sql))
  )
  const change = store("ann").update(() => Effect.succeed(Option.some(tokensOf(1))))
  await Effect.runPromise(sql.withTransaction(Effect.zipRight(change, store("ann").get)))
  expect(apart).toEqual(["CREATE", "INSERT", "UPDATE", "SELECT"])
  expect(inside).toEqual(["BEGIN", "COMMIT"])
})

test("over SQLite's one connection, a store fails at once inside a transaction of the program", async () => {
  const sql = await clientOver(makeCompilerSqlite(), () => [])
  const stores = await Effect.runPromise(
    Effect.scoped(Effect.provideService(storesOf(SqlTokenStores.layer), SqlClient, sql))
  )
  const store = stores("ann")
  for (const use of [Effect.asVoid(store.get), store.update(Effect.succeed)]) {
    const error = await Effect.runPromise(Effect.flip(sql.withTransaction(use)))
    expect(error).toMatchObject({
      _tag: "TokenStoreError",
      cause: { message: "tokenStores: the call is inside a transaction. Move it before or after the transaction." }
    })
  }
  const client = { clientId: "my-client-id", redirectUri: "http://localhost:8080/callback" }
  const live = OAuthSessions.layer(client).pipe(
    Layer.provide([Layer.succeed(TokenStores, { storeOf: stores }), EmbeddedCatalog.layer()])
  )
  const begun = Effect.flatMap(OAuthSessions, ({ begin }) => Effect.flip(sql.withTransaction(begin("ann"))))
  expect(await Effect.runPromise(Effect.provide(begun, live))).toMatchObject({ cause: { name: "InsideTransaction" } })
})

test.each(databases)(
  "over %s, a lease that ends an hour later than ours is of a clock that was set back",
  async (_, newDatabase) => {
    const database = await newDatabase()
    const sql = await database.connect()
    const store = (await withEffect(database))("ann")
    await put(store, tokensOf(1))
    await Effect.runPromise(
      sql`UPDATE catalog_client_tokens SET lease_owner = 'another', lease_until = ${Date.now() + 3_600_000}`
    )
    await Effect.runPromise(
      Effect.timeoutFail(store.update(Effect.succeed), { duration: 5_000, onTimeout: () => "waits" })
    )
  }
)
