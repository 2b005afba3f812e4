/**
 * The declaration of the service: its paths, inputs, records and error responses.
 *
 * @since 0.2.0
 */
// Counterpart for Effect 4: effect4/testing/src/Api.ts
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { Access } from "./internal/service/access.js"
import type { Endpoint } from "./internal/service/endpoint.js"
import { endpoints } from "./internal/service/endpoints.js"
import { liveUrl } from "./internal/service/hosts.js"
import type { JsonType } from "./internal/service/jsonType.js"
import { replies } from "./internal/service/replies.js"

const refusalFields = { error: Schema.optional(Schema.String), message: Schema.optional(Schema.String) }
/** An error response of the service: all have the same form, and differ by their status. */
type Refusal = Schema.Struct.Type<typeof refusalFields>
const Refusal: Schema.Schema<Refusal> = Schema.Struct(refusalFields)

const refusals = {
  400: "A bad input, an unknown form name, or a bad client ID: `bad_request`",
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

/** The credentials that an endpoint accepts; any one of them is enough. */
const credentials: Readonly<Record<Access, ReadonlyArray<object>>> = {
  public: [{}, { clientId: [] }, { accessToken: [] }],
  identified: [{ clientId: [] }, { accessToken: [] }],
  token: [{ accessToken: [] }]
}

type Strings<Names extends string> = { readonly [Name in Names]: string }
type UrlParams<Names extends string> = { readonly [Name in Names]?: string | ReadonlyArray<string> | undefined }
type Form = { readonly [name: string]: string | undefined }
/** `Type`, or `never` if there are no names. */
type OrNever<Names, Type> = [Names] extends [never] ? never : Type

type Endpoints = typeof endpoints

/** An endpoint of the service, as a type of the platform. */
type Declared<Name extends string, E> =
  E extends Endpoint<infer M, infer Params, infer Names, infer Reply>
    ? HttpApiEndpoint.HttpApiEndpoint<
        Name,
        M,
        OrNever<Params, Strings<Params>>,
        OrNever<Names, UrlParams<Names>>,
        M extends "PATCH" ? Form : never,
        never,
        Schema.Schema.Type<(typeof replies)[Reply]>
      >
    : never

type Group<Domain extends keyof Endpoints> = HttpApiGroup.HttpApiGroup<
  Domain,
  { [Name in keyof Endpoints[Domain] & string]: Declared<Name, Endpoints[Domain][Name]> }[keyof Endpoints[Domain] &
    string],
  never
>

const struct = (types: Iterable<readonly [string, JsonType]>, schemaOf: (type: JsonType) => Schema.Struct.Field) =>
  Schema.Struct(Object.fromEntries(Array.from(types, ([name, type]) => [name, schemaOf(type)])))

const string = (jsonSchema: JsonType) => Schema.String.annotations({ jsonSchema })

/** A repeated parameter is a list: the service uses the last value, and a schema of one string would refuse it. */
const stringOrList = (jsonSchema: JsonType) =>
  Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
    description: jsonSchema.description ?? "",
    jsonSchema
  })

const declare = (name: string, { access, form, method, params, path, query, reply }: Endpoint) => {
  const typesOf = (inputs: Readonly<Record<string, JsonType>> = {}) => Object.entries(inputs)
  const forms = Array.from(form ?? [], ([name, { type }]) => [name, type] as const)
  const endpoint = HttpApiEndpoint.make(method)(name, path)
    .addSuccess(replies[reply] as Schema.Schema.AnyNoContext)
    .setPath(struct(typesOf(params), string))
    .setUrlParams(struct(typesOf(query), (type) => Schema.optional(stringOrList(type))))
    .annotate(OpenApi.Override, { security: credentials[access] })
  const payload = struct(forms, (type) => Schema.optional(string(type)))
  return forms.length === 0
    ? endpoint
    : endpoint.setPayload(payload.pipe(HttpApiSchema.withEncoding({ kind: "UrlParams" })))
}

const groupOf = <const Domain extends keyof Endpoints>(domain: Domain, description: string): Group<Domain> => {
  let group: HttpApiGroup.HttpApiGroup<Domain, HttpApiEndpoint.HttpApiEndpoint.Any, never> = HttpApiGroup.make(
    domain
  ).annotate(OpenApi.Description, description)
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints[domain])) {
    group = group.add(declare(name, endpoint))
  }
  // A safe cast: the type has the same names, methods and records.
  return group as unknown as Group<Domain>
}

/** The type of the service: the endpoints of four groups, and the error responses that all of them share. */
export interface CatalogApi extends HttpApi.HttpApi<
  "catalog",
  Group<"anime"> | Group<"manga"> | Group<"user"> | Group<"forum">,
  HttpApiDecodeError | Refusal
> {}

/**
 * The service as a value of `@effect/platform`'s `HttpApi`: an endpoint for each operation, in four groups, `anime`,
 * `manga`, `user`, `forum`. The two endpoints of the sign-in are not part of it.
 *
 * @example
 * ```ts
 * import { CatalogApi } from "@catalog-client/testing"
 * import { HttpApiClient, OpenApi } from "@effect/platform"
 *
 * export const client = HttpApiClient.make(CatalogApi)
 *
 * export const paths = Object.keys(OpenApi.fromApi(CatalogApi).paths)
 * ```
 */
export const CatalogApi: CatalogApi = HttpApi.make("catalog")
  .add(groupOf("anime", "Anime, and what a user keeps of them."))
  .add(groupOf("manga", "Manga, and what a user keeps of them."))
  .add(groupOf("user", "Users and their lists."))
  .add(groupOf("forum", "Boards, topics and posts."))
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
