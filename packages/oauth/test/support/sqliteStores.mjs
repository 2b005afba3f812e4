// Stores of tokens over a SQLite file, which several processes use: in WebAssembly, it does not wait for another one by itself.
import { TokenStores } from "@catalog-client/oauth"
import * as SqlTokenStores from "@catalog-client/oauth/sql"
import { SqlClient } from "@effect/sql/SqlClient"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import { Effect, Layer } from "effect"
import { clientOver } from "../../../node/test/support/sqlClient.js"

/**
 * @param {string} path
 * @param {string} sqlitePath
 */
export const sqliteStores = async (path, sqlitePath) => {
  // Not bundled, since it reads a file beside it.
  const { default: sqlite } = await import(sqlitePath)
  const database = new sqlite.Database(path)
  const client = await clientOver(makeCompilerSqlite(), async (sql, params) => {
    for (let turn = 0; ; turn++) {
      try {
        return database.all(sql, [...params])
      } catch (error) {
        if (turn > 2000 || !/locked|busy/.test(String(error))) {
          throw error
        }
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4))
      }
    }
  })
  const layer = Layer.provide(SqlTokenStores.layer, Layer.succeed(SqlClient, client))
  return Effect.runPromise(
    Effect.provide(
      Effect.map(TokenStores, ({ storeOf }) => storeOf),
      layer
    )
  )
}
