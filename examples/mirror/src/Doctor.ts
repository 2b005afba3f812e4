/**
 * What can be wrong with a mirror.
 */
import { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { Service } from "./Service.js"
import { failuresIn } from "./Progress.js"
import { Store } from "./Store.js"

export interface Finding {
  readonly isWell: boolean
  readonly what: string
}

export const examine = Effect.gen(function* () {
  const sql = yield* SqlClient
  const store = yield* Store
  const service = yield* Service

  const check = (well: string, examined: Effect.Effect<string | undefined, unknown>): Effect.Effect<Finding> =>
    examined.pipe(
      Effect.catchAllCause((cause) => Effect.succeed(`${well}: ${String(cause)}`)),
      Effect.map((wrong) => ({ isWell: wrong === undefined, what: wrong ?? well }))
    )

  const integrity = sql.onDialectOrElse({
    pg: () => Effect.succeed(undefined),
    orElse: () =>
      Effect.map(sql<{ quick_check: string }>`PRAGMA quick_check(1)`, ([row]) =>
        row?.quick_check === "ok" ? undefined : `the file is damaged: ${row?.quick_check}. Restore a copy of it.`
      )
  })

  const records = Effect.map(
    sql<{ n: number }>`SELECT CAST(COUNT(*) AS INTEGER) AS n FROM mirror_item WHERE state = 'gone' AND strikes < 2`,
    ([row]) => (row?.n === 0 ? undefined : `${row?.n} items are deleted after fewer than two 404s`)
  )

  const run = Effect.map(store.progress(), (progress) =>
    progress?.phase === "stopped"
      ? `the run stopped: ${progress.reason ?? ""} \`catalog-mirror resume\` goes on.`
      : undefined
  )

  const failures = Effect.map(store.failures, (items) => (items.length === 0 ? undefined : failuresIn(items)))

  const answers = Effect.match(service.page("anime/bypopularity", undefined), {
    onFailure: ({ message }) => message,
    onSuccess: ({ nodes }) => (nodes.length > 0 ? undefined : "the service answers with an empty list")
  })

  return yield* Effect.all([
    check("the database is whole", integrity),
    check("deletions have two 404s each", records),
    check("the last run ended well", run),
    check("each item had a usable response", failures),
    check("the service answers, and takes the credential", answers)
  ])
})
