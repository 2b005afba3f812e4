/**
 * A plan that comes from a file.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import type { EntryMembers } from "./internal/members.js"
import type { Plan, Wanted } from "./plan.js"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(schema)

const membersSchema = (): Schema.Schema<EntryMembers> =>
  Schema.Struct({
    status: maybe(Schema.String),
    num_episodes_watched: maybe(Schema.Number),
    num_chapters_read: maybe(Schema.Number),
    num_volumes_read: maybe(Schema.Number),
    score: maybe(Schema.Number),
    start_date: maybe(Schema.String),
    finish_date: maybe(Schema.String),
    comments: maybe(Schema.String),
    is_rewatching: maybe(Schema.Boolean),
    is_rereading: maybe(Schema.Boolean),
    num_times_rewatched: maybe(Schema.Number),
    num_times_reread: maybe(Schema.Number),
    rewatch_value: maybe(Schema.Number),
    reread_value: maybe(Schema.Number),
    priority: maybe(Schema.Number),
    tags: maybe(Schema.Array(Schema.String))
  })

/** What could not be planned, as it was given: its members can have any values. */
const sourceSchema = (): Schema.Schema<Wanted> =>
  Schema.declare((value): value is Wanted => typeof value === "object" && value !== null, { identifier: "Wanted" })

const planSchema = (): Schema.Schema<Plan> => {
  const members = membersSchema()
  const title = { id: Schema.Number, title: maybe(Schema.String) }
  return Schema.Struct({
    version: Schema.Literal(1),
    kind: Schema.Union(Schema.Literal("anime"), Schema.Literal("manga")),
    changes: Schema.Array(
      Schema.Struct({
        ...title,
        action: Schema.Union(Schema.Literal("add"), Schema.Literal("update"), Schema.Literal("remove")),
        set: members,
        before: members,
        notes: Schema.Array(Schema.String)
      })
    ),
    kept: Schema.Array(Schema.Struct({ ...title, reason: Schema.String })),
    problems: Schema.Array(Schema.Struct({ sources: Schema.Array(sourceSchema()), reason: Schema.String }))
  })
}

/**
 * A Schema of a {@link Plan}, for a plan that was stored as JSON.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { Schema } from "effect"
 *
 * export const readPlan = Schema.decodeUnknown(Schema.parseJson(Sync.PlanSchema))
 * ```
 */
export const PlanSchema: Schema.Schema<Plan> = /*#__PURE__*/ planSchema()
