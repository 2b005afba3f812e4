/**
 * An endpoint of the service: its inputs, its reply, and its handler. `../Api.ts` declares the service from these values.
 *
 * The declaration validates nothing: inputs are strings, members of replies are optional. The handler validates inputs and
 * responds to invalid ones.
 */
import type { Access } from "./access.js"
import { type JsonType, word } from "./jsonType.js"
import type { Limits } from "./paging.js"
import type { replies } from "./replies.js"
import type { GrantedRequest } from "./service.js"

/** Inputs by their names. */
type Inputs<Names extends string> = Readonly<Record<Names, JsonType>>

export type Method = "GET" | "PATCH" | "DELETE"

export interface Endpoint<
  M extends Method = Method,
  Params extends string = string,
  Names extends string = string,
  Reply extends keyof typeof replies = keyof typeof replies
> {
  readonly method: M
  readonly path: `/${string}`
  readonly access: Access
  /** The parameters of the path. */
  readonly params?: Inputs<Params>
  /** The parameters of the query. */
  readonly query?: Inputs<Names>
  /** The fields of a form in the body. */
  readonly form?: ReadonlyMap<string, { readonly type: JsonType }>
  readonly reply: Reply
  /** Returns the reply, or throws a `Refusal`. */
  handle(request: GrantedRequest<Names, Params>): unknown
}

/** An endpoint with the types of its inputs. */
export const endpoint = <
  const M extends Method,
  const Reply extends keyof typeof replies,
  const Params extends string = never,
  const Names extends string = never
>(
  value: Endpoint<M, Params, Names, Reply>
): Endpoint<M, Params, Names, Reply> => value

export const input = (description: string, type: JsonType = { type: "string" }): JsonType => ({ ...type, description })

/** A parameter that is one of some words. */
export const oneOfWords = (description: string, words: Iterable<string>, more?: Partial<JsonType>): JsonType =>
  input(description, { ...word(...words), ...more })

export const fields = {
  fields: input("Comma-separated names, nestable in braces: `a,b{c,d}`. Unknown names are ignored.", {
    type: "string",
    examples: ["mean,genres{name}"]
  })
}

export const pageInputs = ({ default: size, max }: Limits) => ({
  limit: input("Entries of a page.", { type: "integer", minimum: 1, maximum: max, default: size }),
  offset: input("Entries before the page.", { type: "integer", minimum: 0, default: 0 })
})

export const works = {
  ...fields,
  nsfw: input("`true` shows works marked gray or black, which are hidden by default.", {
    type: "boolean",
    default: false
  })
}
