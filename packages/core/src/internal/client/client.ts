/**
 * The operations of a `CatalogClient`: the caller's context is merged over the client's.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Stream from "effect/Stream"
import type { CatalogConfigOptions } from "../../CatalogConfig.js"
import type { Hooks } from "../../CatalogHooks.js"
import type { Policy } from "../../CatalogPolicy.js"
import type { Credentials, CredentialsService } from "../../Credentials.js"
import type { FieldsDefault } from "../../Face.js"
import { Fetch, HttpClient, RequestInit } from "../../platform/httpClient.js"
import { type Arguments, onFace } from "../call/faces.js"
import { interpret } from "../call/interpreter.js"
import { serviceAt } from "../common/fiber.js"
import { memoize } from "../common/memoize.js"
import { mistake } from "../common/mistakes.js"
import { checkNames } from "../common/options.js"
import type { Declaration, Inputs } from "../declaration/declaration.js"
import { fromPull } from "../lists/streams.js"
import * as Pages from "../lists/walk.js"
import { addHooks, CatalogHooksTag, CatalogPolicyTag, mergePolicies } from "../policies/merge.js"
import { CredentialsTag, slotNames } from "../services/credentials.js"
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

/** The program's own object of hooks: each build of `CatalogHooks.layer` makes another object from it. */
const originOf = (hooks: Hooks & { readonly origin?: object }): object => hooks.origin ?? hooks

/**
 * Merges the caller's context over the client's. Memoized, with the part that differs most often innermost, so that most
 * calls merge contexts once.
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
      const added = around.filter((one) => !hooks.some((known) => originOf(known) === originOf(one)))
      const withHooks = Context.add(context, CatalogHooksTag, addHooks(hooks, added))
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

/** Makes the context of a call from the caller's context. */
type MergeFor = (
  declaration: Declaration,
  inputs: Inputs
) => (around: Context.Context<never>) => Context.Context<Services>

/**
 * Refuses credentials in the caller's context that are not the client's: with the client's, the call would act for another
 * user, and the caller's token may be for another service.
 */
const refusing =
  (own: CredentialsService, merge: ReturnType<MergeFor>): MergeFor =>
  ({ name }, { options }) =>
  (around) => {
    const other = serviceAt(around, CredentialsTag.key) as CredentialsService | undefined
    const isSame = () => slotNames.every((slot) => Equal.equals(other?.[slot], own[slot]))
    if (other !== undefined && other !== own && !("accessToken" in options) && !isSame()) {
      throw mistake(
        `${name}: the Credentials around this call are not those of its CatalogClient, which keeps its own. Use client.withCredentials(credentials), or call the operation without the client.`
      )
    }
    return merge(around)
  }

export const listsOf = (
  declaration: Declaration,
  read: (args: Arguments) => Inputs,
  mergeFor: MergeFor,
  run?: typeof interpret
) => {
  const list =
    (pull: typeof Pages.items) =>
    (...args: Arguments) => {
      const inputs = read(args)
      return Stream.mapInputContext(fromPull(pull(declaration, inputs, run)), mergeFor(declaration, inputs))
    }
  return (
    declaration.limit && {
      pages: list(Pages.pages),
      items: list(Pages.items),
      collect: (...args: Arguments) => {
        const inputs = read(args)
        return Effect.mapInputContext(Pages.collect(declaration, inputs, run), mergeFor(declaration, inputs))
      }
    }
  )
}

/**
 * The operations as Effects without requirements. `operations` has the domains of `Catalog`. `isChosen`: the program has chosen
 * the credentials for this client, so its calls ignore those of the caller's context.
 */
export const clientOf = <Client>(
  operations: object,
  context: Context.Context<Services>,
  given: CatalogConfigOptions & { readonly fields?: FieldsDefault | undefined },
  isChosen = false
): Client => {
  const { fields, ...options } = given
  const merge = merging(context, options)
  const mergeFor: MergeFor = isChosen ? () => merge : refusing(Context.get(context, CredentialsTag), merge)
  const faced = onFace<object>(operations, fields, (declaration, read) =>
    Object.assign(
      (...args: Arguments) => {
        const inputs = read(args)
        return Effect.mapInputContext(interpret(declaration, inputs), mergeFor(declaration, inputs))
      },
      listsOf(declaration, read, mergeFor)
    )
  )
  return {
    ...faced,
    withCredentials: (credentials: CredentialsService) =>
      clientOf(operations, Context.add(context, CredentialsTag, credentials), given, true)
  } as Client
}
