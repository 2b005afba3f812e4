/**
 * Operations that the client does not have. A value is called as an Effect, and on a client.
 */
import { type CatalogClient, Operation } from "@catalog-client/core"
import { Effect, Schema, Stream } from "effect"

/** A text of the service that is a date, possibly without a day or a month. */
const Day = Schema.Struct({ title: Schema.String, start_date: Schema.optional(Schema.Date) })

/** When an anime began, as a `Date`. */
const beginning = Operation.make({
  name: "shelf.beginning",
  method: "GET",
  path: "/anime/{id}",
  inputs: { id: Schema.Number, fields: Schema.Literal("start_date") },
  cacheable: true,
  reply: Day
})

/** Sets a score, and nothing else. */
export const score = Operation.make({
  name: "shelf.score",
  method: "PATCH",
  path: "/anime/{id}/my_list_status",
  inputs: { id: Schema.Number, score: Schema.Int.pipe(Schema.between(0, 10)) },
  token: true,
  reply: Schema.Struct({ score: Schema.Number })
})

/** A user's list, page by page, with the titles alone. */
const shelf = Operation.paged({
  name: "shelf.list",
  method: "GET",
  path: "/users/{user}/animelist",
  inputs: { user: Schema.String, status: Schema.optional(Schema.Literal("watching", "completed")) },
  token: true,
  limit: { maximum: 1000 },
  reply: Operation.pageSchema(Schema.Struct({ node: Schema.Struct({ id: Schema.Number, title: Schema.String }) }))
})

/** With Effect: it needs a transport and credentials, and fails with the errors of its operations. */
export const rated = (id: number, points: number) =>
  Effect.gen(function* () {
    yield* score({ id, score: points })
    return yield* beginning({ id, fields: "start_date" })
  })

/** With a client as a value. */
export const titles = (client: CatalogClient.Service) =>
  client.call.items(shelf, { user: "@me" }).pipe(Stream.map(({ node }) => node.title))
