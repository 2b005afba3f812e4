/**
 * A plan that comes from a file.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import type { EntryMembers } from "./internal/members.js"
import type { Plan, Wanted } from "./plan.js"

const membersSchema = (): Schema.Schema<EntryMembers> =>
  Schema.Struct({
    status: Schema.optional(Schema.String),
    num_episodes_watched: Schema.optional(Schema.Number),
    num_chapters_read: Schema.optional(Schema.Number),
    num_volumes_read: Schema.optional(Schema.Number),
    score: Schema.optional(Schema.Number),
    start_date: Schema.optional(Schema.String),
    finish_date: Schema.optional(Schema.String),
    comments: Schema.optional(Schema.String),
    is_rewatching: Schema.optional(Schema.Boolean),
    is_rereading: Schema.optional(Schema.Boolean),
    num_times_rewatched: Schema.optional(Schema.Number),
    num_times_reread: Schema.optional(Schema.Number),
    rewatch_value: Schema.optional(Schema.Number),
    reread_value: Schema.optional(Schema.Number),
    priority: Schema.optional(Schema.Number),
    tags: Schema.optional(Schema.Array(Schema.String))
  })

/** What could not be planned, as it was given: its members can have any values. */
const sourceSchema = (): Schema.Schema<Wanted> =>
  Schema.declare((value): value is Wanted => typeof value === "object" && value !== null, { identifier: "Wanted" })

const planSchema = (): Schema.Schema<Plan> => {
  const members = membersSchema()
  const title = { id: Schema.Number, title: Schema.optional(Schema.String) }
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
