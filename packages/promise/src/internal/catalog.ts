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
import type { Hooks } from "#core/internal/policies/hookEvents.js"
import type { Policy } from "#core/internal/policies/policy.js"
import type { CredentialSlot, CredentialSource, CredentialsService } from "#core/internal/settings/slots.js"
import type { CatalogResponse, FieldsDefault } from "#core/Face.js"
import { type CatalogOptions, optionNames } from "../CatalogOptions.js"
import { makeFace } from "#core/internal/call/face.js"
import { interpret, type UntypedArguments } from "#core/internal/call/interpreter.js"
import { forCall, isOptionsOrNull, show } from "#core/internal/common/mistakes.js"
import { isPresent } from "#core/internal/common/values.js"
import { checkNames } from "#core/internal/common/options.js"
import { constantCredentialOf } from "#core/internal/credentials/credentials.js"
import { type CallTracker, CallTrackerTag } from "#core/internal/declaration/call.js"
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
import {
  CatalogConfigTag,
  type CatalogSettings,
  hasBaseUrl,
  initialSettings,
  mergeOptions
} from "#core/internal/settings/settings.js"
import { responseOf } from "#core/internal/reply/response.js"
import type { HttpClient } from "#core/platform/httpClient.js"
import { policiesOf } from "../policies.js"
import { asyncDispose } from "./dispose.js"
import { iterable } from "./list.js"
import { Runner } from "./runner.js"

/** Settings and services of one catalog or view. */
interface View {
  readonly settings: CatalogSettings
  readonly fields: FieldsDefault | undefined
  readonly policies: ReadonlyArray<Policy>
  readonly hooks: ReadonlyArray<Hooks>
  /** The credentials of its session, if it has one. */
  readonly credentials: CredentialsService
  /** The slots that were set or assigned: defaults for the options of each call. */
  readonly assigned: { [Name in SlotName]?: CredentialSlot }
  readonly runner: Runner
}

const areSlots = (credentials: CredentialsService | null | undefined): boolean =>
  slotNames.every((name) => Effect.isEffect(credentials?.[name]))

/** The options of a catalog, whose names are checked, or of a view, merged over those of its catalog. */
const viewOf = (
  options: CatalogOptions<FieldsDefault | undefined>,
  calledAs: string,
  from: View | (() => Layer.Layer<HttpClient>)
): View => {
  const parent = typeof from === "function" ? undefined : from
  const { session } = options
  if (isPresent(session) && !areSlots(session.credentials)) {
    throw new TypeError(`${calledAs}: session must be one of createSession, but it is ${show(session)}`)
  }
  const settings = mergeOptions(parent?.settings ?? initialSettings, options)
  const policies = mergePolicies(parent?.policies ?? [], checkPolicies(policiesOf(options.policies ?? []), calledAs))
  const hooks = addHooks(parent?.hooks ?? [], isPresent(options.hooks) ? [checkHooks(options.hooks, calledAs)] : [])
  // Secrets and warnings are remembered per credentials object, so each view gets its own.
  const credentials = Object.create((session ?? parent)?.credentials ?? noSlots) as CredentialsService
  const assigned = isPresent(session) ? {} : { ...parent?.assigned }
  for (const name of slotNames) {
    // In a view, `accessToken: undefined` means no token, not the token of the session.
    if (name in options && (parent !== undefined || options[name] !== undefined)) {
      assigned[name] = forCall(calledAs, () => slotOf(name, options[name]))
    }
  }
  if (hasBaseUrl(settings)) {
    withCredentials(credentials, assigned, calledAs).bindToService?.(settings, calledAs)
  }
  const services = Context.make(CredentialsTag, credentials).pipe(
    Context.add(CatalogConfigTag, settings),
    Context.add(CatalogPolicyTag, policies),
    Context.add(CatalogHooksTag, hooks)
  )
  const transport = typeof from === "function" ? ManagedRuntime.make(from()) : from.runner.transport
  return {
    settings,
    fields: options.fields ?? parent?.fields,
    policies,
    hooks,
    credentials,
    assigned,
    runner: new Runner(transport, services, parent?.runner)
  }
}

/** Lets a subclass put a private member on a promise that it did not make. */
class ReturnOverride {
  constructor(value: object) {
    return value
  }
}

