/**
 * The declaration of the service: its paths, inputs, records and error responses.
 *
 * @since 0.1.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
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
const Refusal: Schema.Codec<Refusal> = Schema.Struct(refusalFields).annotate({ identifier: "Refusal" })

const refusals = [400, 401, 403, 404].map((status) => Refusal.pipe(HttpApiSchema.status(status)))

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
        `/${string}`,
        OrNever<Params, Schema.Codec<Strings<Params>>>,
        OrNever<Names, Schema.Codec<UrlParams<Names>>>,
        M extends "PATCH" ? Schema.Codec<Form> : never,
        never,
        (typeof replies)[Reply],
        Schema.Codec<Refusal>
      >
    : never

type Group<Domain extends keyof Endpoints> = HttpApiGroup.HttpApiGroup<
  Domain,
  { [Name in keyof Endpoints[Domain] & string]: Declared<Name, Endpoints[Domain][Name]> }[keyof Endpoints[Domain] &
    string]
>

const struct = <S extends Schema.Struct.Fields[string]>(
  types: Iterable<readonly [string, JsonType]>,
  schemaOf: (type: JsonType) => S
) => Schema.Struct(Object.fromEntries(Array.from(types, ([name, type]) => [name, schemaOf(type)])))

const annotationsOf = ({ description = "", examples = [] }: JsonType) => ({
  description,
  examples: examples.map(String)
})

const string = (type: JsonType) => Schema.String.annotate(annotationsOf(type))

/** A repeated parameter is a list: the service uses the last value, and a schema of one string would refuse it. */
const stringOrList = (type: JsonType) =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate(annotationsOf(type))

const declare = (name: string, { access, form, method, params = {}, path, query = {}, reply }: Endpoint) => {
  const described = {
    params: struct(Object.entries(params), string),
    query: struct(Object.entries(query), (type) => Schema.optional(stringOrList(type))),
    success: replies[reply],
    error: refusals
  }
  const fields = Array.from(form ?? [], ([name, { type }]) => [name, type] as const)
  const payload = struct(fields, (type) => Schema.optional(string(type))).pipe(HttpApiSchema.asFormUrlEncoded())
  const endpoint =
    method === "PATCH"
      ? HttpApiEndpoint.make(method)(name, path, { ...described, payload })
      : HttpApiEndpoint.make(method)(name, path, described)
  return endpoint.annotate(OpenApi.Override, { security: credentials[access] })
}

const groupOf = <const Domain extends keyof Endpoints>(domain: Domain, description: string): Group<Domain> => {
  const [first, ...others] = Object.entries<Endpoint>(endpoints[domain]).map(([name, endpoint]) =>
    declare(name, endpoint)
  )
  const group = HttpApiGroup.make(domain).annotate(OpenApi.Description, description)
  // A safe cast: the type has the same names, methods and records.
  return (first === undefined ? group : group.add(first, ...others)) as unknown as Group<Domain>
}

/** The type of the service: the endpoints of four groups, and the error responses that all of them share. */
export interface CatalogApi extends HttpApi.HttpApi<
  "catalog",
  Group<"anime"> | Group<"manga"> | Group<"user"> | Group<"forum">
> {}

/**
 * The service as a value of `effect/http-api`'s `HttpApi`: an endpoint for each operation, in four groups, `anime`,
 * `manga`, `user`, `forum`. The two endpoints of the sign-in are not part of it.
 *
 * @example
 * ```ts
 * import { CatalogApi } from "@catalog-client/testing"
 * import { HttpApiClient, OpenApi } from "effect/http-api"
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
  .annotate(OpenApi.Title, "Catalog")
  .annotate(OpenApi.Version, "2")
  .annotate(
    OpenApi.Description,
    "An anime and manga catalog with lists and a forum, as the embedded service implements it."
  )
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })
  .annotate(OpenApi.Servers, [{ url: liveUrl }])
