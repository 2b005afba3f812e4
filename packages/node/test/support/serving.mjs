// A process of a server with the sessions of many users over one SQLite database, for tests that start several of them. It is told
// what to do by messages `{ id, use, user, url }`, of which it does many at once, and answers each by its `id`.
import { createSessions, TokenStore } from "@catalog-client/node/oauth"
import { Effect } from "effect"

const { path, profile, redirectUri, sqlitePath } = JSON.parse(process.argv[2] ?? "")
// Not bundled, since it reads a file beside it.
const { default: sqlite } = await import(sqlitePath)
const db = new sqlite.Database(path)

/** Runs a statement when the database is free, which another process may use. @type {(run: () => any) => Promise<any>} */
const whenFree = async (run) => {
  for (let turn = 0; ; turn++) {
    try {
      return run()
    } catch (error) {
      if (turn > 2000 || !/locked|busy/.test(String(error))) {
        throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4))
    }
  }
}

await whenFree(() => db.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY"))
await whenFree(() => db.exec("CREATE TABLE IF NOT EXISTS tokens (name TEXT PRIMARY KEY, value TEXT)"))
await whenFree(() => db.exec("CREATE TABLE IF NOT EXISTS locks (name TEXT PRIMARY KEY)"))

/** @param {string} key */
const lock = async (key) => {
  while ((await whenFree(() => db.run("INSERT OR IGNORE INTO locks VALUES (?)", [key]))).changes === 0) {
    await new Promise((resolve) => setTimeout(resolve, 25 + Math.random() * 25))
  }
  return () => whenFree(() => db.run("DELETE FROM locks WHERE name = ?", [key]))
}

/** @type {(key: string) => Promise<string | undefined>} */
const get = async (key) => (await whenFree(() => db.get("SELECT value FROM tokens WHERE name = ?", [key])))?.value

const sessions = createSessions({
  client: { clientId: "embedded-client", redirectUri },
  profile,
  store: (key) =>
    TokenStore.from({
      get: () => get(key),
      update: async (step) => {
        const release = await lock(key)
        try {
          const text = await get(key)
          const next = await Effect.runPromise(step(text))
          if (next === undefined) {
            await whenFree(() => db.run("DELETE FROM tokens WHERE name = ?", [key]))
          } else if (next !== text) {
            await whenFree(() => db.run("INSERT OR REPLACE INTO tokens VALUES (?, ?)", [key, next]))
          }
        } finally {
          await release()
        }
      }
    })
})

/** @type {Record<string, (user: string, url: string) => Promise<unknown>>} */
const uses = {
  begin: (user) => sessions.begin(user),
  finish: async (user, url) => (await sessions.finish(user, url)) !== undefined,
  name: async (user) => (await sessions.catalogOf(user).user.me()).name,
  // An hour passes for the sessions of this process.
  pass: async () => {
    const { now } = Date
    Date.now = () => now() + 3_600_000
  },
  close: async () => {
    await sessions.close()
    db.close()
  }
}

/** @param {{ id: number, use: string, user: string, url: string }} message */
const answer = async ({ id, url, use, user }) => {
  try {
    process.send?.({ id, value: await uses[use]?.(user, url) })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
}

process.on("message", (/** @type {{ id: number, use: string, user: string, url: string }} */ message) => {
  void answer(message)
})
process.send?.({ ready: true })
