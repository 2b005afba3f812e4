/**
 * The operations of a `CatalogClient`: the caller's context is merged over the client's.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CatalogConfigOptions } from "../settings/settings.js"
import type { FieldsDefault } from "../../Face.js"
import { Fetch, HttpClient, RequestInit } from "../../platform/httpClient.js"
import { makeFace } from "../call/face.js"
import { type CallServices, interpret, type UntypedArguments } from "../call/interpreter.js"
import { valueIn } from "../common/layers.js"
import { checkNames } from "../common/options.js"
import { shareMemory } from "../credentials/credentials.js"
import type { Declaration, Inputs } from "../declaration/declaration.js"
import { fromPull } from "../lists/streams.js"
import * as Pages from "../lists/wholeLists.js"
import type { Cache, Policy } from "../policies/policy.js"
import { addHooks, CatalogHooksTag, CatalogPolicyTag, mergePolicies } from "../policies/merge.js"
import { type CredentialsService, CredentialsTag } from "../settings/slots.js"
import { CatalogConfigTag, mergeAround, mergeOptions, optionChecks, settingsIn } from "../settings/settings.js"
import type { CatalogClientService } from "./service.js"

/** The part of a client that {@link makeFace} makes. */
export type ClientOperations<D extends FieldsDefault | undefined = never> = Omit<
  CatalogClientService<D>,
  "withCredentials" | "invalidateCache"
>

/** The part of a context that belongs to the client. The rest, such as spans, comes from each call. */
const servicesOf = /*#__PURE__*/ Context.pick(HttpClient, Fetch, RequestInit)

/** What the context of a call adds to its client, whose credentials are `own`. */
const aroundOf = (context: Context.Context<never>, own: CredentialsService) => ({
  settings: settingsIn(context),
  policies: valueIn(context, CatalogPolicyTag),
  hooks: valueIn(context, CatalogHooksTag),
  hasOtherCredentials: Context.getOrElse(context, CredentialsTag, () => own) !== own
})

const misplaced: NonNullable<CredentialsService["whyNoToken"]> = () => ({
  reason: "Missing",
  cause: {
    name: "Error",
    message:
      "Credentials around a call of a CatalogClient have no effect. Provide them to its Layer, or call client.withCredentials"
  }
})

/**
 * The credentials of a client, where others are around the call: an error about a missing token says that those have no effect.
 * They inherit the members, because those of a session are getters.
 */
const overOthers = (own: CredentialsService): CredentialsService => {
  if (own.whyNoToken !== undefined || own.renew !== undefined) {
    return own
  }
  const service = Object.create(own, { whyNoToken: { value: misplaced } }) as CredentialsService
  shareMemory(service, own)
  return service
}

/** Makes the context of a call from the caller's context. */
type Merge = (context: Context.Context<never>) => Context.Context<CallServices>

/** Merges the caller's context over the client's. */
const mergeContexts = (builtWith: Context.Context<CallServices>, options: CatalogConfigOptions): Merge => {
  checkNames("CatalogClient", options, optionChecks)
  const own = Context.unsafeGet(builtWith, CredentialsTag)
  const outer = aroundOf(builtWith, own)
  const settings = mergeOptions(outer.settings, options)
  const merged = (around: typeof outer) =>
    servicesOf(builtWith).pipe(
      Context.add(CredentialsTag, around.hasOtherCredentials ? overOthers(own) : own),
      Context.add(CatalogConfigTag, mergeAround(settings, outer.settings, around.settings)),
      Context.add(CatalogPolicyTag, mergePolicies(outer.policies, around.policies)),
      Context.add(CatalogHooksTag, addHooks(outer.hooks, around.hooks))
    )
  // Most calls come from a context like that of the last one.
  let last = { around: outer, services: merged(outer) }
  return (context) => {
    const around = aroundOf(context, own)
    const { hasOtherCredentials, hooks, policies, settings } = last.around
    if (
      around.settings !== settings ||
      around.policies !== policies ||
      around.hooks !== hooks ||
      around.hasOtherCredentials !== hasOtherCredentials
    ) {
      last = { around, services: merged(around) }
    }
    return Context.merge(context, last.services)
  }
}

export const makeLists = (
  declaration: Declaration,
  inputsOf: (args: UntypedArguments) => Inputs,
  merge: Merge,
  run?: typeof interpret
) => {
  const list =
    (pull: typeof Pages.items) =>
    (...args: UntypedArguments) => {
      const inputs = inputsOf(args)
      return Stream.mapInputContext(fromPull(pull(declaration, inputs, run)), merge)
    }
  return (
    declaration.limit && {
      pages: list(Pages.pages),
      items: list(Pages.items),
      collect: (...args: UntypedArguments) => {
        const inputs = inputsOf(args)
        return Effect.mapInputContext(Pages.collect(declaration, inputs, run), merge)
      }
    }
  )
}

const dropReplies = (policies: ReadonlyArray<Policy | Cache>, filter: Parameters<Cache["invalidate"]>[0]): void => {
  for (const policy of policies) {
    if ("invalidate" in policy) {
      policy.invalidate(filter)
    }
  }
}

/** The operations as Effects without requirements. `operations` has the domains of `Catalog`. */
export const makeClient = <D extends FieldsDefault | undefined>(
  operations: object,
  context: Context.Context<CallServices>,
  given: CatalogConfigOptions & { readonly fields?: FieldsDefault | undefined }
): CatalogClientService<D> => {
  const { fields, ...options } = given
  const merge = mergeContexts(context, options)
  const faced = makeFace<ClientOperations<D>>(operations, fields, (declaration, inputsOf) =>
    Object.assign(
      (...args: UntypedArguments) => {
        const inputs = inputsOf(args)
        return Effect.mapInputContext(interpret(declaration, inputs), merge)
      },
      makeLists(declaration, inputsOf, merge)
    )
  )
  return {
    ...faced,
    withCredentials: (credentials) => makeClient(operations, Context.add(context, CredentialsTag, credentials), given),
    invalidateCache: (filter) =>
      Effect.map(Effect.context<never>(), (context) =>
        dropReplies(Context.get(merge(context), CatalogPolicyTag), filter)
      )
  }
}
