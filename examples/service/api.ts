/**
 * The API of the service: a shelf for each user, and a page that needs no user.
 */
import { AnimePage, SearchParams } from "@catalog-client/core/schemas"
import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity
} from "@effect/platform"
import { Context, JSONSchema, type Redacted, Schema } from "effect"

export class Unauthorized extends Schema.TaggedError<Unauthorized>()(
  "Unauthorized",
  {},
  HttpApiSchema.annotations({ status: 401 })
) {}

export class BadRequest extends Schema.TaggedError<BadRequest>()(
  "BadRequest",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 400 })
) {}

export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  {},
  HttpApiSchema.annotations({ status: 404 })
) {}

export class Unavailable extends Schema.TaggedError<Unavailable>()(
  "Unavailable",
  {},
  HttpApiSchema.annotations({ status: 503 })
) {}

/** The access token that came with a request. */
export class Token extends Context.Tag("service/Token")<Token, Redacted.Redacted>() {}

export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("service/Authorization", {
  provides: Token,
  failure: Unauthorized,
  security: { bearer: HttpApiSecurity.bearer }
}) {}

const id = HttpApiSchema.param("id", Schema.NumberFromString)

const Entry = Schema.Struct({ id: Schema.Number, title: Schema.String, watched: Schema.Number })

const shelf = HttpApiGroup.make("shelf")
  .add(
    HttpApiEndpoint.get("read", "/shelf").addSuccess(
      Schema.Struct({ owner: Schema.String, watching: Schema.Array(Entry) })
    )
  )
  .add(
    HttpApiEndpoint.put("watched")`/shelf/${id}`
      .setPayload(Schema.Struct({ watched: Schema.NonNegativeInt }))
      .addSuccess(Schema.Struct({ id: Schema.Number, watched: Schema.Number }))
  )
  .middleware(Authorization)

/** A number from a string, which OpenAPI shows with its range. */
const inQuery = (field: { readonly from: Schema.Schema<number> }) => {
  const { $schema: _, ...jsonSchema } = JSONSchema.make(field.from)
  return Schema.optional(Schema.compose(Schema.NumberFromString, field.from).annotations({ jsonSchema }))
}

const { limit, q } = SearchParams.fields

const anime = HttpApiGroup.make("anime")
  .add(HttpApiEndpoint.get("title")`/anime/${id}`.addSuccess(Schema.Struct({ title: Schema.String })))
  // Without `paging`, whose URLs are those of the catalog.
  .add(
    HttpApiEndpoint.get("search", "/anime")
      .setUrlParams(Schema.Struct({ q, limit: inQuery(limit) }))
      .addSuccess(AnimePage.pick("data"))
  )

export const Api = HttpApi.make("shelves")
  .add(shelf)
  .add(anime)
  .addError(Unauthorized)
  .addError(BadRequest)
  .addError(NotFound)
  .addError(Unavailable)
