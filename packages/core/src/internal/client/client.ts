/**
 * The operations of a `CatalogClient`: what is around a call is merged over what the client was built with.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CatalogConfigOptions } from "../../CatalogConfig.js"
import type { Hooks } from "../../CatalogHooks.js"
import type { Policy } from "../../CatalogPolicy.js"
import type { Credentials } from "../../Credentials.js"
import type { FieldsDefault } from "../../Face.js"
import { Fetch, HttpClient, RequestInit } from "../../platform/httpClient.js"
import { type Arguments, onFace } from "../call/faces.js"
import { interpret } from "../call/interpreter.js"
import { memoize } from "../common/memoize.js"
import { checkNames } from "../common/options.js"
import type { Declaration, Inputs } from "../declaration/declaration.js"
import { fromPull } from "../lists/streams.js"
import * as Pages from "../lists/walk.js"
import { addHooks, CatalogHooksTag, CatalogPolicyTag, mergePolicies } from "../policies/merge.js"
import { CredentialsTag } from "../services/credentials.js"
import {
  CatalogConfigTag,
  type CatalogSettings,
  mergeAround,
  mergeOptions,
  optionChecks
} from "../services/settings.js"

type Services = HttpClient | Credentials

/** The part of a context that belongs to the client. The rest, such as spans, comes from each call. */
const servicesOf = /*#__PURE__*/ Context.pick(HttpClient, CredentialsTag, Fetch, RequestInit)

/**
 * Merges what is around a call over what a client was built with. Memoized, with the part that differs most often innermost,
 * so that most calls pay for one merge of contexts.
 */
const merging = (
  builtWith: Context.Context<Services>,
  options: CatalogConfigOptions
): ((around: Context.Context<never>) => Context.Context<Services>) => {
  const [outerSettings, policies, hooks] = [
    Context.get(builtWith, CatalogConfigTag),
    Context.get(builtWith, CatalogPolicyTag),
    Context.get(builtWith, CatalogHooksTag)
  ]
  checkNames("CatalogClient", options, optionChecks)
  const settings = mergeOptions(outerSettings, options)
  const services = servicesOf(builtWith)
  const withPolicies = memoize((around: ReadonlyArray<Policy>) => {
    const added = around.filter((policy) => !policies.includes(policy))
    const context = Context.add(services, CatalogPolicyTag, mergePolicies(policies, added))
    return memoize((around: ReadonlyArray<Hooks>) => {
      const withHooks = Context.add(context, CatalogHooksTag, addHooks(hooks, around))
      return memoize((around: CatalogSettings) =>
        Context.add(withHooks, CatalogConfigTag, mergeAround(settings, outerSettings, around))
      )
    })
  })
  return (around) =>
    Context.merge(
      around,
      withPolicies(Context.get(around, CatalogPolicyTag))(Context.get(around, CatalogHooksTag))(
        Context.get(around, CatalogConfigTag)
      )
    )
}

/** The whole lists of an operation with pages. */
export const listsOf = (
  declaration: Declaration,
  read: (args: Arguments) => Inputs,
  merge: (around: Context.Context<never>) => Context.Context<Services>,
  how?: Parameters<typeof Pages.items>[2]
) => {
  const list =
    (pull: typeof Pages.items) =>
    (...args: Arguments) =>
      Stream.mapInputContext(fromPull(pull(declaration, read(args), how)), merge)
  return (
    declaration.limit && {
      pages: list(Pages.pages),
      items: list(Pages.items),
      collect: (...args: Arguments) => Effect.mapInputContext(Pages.collect(declaration, read(args), how), merge)
    }
  )
}

/** The operations as Effects without requirements: `operations` are those of `Catalog`. */
export const clientOf = <Client>(
  operations: object,
  context: Context.Context<Services>,
  { fields, ...options }: CatalogConfigOptions & { readonly fields?: FieldsDefault | undefined }
): Client => {
  const merge = merging(context, options)
  return onFace(operations, fields, (declaration, read) =>
    Object.assign(
      (...args: Arguments) => Effect.mapInputContext(interpret(declaration, read(args)), merge),
      listsOf(declaration, read, merge)
    )
  )
}
