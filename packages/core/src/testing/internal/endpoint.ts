/**
 * An endpoint of the service: its inputs, its reply, and its handler.
 *
 * The declaration describes requests and replies and validates nothing: inputs are strings, members of replies are
 * optional. The handler validates inputs and responds to invalid ones.
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Access } from "./access.js"
import { type JsonType, word } from "./jsonType.js"
import type { Query } from "./inputs.js"
import type { Limits } from "./paging.js"
import type { Refusal } from "./response.js"
import { handling, type Call, type Service } from "./service.js"

/** A repeated parameter is a list: the service uses the last value, and a schema of one string would refuse it. */
export const input = (description: string, type: JsonType = { type: "string" }) =>
  Schema.optional(
    Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
      description,
      jsonSchema: { ...type, description }
    })
  )

/** The parameters of a query. */
export const query = <Names extends string>(inputs: Readonly<Record<Names, ReturnType<typeof input>>>) =>
  Schema.Struct<Schema.Struct.Fields>(inputs) as unknown as Schema.Schema<Query<Names>>

/** A parameter that is one of some words. */
export const oneOfWords = (description: string, words: Iterable<string>, more?: Partial<JsonType>) =>
  input(description, { ...word(...words), ...more })

export const fields = {
  fields: input("Comma-separated names, nestable in braces: `a,b{c,d}`. Unknown names are ignored.", {
    type: "string",
    examples: ["mean,genres{name}"]
  })
}

export const paged = ({ usual, max }: Limits) => ({
  limit: input("Entries of a page.", { type: "integer", minimum: 1, maximum: max, default: usual }),
  offset: input("Entries before the page.", { type: "integer", minimum: 0, default: 0 })
})

export const works = {
  ...fields,
  nsfw: input("`true` shows works marked gray or black, which are hidden by default.", {
    type: "boolean",
    default: false
  })
}

/** The form of a write, by the values that the service validates. */
export const form = (values: ReadonlyMap<string, { readonly type: JsonType }>) =>
  Schema.Struct(
    Object.fromEntries(
      [...values].map(([name, { type }]) => [name, Schema.optional(Schema.String.annotations({ jsonSchema: type }))])
    )
  ).pipe(HttpApiSchema.withEncoding({ kind: "UrlParams" }))

/** The parameters of a path. */
export const path = <Names extends string>(types: Readonly<Record<Names, JsonType>>) =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries<JsonType>(types).map(([name, type]) => [name, Schema.String.annotations({ jsonSchema: type })])
    ) as { [Name in Names]: typeof Schema.String }
  )

/** The credentials that an endpoint accepts; any one of them is enough. */
const credentials: Readonly<Record<Access, ReadonlyArray<object>>> = {
  public: [{}, { clientId: [] }, { accessToken: [] }],
  identified: [{ clientId: [] }, { accessToken: [] }],
  token: [{ accessToken: [] }]
}

/** Which credentials an endpoint needs. */
class AccessOf extends Context.Tag("@catalog-client/core/testing/AccessOf")<AccessOf, Access>() {}

/** An endpoint that accepts these credentials. */
export const endpoint = <
  const Name extends string,
  const Method extends HttpMethod.HttpMethod,
  Success extends Schema.Schema.AnyNoContext
>(
  name: Name,
  method: Method,
  path: `/${string}`,
  access: Access,
  success: Success
) =>
  HttpApiEndpoint.make(method)(name, path)
    .addSuccess(success)
    .annotate(OpenApi.Override, { security: credentials[access] })
    .annotate(AccessOf, access)

interface RawInputs {
  readonly request: HttpServerRequest.HttpServerRequest
}

interface Handled {
  readonly handler: (call: Call, inputs: RawInputs) => Effect.Effect<unknown, Refusal> | Either.Either<unknown, Refusal>
  readonly access: ((inputs: RawInputs) => Access) | undefined
}

/** The handler of an endpoint. */
class HandlerOf extends Context.Tag("@catalog-client/core/testing/HandlerOf")<HandlerOf, Handled>() {}

type Inputs<E extends HttpApiEndpoint.HttpApiEndpoint.Any> = HttpApiEndpoint.HttpApiEndpoint.RequestRaw<E> & RawInputs

/** An endpoint with its handler. `access` is for an endpoint that needs other credentials for some inputs. */
export const handled = <E extends HttpApiEndpoint.HttpApiEndpoint.Any>(
  endpoint: E,
  handler: (call: Call, inputs: Inputs<E>) => ReturnType<Handled["handler"]>,
  access?: (inputs: Inputs<E>) => Access
): E => {
  const own = endpoint as unknown as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
  // The router passes the inputs of this endpoint.
  return own.annotate(HandlerOf, { handler, access } as unknown as Handled) as unknown as E
}

/** The handler of an endpoint, for one instance of the service. */
export const handlerOf = (
  service: Service,
  { annotations }: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
): ((inputs: RawInputs) => Effect.Effect<HttpServerResponse.HttpServerResponse>) => {
  // `endpoint` and `handled` have set them.
  const context = annotations as Context.Context<AccessOf | HandlerOf>
  const { access, handler } = Context.get(context, HandlerOf)
  return handling(service)(access ?? Context.get(context, AccessOf), handler)
}
