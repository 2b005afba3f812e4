/**
 * A catalog, and views of it with other options and credentials.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { NodeInspectSymbol } from "effect/Inspectable"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Credentials } from "#core/Credentials.js"
import type { CredentialSlot, CredentialSource, CredentialsService } from "#core/internal/settings/slots.js"
import type { CatalogResponse, FieldsDefault } from "#core/Face.js"
import type { CatalogFor, CatalogOperationsWith, CatalogWith } from "../Catalog.js"
import { type CatalogOptions, optionNames } from "../CatalogOptions.js"
import { makeFace } from "#core/internal/call/face.js"
import { interpret, type UntypedArguments } from "#core/internal/call/interpreter.js"
import { forCall, hasProperties, show } from "#core/internal/common/mistakes.js"
import { isPresent } from "#core/internal/common/values.js"
import { checkNames } from "#core/internal/common/options.js"
import { constantCredentialOf } from "#core/internal/credentials/credentials.js"
import { CallTrackerTag } from "#core/internal/declaration/call.js"
import type { Declaration, Inputs } from "#core/internal/declaration/declaration.js"
import { type WholeLists, wholeListsOf } from "#core/internal/lists/wholeLists.js"
import {
  addHooks,
  CatalogHooksTag,
  CatalogPolicyTag,
  checkHooks,
  checkPolicies,
  mergePolicies
} from "#core/internal/policies/merge.js"
import {
  addedByProxy,
  CredentialsTag,
  noSlots,
  type SlotName,
  slotNames,
  slotOf,
  withCredentials
} from "#core/internal/settings/slots.js"
import { CatalogConfigTag, hasBaseUrl, mergeOptions, settingsIn } from "#core/internal/settings/settings.js"
import { responseOf } from "#core/internal/reply/response.js"
import type { HttpClient } from "#core/platform/httpClient.js"
import type { Call } from "../Operation.js"
import { adaptPolicies } from "../policies.js"
import { asyncDispose } from "./dispose.js"
import { Attached } from "./engine.js"
import { iterable } from "./list.js"
import { Runner, type TrackedCall } from "./runner.js"

/** The options of a catalog, checked and merged: a view starts with those of its catalog. */
interface Defaults {
  /** Settings, policies, hooks, and the credentials of the session, if there is one. */
  readonly services: Context.Context<Credentials>
  readonly fields?: FieldsDefault | undefined
  /** The slots that were set or assigned: defaults for the options of each call. */
  readonly assigned: { [Name in SlotName]?: CredentialSlot }
}

/** A catalog, or a view of one. */
export interface View extends Defaults {
  readonly runner: Runner
}

/** {@link CatalogOptions}, with any default selector. */
interface Options extends Omit<CatalogOptions, "fields"> {
  readonly fields?: FieldsDefault | undefined
}

/** What a catalog has on the face of promises. */
interface Operations<D> extends CatalogOperationsWith<D> {
  readonly call: Call
}

const areSlots = (credentials: CredentialsService | null | undefined): boolean =>
  slotNames.every((name) => Effect.isEffect(credentials?.[name]))

/**
 * The same credentials as another object: core remembers secrets and warnings for each, and a view must not share them. It
 * inherits the members, because those of a session are getters.
 */
const withOwnMemory = (credentials: CredentialsService): CredentialsService =>
  Object.create(credentials) as CredentialsService

/** Merges options over defaults. `given` names the credentials that the options set. */
const mergeDefaults = (
  { assigned, fields, services }: Defaults,
  options: Options,
  given: ReadonlyArray<SlotName>,
  calledAs: string
): Defaults => {
  const { session } = options
  if (isPresent(session) && !areSlots(session.credentials)) {
    throw new TypeError(`${calledAs}: session must come from createSession, but it is ${show(session)}`)
  }
  const settings = mergeOptions(settingsIn(services), options)
  const policies = checkPolicies(adaptPolicies(options.policies ?? []), calledAs)
  const hooks = isPresent(options.hooks) ? [checkHooks(options.hooks, calledAs)] : []
  const credentials = withOwnMemory(session?.credentials ?? Context.get(services, CredentialsTag))
  const slots = isPresent(session) ? {} : { ...assigned }
  for (const name of given) {
    slots[name] = forCall(calledAs, () => slotOf(name, options[name]))
  }
  // Throws here, and not in the first call, if the base URL has another origin than the session's.
  if (hasBaseUrl(settings)) {
    withCredentials(credentials, slots, calledAs).bindToService?.(settings, calledAs)
  }
  return {
    services: Context.make(CredentialsTag, credentials).pipe(
      Context.add(CatalogConfigTag, settings),
      Context.add(CatalogPolicyTag, mergePolicies(Context.get(services, CatalogPolicyTag), policies)),
      Context.add(CatalogHooksTag, addHooks(Context.get(services, CatalogHooksTag), hooks))
    ),
    fields: options.fields ?? fields,
    assigned: slots
  }
}

/** The view of a catalog itself. The names of its options are checked. */
export const rootView = (options: Options, calledAs: string, makeTransport: () => Layer.Layer<HttpClient>): View => {
  const given = slotNames.filter((name) => options[name] !== undefined)
  const none = { services: Context.make(CredentialsTag, noSlots), assigned: {} }
  const merged = mergeDefaults(none, options, given, calledAs)
  return { ...merged, runner: new Runner(ManagedRuntime.make(makeTransport()), merged.services) }
}

