/**
 * Makes operations from their declarations, and runs their calls, from the inputs to the reply.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { AttemptError, ClientError } from "../../CatalogError.js"
import type { CatalogCall, Policy } from "../policies/policy.js"
import type { Credentials } from "../../Credentials.js"
import type { CredentialsService } from "../settings/slots.js"
import { type Limit, checkLimit } from "../settings/limits.js"
import { HttpClient } from "../../platform/httpClient.js"
import { contextOf, withFiber } from "../common/fiber.js"
import { valueIn } from "../common/layers.js"
import { forCall, hasProperties } from "../common/mistakes.js"
import { isPresent } from "../common/values.js"
import { renewSlots, runSlots, type WhyNoToken } from "../credentials/credentials.js"
import { CallState, type CallTracker, CallTrackerTag, noCredentials, noResponse } from "../declaration/call.js"
import type { Declaration, Errors, Inputs, Params, DeclaredReply } from "../declaration/declaration.js"
import { checkInputs, checkOptionNames, checkParamNames, type Follow, makeRequest } from "../declaration/request.js"
import { applyPolicy } from "../policies/apply.js"
import { CatalogPolicyTag, checkPolicies, mergePolicies } from "../policies/merge.js"
import { redactedUrlOf } from "../redaction/redactIn.js"
import { networkError } from "../reply/errors.js"
import { CredentialsTag, isSlotError, withCredentials } from "../settings/slots.js"
import { type CatalogSettings, mergeOptions, settingsIn } from "../settings/settings.js"
import { validate } from "../reply/validate.js"
import { notify } from "../telemetry/notify.js"
import { listenerIn, observeAttempt, observeCall, startTiming } from "../telemetry/observe.js"
import { exchange } from "./exchange.js"
import { withTimeLimits } from "./timeout.js"

export type CallServices = HttpClient | Credentials

/** The params and the options of a signature. */
export type SignatureInputs<D, P, O> = D extends { readonly inputs: object }
  ? [params: P | undefined, options?: O]
  : [options?: O]

/** An operation, which fits only the signature that has its inputs, its record, its reply and its errors. */
export type OperationOf<D extends Declaration> = <P extends object, O>(
  ...inputs: SignatureInputs<D, P, O>
) => Effect.Effect<DeclaredReply<D, P, O>, Errors<D>, CallServices>

/** The arguments of an operation of any declaration. */
export type UntypedArguments = ReadonlyArray<object | null | undefined>

const declarations = new WeakMap<object, Declaration>()

const prototypeOf: (value: object) => object | null = Object.getPrototypeOf

/**
 * Copies the params or options of a call, so that later changes to the object or its arrays have no effect. An object of a
 * class may have inputs in its prototypes, for example as getters: they are copied, too.
 */
const copyObject = (values: object | null | undefined): Params => {
  if (!isPresent(values)) {
    return {}
  }
  if (!hasProperties(values)) {
    // Not copied: `checkInputs` refuses it when the call runs.
    return values as Params
  }
  const copy: Record<string, unknown> = { ...values }
  let prototype = prototypeOf(values)
  // The copy inherits from `Object.prototype` anyway. For a plain object, the loop ends here at once.
  for (; prototype !== null && prototype !== Object.prototype; prototype = prototypeOf(prototype)) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (!(name in copy)) {
        copy[name] = values[name]
      }
    }
  }
  for (const name in copy) {
    const value = copy[name]
    if (Array.isArray(value)) {
      copy[name] = [...(value as ReadonlyArray<unknown>)]
    }
  }
  return copy
}

export const copyInputs = (declaration: Declaration, args: UntypedArguments): Inputs => {
  const [params, options] = declaration.inputs ? args : [undefined, args[0]]
  return { params: copyObject(params), options: copyObject(options) }
}

/** Makes an operation. The declaration decides its inputs, its reply and its errors. */
export const operation = <const D extends Declaration>(declaration: D): OperationOf<D> => {
  const call = (...args: UntypedArguments) => interpret(declaration, copyInputs(declaration, args))
  Object.defineProperty(call, "name", { value: declaration.name })
  declarations.set(call, declaration)
  // The declaration's reply type is asserted here.
  return call as OperationOf<D>
}

/** The declaration of an operation; `undefined` for any other value. */
export const declarationOf = (operation: object): Declaration | undefined => declarations.get(operation)

type Interpreted = Effect.Effect<unknown, ClientError, CallServices>

