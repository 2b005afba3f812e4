/**
 * The mirror as a file for others: NDJSON, SQLite or Parquet, of one moment, whole or not there.
 */
import { SqlClient } from "@effect/sql/SqlClient"
import Sqlite from "better-sqlite3"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename } from "node:path"
import { pipeline } from "node:stream/promises"

/** The members of an item as it is exported. `body` and `listed` are records as the service sent them, as JSON. */
const types = {
  kind: "STRING",
  id: "INT32",
  title: "STRING",
  state: "STRING",
  fetched_at: "DOUBLE",
  body: "STRING",
  listed: "STRING"
} as const
const columns = Object.keys(types) as ReadonlyArray<keyof typeof types>

interface Row {
  readonly kind: string
  readonly id: number
  readonly title: string | null
  readonly state: string
  readonly fetched_at: number | null
  readonly body: string | null
  readonly listed: string | null
}

/** What takes rows, and makes a file of them. */
interface Sink {
  readonly write: (rows: ReadonlyArray<Row>) => Promise<void> | void
  readonly close: () => Promise<void> | void
}

const ndjson = async (path: string): Promise<Sink> => {
  const file = await open(path, "w")
  const line = ({ body, fetched_at, listed, ...row }: Row): string => {
    const head = JSON.stringify({ ...row, fetched_at: fetched_at === null ? null : new Date(fetched_at).toISOString() })
    return `${head.slice(0, -1)},"body":${body ?? "null"},"listed":${listed ?? "null"}}\n`
  }
  return { write: (rows) => file.appendFile(rows.map(line).join("")), close: () => file.close() }
}

const sqlite = async (path: string): Promise<Sink> => {
  const file = new Sqlite(path)
  file.exec(`CREATE TABLE item (
    kind TEXT NOT NULL, id INTEGER NOT NULL, title TEXT, state TEXT NOT NULL, fetched_at REAL, body TEXT, listed TEXT,
    PRIMARY KEY (kind, id)
  )`)
  const insert = file.prepare(`INSERT INTO item VALUES (${columns.map(() => "?").join(", ")})`)
  const write = file.transaction((rows: ReadonlyArray<Row>) => {
    for (const row of rows) {
      insert.run(columns.map((column) => row[column]))
    }
  })
  return { write, close: () => void file.close() }
}

const parquet = async (path: string): Promise<Sink> => {
  const { ParquetWriter, fileWriter, schemaFromColumnData } = await import("hyparquet-writer")
  const columnsOf = (rows: ReadonlyArray<Row>) =>
    columns.map((name) => ({ name, data: rows.map((row) => row[name]), type: types[name], nullable: true }))
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: columnsOf([]) })
  })
  return {
    write: (rows) => writer.write({ columnData: columnsOf(rows), rowGroupSize: rows.length }),
    close: () => writer.finish()
  }
}

const sinks = { ndjson, sqlite, parquet }
type Format = keyof typeof sinks
export const formats = Object.keys(sinks) as ReadonlyArray<Format>

const pageSize = 1000

/** The items with a record, or those that changed after a change, page by page. */
const forEachPage = <E>(since: number, use: (rows: ReadonlyArray<Row>) => Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const sql = (yield* SqlClient).withoutTransforms()
    for (let after: Pick<Row, "kind" | "id"> | undefined = { kind: "", id: 0 }; after !== undefined;) {
      const { id, kind }: Pick<Row, "kind" | "id"> = after
      const rows: ReadonlyArray<Row> = yield* sql<Row>`SELECT ${sql.literal(columns.join(", "))}
        FROM mirror_item WHERE (kind > ${kind} OR (kind = ${kind} AND id > ${id}))
          AND (body IS NOT NULL OR listed IS NOT NULL)
          AND (${since} = 0 OR EXISTS (
            SELECT 1 FROM mirror_change AS change
            WHERE change.kind = mirror_item.kind AND change.id = mirror_item.id AND change.seq > ${since}))
        ORDER BY kind, id LIMIT ${pageSize}`
      after = rows.at(-1)
      yield* rows.length === 0 ? Effect.void : use(rows)
    }
  })

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256").setEncoding("hex")
  await pipeline(createReadStream(path), hash)
  return String(hash.read())
}

/** The file could not be written. An earlier one is as it was. */
export class ExportFailed extends Data.TaggedError("ExportFailed")<{ readonly cause: unknown }> {
  override get message(): string {
    const why = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `The export could not be written: ${why}. The mirror, and an earlier export, are as they were.`
  }
}

/** The files that an export writes: itself, its manifest, and both under temporary names. */
export const filesOf = (file: string) =>
  [file, `${file}.manifest.json`, `${file}.part`, `${file}.manifest.part`] as const

/** Writes the file and its manifest under temporary names, and renames them when they are whole. */
export const exportTo = (file: string, format: Format, since: number) =>
  Effect.gen(function* () {
    const sql = (yield* SqlClient).withoutTransforms()
    const [, manifestFile, part, manifestPart] = filesOf(file)
    const promise = <A>(act: () => PromiseLike<A> | A) =>
      Effect.tryPromise({ try: async () => act(), catch: (cause) => new ExportFailed({ cause }) })
    yield* promise(() => rm(part, { force: true }))
    const counts = { live: 0, gone: 0 }
    const write = Effect.acquireUseRelease(
      promise(() => sinks[format](part)),
      (sink) =>
        forEachPage(since, (rows) => {
          for (const { state } of rows) {
            counts[state === "gone" ? "gone" : "live"] += 1
          }
          return promise(() => sink.write(rows))
        }),
      (sink) => Effect.orDie(promise(() => sink.close()))
    )
    // All of one moment, whatever a run commits meanwhile.
    const seq = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.onDialectOrElse({
          pg: () =>
            // It locks nothing, and may take its time to write.
            Effect.zipRight(
              sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`,
              sql`SET LOCAL idle_in_transaction_session_timeout = 0`
            ),
          orElse: () => Effect.succeed([])
        })
        const [last] = yield* sql<{ seq: number }>`SELECT COALESCE(MAX(seq), 0) AS seq FROM mirror_change`
        yield* write
        return last?.seq ?? 0
      })
    )
    const manifest = {
      file: basename(file),
      format,
      exportedAt: new Date(yield* Clock.currentTimeMillis).toISOString(),
      // All changes up to this one are in it: the next export can begin here.
      seq,
      since,
      rows: counts.live + counts.gone,
      ...counts,
      bytes: (yield* promise(() => stat(part))).size,
      sha256: yield* promise(() => hashOf(part))
    }
    yield* promise(() => writeFile(manifestPart, `${JSON.stringify(manifest, undefined, 2)}\n`))
    yield* promise(() => rename(part, file)).pipe(Effect.withSpan("mirror.export"))
    yield* promise(() => rename(manifestPart, manifestFile))
    return manifest
  })
