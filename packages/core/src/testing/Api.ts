/**
 * The declaration of the service: its paths, inputs, records and error responses.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { ForumGroup } from "./internal/forum.js"
import { liveUrl } from "./internal/hosts.js"
import type { JsonType } from "./internal/jsonType.js"
import { AnimeGroup, MangaGroup } from "./internal/items.js"
import { UserGroup } from "./internal/users.js"

const refusalFields = { error: Schema.optional(Schema.String), message: Schema.optional(Schema.String) }
/** An error response of the service: all have the same form, and differ by their status. */
interface Refusal extends Schema.Struct.Type<typeof refusalFields> {}
const Refusal: Schema.Schema<Refusal> = Schema.Struct(refusalFields)

const refusals = {
  400: "A bad input, an unknown form name, or a bad client identifier: `bad_request`",
  401: "A bad or expired token: `invalid_token`",
  403: "No credential, or a private list: `forbidden`",
  404: "No such item, user, topic or entry: `not_found`"
}

const refusal = (status: keyof typeof refusals) =>
  Refusal.annotations({ identifier: "Refusal", description: refusals[status] })

interface DocumentedOperation {
  readonly parameters: Array<{ required: boolean; schema: Partial<JsonType> }>
  readonly responses: Record<string, unknown>
}

/**
 * The platform declares its own error responses for inputs that its schemas do not accept. Here the schemas accept every
 * input, and the service validates it; the credentials, which the service validates too, are declared by hand.
 */
const ownForm: Context.Tag.Service<typeof OpenApi.Transform> = ({ components, paths, ...spec }) => {
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, Refusal, ...schemas } = components.schemas
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } }
  for (const path of Object.values<Record<string, DocumentedOperation>>(paths)) {
    for (const { parameters, responses } of Object.values(path)) {
      for (const [status, description] of Object.entries(refusals)) {
        responses[status] = { description, content }
      }
      for (const parameter of parameters) {
        const { "x-required": required = parameter.required, ...schema } = parameter.schema
        Object.assign(parameter, { required, schema })
      }
    }
  }
  return {
    ...spec,
    paths,
    components: {
      ...components,
      // Each response already describes its status.
      schemas: { ...schemas, Refusal: { ...Refusal, description: "An error response of the service" } },
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer" },
        clientId: { type: "apiKey", in: "header", name: "X-MAL-CLIENT-ID" }
      }
    }
  }
}

/** The type of the service: the endpoints of four groups, and the error responses that all of them share. */
export interface CatalogApi extends HttpApi.HttpApi<
  "catalog",
  typeof AnimeGroup | typeof MangaGroup | typeof UserGroup | typeof ForumGroup,
  HttpApiDecodeError | Refusal
> {}

/**
 * The service as a value of `@effect/platform`'s `HttpApi`: an endpoint for each operation, in four groups, `anime`,
 * `manga`, `user`, `forum`. `docs/openapi.json` is generated from it. The two endpoints of the sign-in are not part of it.
 *
 * @example
 * ```ts
 * import { CatalogApi } from "@catalog-client/core/testing"
 * import { OpenApi } from "@effect/platform"
 *
 * export const paths = Object.keys(OpenApi.fromApi(CatalogApi).paths)
 * ```
 */
export const CatalogApi: CatalogApi = HttpApi.make("catalog")
  .add(AnimeGroup)
  .add(MangaGroup)
  .add(UserGroup)
  .add(ForumGroup)
  .addError(refusal(400), { status: 400 })
  .addError(refusal(401), { status: 401 })
  .addError(refusal(403), { status: 403 })
  .addError(refusal(404), { status: 404 })
  .annotate(OpenApi.Title, "Catalog")
  .annotate(OpenApi.Version, "2")
  .annotate(
    OpenApi.Description,
    "An anime and manga catalog with lists and a forum, as the embedded service implements it."
  )
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })
  .annotate(OpenApi.Servers, [{ url: liveUrl }])
  .annotate(OpenApi.Transform, ownForm)
