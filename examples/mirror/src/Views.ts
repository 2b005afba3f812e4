/**
 * `anime` and `manga`: the mirror with a column for each member that people ask for. A member of another type is null.
 */
import { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

interface Json {
  readonly from: string
  readonly text: (path: string) => string
  readonly number: (path: string, type: "INTEGER" | "DOUBLE PRECISION") => string
  /** The names in a list, separated by commas. */
  readonly names: (member: string) => string
}

const sqlite: Json = {
  from: "(SELECT *, COALESCE(listed, body) AS record FROM mirror_item)",
  text: (path) => `CASE json_type(record, '$.${path}') WHEN 'text' THEN json_extract(record, '$.${path}') END`,
  number: (path, type) =>
    `CASE WHEN json_type(record, '$.${path}') IN ('integer', 'real') THEN CAST(json_extract(record, '$.${path}') AS ${type}) END`,
  names: (member) =>
    `(SELECT group_concat(json_extract(each.value, '$.name'), ', ') FROM json_each(record, '$.${member}') AS each
      WHERE each.type = 'object')`
}

/** PostgreSQL cannot read a record with a NUL or half a surrogate pair: its members are null, and its text is as it came. */
const postgres: Json = {
  from: String.raw`(SELECT *, CASE WHEN COALESCE(listed, body) !~ '\\u(0000|d[89a-f])' THEN CAST(COALESCE(listed, body) AS JSONB) END
    AS record FROM mirror_item)`,
  text: (path) => {
    const value = `record #> '{${path.replace(".", ",")}}'`
    return `CASE jsonb_typeof(${value}) WHEN 'string' THEN ${value} #>> '{}' END`
  },
  number: (path, type) => {
    const value = `record #> '{${path.replace(".", ",")}}'`
    const number = `CASE jsonb_typeof(${value}) WHEN 'number' THEN CAST(${value} AS NUMERIC) END`
    const cast = `CAST(${number} AS ${type})`
    return type === "INTEGER" ? `CASE WHEN ABS(${number}) < 2147483647 THEN ${cast} END` : cast
  },
  names: (member) =>
    `(SELECT string_agg(each.value ->> 'name', ', ') FROM jsonb_array_elements(
      CASE jsonb_typeof(record -> '${member}') WHEN 'array' THEN record -> '${member}' ELSE '[]' END) AS each(value))`
}

const viewOf = (kind: "anime" | "manga", { from, names, number, text }: Json): string => {
  const texts = (...members: ReadonlyArray<string>) => members.map((member) => [member, text(member)] as const)
  const integers = (...members: ReadonlyArray<string>) =>
    members.map((member) => [member, number(member, "INTEGER")] as const)
  const columns: ReadonlyArray<readonly [string, string]> = [
    ["id", "id"],
    ["title", "title"],
    ["english_title", text("alternative_titles.en")],
    ["state", "state"],
    ...texts("media_type", "status", "start_date", "end_date", "updated_at"),
    ["mean", number("mean", "DOUBLE PRECISION")],
    ...integers("rank", "popularity", "num_list_users", "num_scoring_users"),
    ["genres", names("genres")],
    ...(kind === "anime"
      ? [
          ...integers("num_episodes"),
          ["season_year", number("start_season.year", "INTEGER")] as const,
          ["season", text("start_season.season")] as const,
          ...texts("source", "rating"),
          ["studios", names("studios")] as const
        ]
      : integers("num_volumes", "num_chapters")),
    ["fetched_at", "fetched_at"]
  ]
  const list = columns.map(([name, value]) => `${value} AS ${name}`).join(", ")
  return `CREATE VIEW ${kind} AS SELECT ${list} FROM ${from} AS item WHERE kind = '${kind}'`
}

/** Makes both views. */
export const makeViews = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* sql`${sql.literal(viewOf("anime", json))}`
  yield* sql`${sql.literal(viewOf("manga", json))}`
})
