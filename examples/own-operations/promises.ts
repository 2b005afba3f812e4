/**
 * Such operations with promises. `catalog-client` takes Schemas of any library that implements Standard Schema, here Effect's.
 */
import { type Catalog, Operation } from "catalog-client"
import { Schema } from "effect"

const Score = Schema.Int.pipe(Schema.between(0, 10))

/** Sets a score, and nothing else. */
export const score = Operation.make({
  name: "shelf.score",
  method: "PATCH",
  path: "/anime/{id}/my_list_status",
  inputs: { id: Operation.type<number>(), score: Schema.standardSchemaV1(Score) },
  token: true,
  reply: Schema.standardSchemaV1(Schema.Struct({ score: Schema.Number }))
})

/** When an anime began, as a `Date`. */
export const beginning = Operation.make({
  name: "shelf.beginning",
  method: "GET",
  path: "/anime/{id}",
  inputs: { id: Operation.type<number>(), fields: Operation.type<"start_date">() },
  cacheable: true,
  reply: Schema.standardSchemaV1(Schema.Struct({ start_date: Schema.optional(Schema.Date) }))
})

/** A user's list, page by page, with the titles alone. */
export const shelf = Operation.paged({
  name: "shelf.list",
  method: "GET",
  path: "/users/{user}/animelist",
  inputs: { user: Operation.type<string>(), status: Operation.type<"watching" | "completed" | undefined>() },
  token: true,
  limit: { maximum: 1000 },
  reply: Operation.type<{
    readonly data: ReadonlyArray<{ readonly node: { readonly id: number; readonly title: string } }>
    readonly paging?: { readonly next?: string }
  }>()
})

export const firstTitle = async (catalog: Catalog, status?: "watching" | "completed") => {
  for await (const { node } of catalog.call.items(shelf, { user: "@me", status })) {
    return node.title
  }
  return undefined
}