/**
 * A promise with the tracker of its operation's calls, for `withResponse`: in a private member, which is never printed. A `WeakMap`
 * of promises would cost a call 50 % more CPU, in garbage collection.
 */
class TrackedPromise extends ReturnOverride {
  readonly #tracker: CallTracker

  constructor(promise: Promise<unknown>, tracker: CallTracker) {
    super(promise)
    this.#tracker = tracker
  }

  static of(promise: unknown): CallTracker | undefined {
    return typeof promise === "object" && promise !== null && #tracker in promise ? promise.#tracker : undefined
  }
}

/** An operation that returns a promise, with its whole lists. */
const promiseOperation = (
  { assigned, runner, settings }: View,
  declaration: Declaration,
  inputsOf: (args: UntypedArguments) => Inputs,
  lists: WholeLists | undefined
): object => {
  /** Adds the current credentials; later assignments do not affect them. */
  const withAssigned = ({ options, params }: Inputs): Inputs => {
    if (!isOptionsOrNull(options)) {
      return { params, options }
    }
    const merged: Record<string, unknown> = { ...assigned, ...options }
    if (merged["policies"] !== undefined) {
      merged["policies"] = policiesOf(merged["policies"])
    }
    return { params, options: merged }
  }
  const callOf =
    (run: (inputs: Inputs, tracker: CallTracker) => ReturnType<typeof interpret>) =>
    (...args: UntypedArguments) => {
      const inputs = withAssigned(inputsOf(args))
      const tracker: CallTracker = { last: undefined }
      return new TrackedPromise(runner.start(declaration, inputs, run(inputs, tracker), tracker), tracker)
    }
  const listOf =
    (list: WholeLists["items"]) =>
    (...args: UntypedArguments) => {
      const inputs = inputsOf(args)
      return iterable(() => {
        // Read once for each loop, so that all pages are for the same user.
        const inputsOfLoop = withAssigned(inputs)
        return {
          declaration,
          inputs: inputsOfLoop,
          makePull: list(declaration, inputsOfLoop, (...call) => runner.untilClosed(interpret(...call))),
          signal: (inputs.options["signal"] ?? settings.signal) as AbortSignal | undefined,
          runner
        }
      })
    }
  return Object.assign(
    callOf((inputs, tracker) => interpret(declaration, inputs, { ownsFiber: true, tracker })),
    lists && {
      pages: listOf(lists.pages),
      items: listOf(lists.items),
      collect: callOf((inputs, tracker) =>
        Effect.provideService(lists.collect(declaration, inputs), CallTrackerTag, tracker)
      )
    }
  )
}

/** A catalog, or a view of one. */
export class CatalogLive {
  readonly #operations: object
  readonly #view: View

  /** `operations` by domain: a page bundles no others. `from`: the transport of a catalog, or the view that this one is made from. */
  constructor(
    options: CatalogOptions<FieldsDefault | undefined>,
    operations: object,
    calledAs: string,
    from: View | (() => Layer.Layer<HttpClient>)
  ) {
    const view = (this.#view = viewOf(options, calledAs, from))
    this.#operations = operations
    Object.assign(
      this,
      makeFace<object>(operations, view.fields, (declaration, inputsOf, operation) =>
        promiseOperation(view, declaration, inputsOf, wholeListsOf(operation))
      )
    )
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

  withOptions(options: CatalogOptions<FieldsDefault | undefined>): CatalogLive {
    const calledAs = "withOptions"
    checkNames(calledAs, options, optionNames)
    return new CatalogLive(options, this.#operations, calledAs, this.#view)
  }

  /** Node prints the slots too if asked for hidden members and getters. */
  [NodeInspectSymbol](): object {
    const { call: _, ...operations } = this as this & { readonly call: unknown }
    return operations
  }

  withResponse<A>(reply: Promise<A>): Promise<CatalogResponse<A>> {
    const tracker = TrackedPromise.of(reply)
    if (tracker === undefined) {
      throw new TypeError(
        "withResponse takes the promise that an operation returned, for example catalog.withResponse(catalog.anime.get({ id: 30230 }))"
      )
    }
    return reply.then((data) => responseOf(data, tracker.last))
  }

  close(): Promise<void> {
    return this.#view.runner.close()
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}
