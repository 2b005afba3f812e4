// A process with a session whose tokens are in a database, for tests that start several: it signs in or refreshes
// when it is told.
import { createSession, Tokens } from "catalog-client/oauth"
import * as postgres from "catalog-client/postgres"
import * as sqlite from "catalog-client/sqlite"
import sqliteInWasm from "node-sqlite3-wasm"
import { Pool } from "pg"
import { fileOver } from "./fileOver.mjs"

/** @type {{ readonly database: string, readonly tokenUrl: string }} */
const { database, tokenUrl } = JSON.parse(process.argv[2] ?? "")

const stores = () => {
  if (!database.startsWith("postgres:")) {
    return sqlite.tokenStores(fileOver(new sqliteInWasm.Database(database)))
  }
  const pool = new Pool({ connectionString: database, max: 2 })
  pool.on("error", () => undefined)
  return postgres.tokenStores(pool)
}

const session = createSession({
  clientId: "c",
  store: stores()("me"),
  // The timeout is longer than a step of a killed process lasts.
  timeout: 20_000,
  fetch: async (input, init) => fetch(tokenUrl, { method: "POST", body: await new Request(input, init).text() })
})

/** @param {{ readonly refreshToken?: string }} message */
const answer = async ({ refreshToken }) => {
  const done =
    refreshToken === undefined
      ? session.refresh()
      : session.signIn(Tokens.from({ access_token: "a", refresh_token: refreshToken, expires_in: 3600 }))
  process.send?.({ error: await done.then(() => undefined, String) })
}

process.on("message", (/** @type {{ readonly refreshToken?: string }} */ message) => void answer(message))
process.send?.({})