/** A view with other options. Here `accessToken: undefined` means no token, not the token of the session. */
const derivedView = (parent: View, options: Options, calledAs: string): View => {
  checkNames(calledAs, options, optionNames)
  const given = slotNames.filter((name) => name in options)
  const merged = mergeDefaults(parent, options, given, calledAs)
  return { ...merged, runner: parent.runner.forView(merged.services) }
}

/** An operation that returns a promise, with its whole lists. */
const promiseOperation = (
  { assigned, runner, services }: View,
  declaration: Declaration,
  inputsOf: (args: UntypedArguments) => Inputs,
  lists: WholeLists | undefined
): object => {
  const settings = settingsIn(services)
  /** Adds the current credentials: assigning others later does not affect this call. */
  const withAssigned = (options: Inputs["options"]): Inputs["options"] => {
    const merged: Record<string, unknown> = { ...assigned, ...options }
    if (merged["policies"] !== undefined) {
      merged["policies"] = adaptPolicies(merged["policies"])
    }
    return merged
  }
  const makeCall = ({ options, params }: Inputs): TrackedCall => ({
    declaration,
    inputs: { params, options: hasProperties(options) ? withAssigned(options) : options },
    last: undefined
  })
  const promiseOf = (effectOf: (call: TrackedCall) => ReturnType<typeof interpret>) => {
    const operation = (...args: UntypedArguments) => {
      const call = makeCall(inputsOf(args))
      return new Attached(runner.run(call, effectOf(call), operation), call)
    }
    return operation
  }
  const listOf =
    (list: WholeLists["items"]) =>
    (...args: UntypedArguments) => {
      const inputs = inputsOf(args)
      return iterable(() => {
        // Reads the credentials once for each loop, so that all pages are for the same user.
        const call = makeCall(inputs)
        return {
          call,
          makePull: list(declaration, call.inputs, (...page) => runner.untilClosed(interpret(...page))),
          signal: (inputs.options["signal"] ?? settings.signal) as AbortSignal | undefined,
          runner
        }
      })
    }
  return Object.assign(
    promiseOf((call) => interpret(declaration, call.inputs, { ownsFiber: true, tracker: call })),
    lists && {
      pages: listOf(lists.pages),
      items: listOf(lists.items),
      collect: promiseOf((call) => Effect.provideService(lists.collect(declaration, call.inputs), CallTrackerTag, call))
    }
  )
}

/** The members of a catalog that are not operations. */
class CatalogMembers<D extends FieldsDefault | undefined> implements Omit<CatalogWith<D>, keyof Operations<D>> {
  readonly #operations: object
  readonly #view: View

  constructor(operations: object, view: View) {
    this.#operations = operations
    this.#view = view
  }

  get accessToken(): string | undefined {
    return this.#assigned("accessToken")
  }
  set accessToken(source: CredentialSource | undefined) {
    this.#assign("accessToken", source)
  }

  get clientId(): string | undefined {
    return this.#assigned("clientId")
  }
  set clientId(source: CredentialSource | undefined) {
    this.#assign("clientId", source)
  }

  #assigned(name: SlotName): string | undefined {
    const secret = Option.getOrUndefined(constantCredentialOf(this.#view.assigned[name] ?? noSlots[name]))
    return secret === undefined || secret === addedByProxy ? undefined : Redacted.value(secret)
  }

  /** `undefined` switches back to the credential of the session. */
  #assign(name: SlotName, source: CredentialSource | undefined): void {
    const { assigned } = this.#view
    if (source === undefined) {
      delete assigned[name]
    } else {
      assigned[name] = slotOf(name, source)
    }
  }

  withOptions<const D2 extends FieldsDefault | undefined = D>(options: CatalogOptions<D2>): CatalogFor<D2> {
    return makeCatalog(this.#operations, derivedView(this.#view, options, "withOptions"))
  }

  /** Without the credentials, which Node would print with `showHidden` and `getters`. */
  [NodeInspectSymbol](): object {
    const { call: _, ...operations } = this as this & { readonly call: unknown }
    return operations
  }

  withResponse<A>(reply: Promise<A>): Promise<CatalogResponse<A>> {
    const call = Attached.to(reply) as TrackedCall | undefined
    if (call === undefined) {
      throw new TypeError(
        "withResponse takes the promise that an operation itself returned, not one that an async function or then() made from it: catalog.withResponse(catalog.anime.get({ id: 30230 }))"
      )
    }
    return reply.then((data) => responseOf(data, call.last))
  }

  close(): Promise<void> {
    return this.#view.runner.close()
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** A catalog, or a view of one, with some operations by domain: a page bundles no others. */
export const makeCatalog = <D extends FieldsDefault | undefined>(operations: object, view: View): CatalogFor<D> => {
  const catalog: CatalogWith<D> = Object.assign(
    new CatalogMembers<D>(operations, view),
    makeFace<Operations<D>>(operations, view.fields, (declaration, inputsOf, operation) =>
      promiseOperation(view, declaration, inputsOf, wholeListsOf(operation))
    )
  )
  // Without a default selector, it is the same interface.
  return catalog as CatalogFor<D>
}