export interface RunOptions {
  /** Changes the URL to another page of the list. */
  readonly follow?: Follow | undefined
  /** Whether nothing else runs in the call's fiber, so that the call ends when its fiber does. */
  readonly ownsFiber?: boolean
  /** Receives the call. An argument, because a lookup in the context would make every promise call slower. */
  readonly tracker?: CallTracker | undefined
}

/**
 * An operation with its inputs, as an Effect. The functions below are roughly in the order in which a call runs them. A
 * `TypeError` that one of them throws is a bug in the program, and becomes a defect.
 */
export const interpret = (declaration: Declaration, inputs: Inputs, runOptions: RunOptions = {}): Interpreted =>
  withFiber((fiber): Interpreted => {
    const context = contextOf(fiber)
    const call = new CallState(declaration, settingsIn(context), context, listenerIn(context))
    const tracker = runOptions.tracker ?? Context.get(context, CallTrackerTag)
    if (tracker !== undefined) {
      tracker.last = call
    }
    const reportEnd = startTiming(fiber, call)
    const run = () => checkAndSend(call, declaration, inputs, runOptions)
    const end = (exit: Exit.Exit<unknown, ClientError>) => {
      reportEnd(exit)
      call.progress.stop?.()
    }
    if (runOptions.ownsFiber === true) {
      // `Effect.onExit` would more than double the time of a call from memory (`ownsFiber` in docs/decisions/performance.md).
      ;(fiber as Fiber.RuntimeFiber<unknown, ClientError>).addObserver(end)
      return observeCall(run, fiber, call)
    }
    return endInFiber(
      Effect.suspend(() => observeCall(run, fiber, call)),
      end,
      call,
      inputs,
      tracker?.replied
    )
  })

/** Ends a call whose fiber continues. `replied` records calls that return a reply, but not those that a policy makes. */
const endInFiber = (
  observed: Interpreted,
  end: (exit: Exit.Exit<unknown, ClientError>) => void,
  call: CallState,
  inputs: Inputs,
  replied: CallTracker["replied"]
): Interpreted =>
  Effect.onExit(replied ? Effect.provideService(observed, CallTrackerTag, undefined) : observed, (exit) =>
    Effect.sync(() => {
      end(exit)
      if (Exit.isSuccess(exit)) {
        replied?.set(inputs, call)
      }
    })
  )

/** Checks a call, prepares it, and sends it within its time limits. */
const checkAndSend = (
  call: CallState,
  declaration: Declaration,
  inputs: Inputs,
  { follow }: RunOptions
): Interpreted => {
  const broken = checkCall(declaration, inputs)
  if (broken !== undefined) {
    return Effect.fail(broken)
  }
  const services = call.context as Context.Context<CallServices>
  prepare(call, declaration, inputs, Context.unsafeGet(services, CredentialsTag), follow)
  const client = Context.unsafeGet(services, HttpClient)
  const policies = policiesOf(call, inputs.options["policies"])
  const send = (whyNoToken: WhyNoToken) => {
    const refused = missingTokenError(declaration, call.params, whyNoToken)
    if (refused !== undefined) {
      return Effect.fail(refused)
    }
    return policies.length === 0
      ? makeAttempt(call, client, true)
      : applyAll(policies, makePolicyCall(call, follow !== undefined), call, makeAttempt(call, client, false))
  }
  return withTimeLimits(call, inputs, withRenewal(call, declaration, send))
}

/** Returns the error of a broken rule. Throws a `TypeError` for inputs that are not objects, or that would be ignored. */
const checkCall = (declaration: Declaration, inputs: Inputs): ClientError | undefined => {
  checkInputs(declaration, inputs)
  checkOptionNames(declaration, inputs)
  const broken = declaration.rule?.(declaration, inputs.params)
  // An id that is misspelt breaks the rule "one of these ids": the error of the rule says more.
  if (broken === undefined) {
    checkParamNames(declaration, inputs)
  }
  return broken
}

/** Completes a call before it is sent. Its credentials decide its settings; these decide its limits and its request. */
const prepare = (
  call: CallState,
  declaration: Declaration,
  inputs: Inputs,
  credentials: CredentialsService,
  follow: Follow | undefined
): void => {
  const { options, params } = inputs
  const { name } = declaration
  const slots = withCredentials(credentials, options, name)
  const settings = settingsOf(call, slots, options)
  const limitOf = (limit: Limit) => checkLimit(limit, options[limit] ?? settings[limit], name)
  call.params = params
  call.slots = slots
  call.settings = settings
  call.timeout = limitOf("timeout")
  call.maxResponseBytes = limitOf("maxResponseBytes")
  call.request = makeRequest(declaration, inputs, settings, follow)
}

