// A SQLite in WebAssembly, which needs no compiler, with the shape of drivers.

/**
 * @param {import("node-sqlite3-wasm").Database} database
 * @returns {import("catalog-client/sqlite").SqliteDatabase}
 */
export const fileOver = (database) => ({
  prepare: (statement) => ({ get: (...values) => database.get(statement, values) }),
  exec: (statement) => database.exec(statement),
  get inTransaction() {
    return database.inTransaction
  }
})