/**
 * The settings of a call: those of its context with the call's headers and the profile of its session. Throws if the call
 * would send the session's token to another origin.
 */
const settingsOf = (
  { declaration: { name }, settings }: CallState,
  slots: CredentialsService,
  { headers }: Inputs["options"]
): CatalogSettings => {
  const withHeaders = isPresent(headers) ? forCall(name, () => mergeOptions(settings, { headers })) : settings
  return slots.bindToService?.(withHeaders, name) ?? withHeaders
}

/** The policies of a call, from the outside in: its context's policies, merged with its own. */
const policiesOf = ({ context, declaration }: CallState, given: unknown): ReadonlyArray<Policy> => {
  const outer = valueIn(context, CatalogPolicyTag)
  return isPresent(given)
    ? mergePolicies(outer, checkPolicies(given as ReadonlyArray<Policy>, declaration.name))
    : outer
}

const applyAll = (
  policies: ReadonlyArray<Policy>,
  policyCall: CatalogCall,
  { progress }: CallState,
  attempt: Effect.Effect<unknown, AttemptError>
) => policies.reduceRight((next, policy) => applyPolicy(policy, policyCall, next, progress), attempt)

/** The error of a call without an access token, if its operation needs one. */
const missingTokenError = ({ name, token }: Declaration, params: Params, whyNoToken: WhyNoToken) =>
  whyNoToken && token?.(name, params, whyNoToken)

const slotFailure = (call: CallState, declaration: Declaration, error: unknown): ClientError => {
  if (isSlotError(error)) {
    return error
  }
  const reason = "CredentialsUnavailable"
  const failed = networkError(call, reason, error)
  return missingTokenError(declaration, call.params, { reason, ...(failed.cause && { cause: failed.cause }) }) ?? failed
}

/** Sends a call with the credentials of its slots, and once more if its access token is refused and there is a new one. */
const withRenewal = (
  call: CallState,
  declaration: Declaration,
  send: (whyNoToken: WhyNoToken) => Effect.Effect<unknown, ClientError>
): Effect.Effect<unknown, ClientError> => {
  const { slots } = call
  const toClientError = (error: unknown) => slotFailure(call, declaration, error)
  const sendWith = (slots: CredentialsService) =>
    Effect.flatMap(runSlots(call, slots, toClientError), ({ credentials, whyNoToken }) => {
      if (call.credentials !== noCredentials) {
        // The credentials of the first attempt are still redacted.
        call.secrets = [...call.secrets, ...Arr.getSomes(Object.values(call.credentials))]
        call.progress.redact = undefined
      }
      call.credentials = credentials
      return send(whyNoToken)
    })
  return slots.renew === undefined
    ? sendWith(slots)
    : Effect.catchAll(sendWith(slots), (error) =>
        isTokenRefused(error)
          ? Effect.flatMap(Effect.mapError(renewSlots(call, slots), toClientError), (slots) =>
              slots === undefined ? Effect.fail(error) : sendWith(slots)
            )
          : Effect.fail(error)
      )
}

/** Whether the service has refused the access token, rather than the request itself. */
const isTokenRefused = (error: ClientError): boolean =>
  error._tag === "ClientRestError" &&
  error.status === 401 &&
  (error.code === "invalid_token" || /\binvalid_token\b/.test(error.headers?.["www-authenticate"] ?? ""))

/**
 * A call as policies see it. They may log its URL, so it is redacted if it is a link of a reply, which can contain a secret.
 */
const makePolicyCall = (call: CallState, isLink: boolean): CatalogCall => {
  const { settings, credentials, declaration, maxResponseBytes, params, request, timeout } = call
  const { cacheable = false, method, name, reply } = declaration
  return {
    operation: name,
    method,
    url: isLink ? redactedUrlOf(call) : request.url,
    params,
    credentials,
    headers: settings.headers,
    timeout,
    maxResponseBytes,
    idempotent: method !== "PATCH" && method !== "POST",
    reply,
    cacheable,
    networkError: (reason, cause) => networkError(call, reason, cause),
    notify: (hook, details) => notify(call, hook, details)
  }
}

/** One exchange of a call. Without policies around it, the end of the call stops it (`stopsWithCall`). */
const makeAttempt = (call: CallState, client: HttpClient, stopsWithCall: boolean) =>
  withFiber((fiber) => {
    call.progress.attempts++
    call.progress.response = noResponse
    return observeAttempt(exchange(call, client, stopsWithCall, validate), fiber, call)
  })
