/**
 * Runs a call of an operation, from its inputs to its reply. All faces and features use it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { type CatalogSettings, CatalogConfigTag, withHeaders } from "../../CatalogConfig.js"
import type { ClientError, ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import { type CatalogCall, CatalogPolicy, policyOf } from "../../CatalogPolicy.js"
import { type Credentials, type CredentialsService, CredentialsTag } from "../../Credentials.js"
import { type Limit, limitOf } from "../../limits.js"
import { HttpClient } from "../../platform/httpClient.js"
import { contextOf, withFiber } from "../common/fiber.js"
import { forCall, isPresent } from "../common/mistakes.js"
import { type Missing, renewed, resolve, slotsOf } from "../credentials/credentials.js"
import type { Declaration, Inputs, Params } from "../declaration/declaration.js"
import * as Request from "../declaration/request.js"
import { notify } from "../telemetry/hooks.js"
import * as Meters from "../telemetry/meters.js"
import * as Spans from "../telemetry/spans.js"
import { Call, type LastCall, LastCallTag } from "./call.js"
import { exchange } from "./exchange.js"
import { within } from "./timeout.js"
import { validate } from "../reply/validate.js"

type Interpreted = Effect.Effect<unknown, ClientError, HttpClient | Credentials>

/** How an operation is run. */
interface How {
  /** Changes the URL to another page of the list. */
  readonly follow?: Request.Follow | undefined
  /** The slots to run; those of the `Credentials` service by default. */
  readonly slots?: CredentialsService | undefined
  /** Takes the call when it begins. */
  readonly last?: LastCall | undefined
  /** Whether to make the exchange after the checks. */
  readonly isSent?: boolean
  /** Whether the call has a fiber to itself. */
  readonly ownsFiber?: boolean
}

/**
 * An operation with its inputs, as an Effect. The functions of this module follow in the order in which a call runs them. A
 * `TypeError` that one of them throws is a bug in the program, and becomes a defect.
 */
export const interpret = (operation: Declaration, inputs: Inputs, how: How = {}): Interpreted =>
  withFiber((fiber): Interpreted => {
    const context = contextOf(fiber)
    const call = new Call(operation, Context.get(context, CatalogConfigTag), context)
    if (how.last !== undefined) {
      how.last.call = call
    }
    const around = Context.get(context, LastCallTag)
    if (around !== undefined) {
      around.call = call
    }
    const count = Meters.counting(fiber, call)
    const run = () => begin(call, operation, inputs, how)
    const end = (exit: Exit.Exit<unknown, ClientError>) => {
      count(exit)
      call.stop?.()
    }
    if (how.ownsFiber === true) {
      // With `onExit`, a call from memory takes twice as long.
      ;(fiber as Fiber.RuntimeFiber<unknown, ClientError>).addObserver(end)
      return Spans.operation(run, fiber, call)
    }
    return Effect.onExit(
      Effect.suspend(() => Spans.operation(run, fiber, call)),
      (exit) => Effect.sync(() => end(exit))
    )
  })

/** Checks the inputs and the rule, makes the request, and sends it within the call's limits of time. */
const begin = (call: Call, operation: Declaration, inputs: Inputs, how: How): Interpreted => {
  const { name } = operation
  const { params, options } = inputs
  Request.checkInputs(name, inputs)
  const broken = operation.rule?.(operation, params)
  if (broken !== undefined) {
    return Effect.fail(broken)
  }
  Request.checkInputNames(operation, inputs)
  const service = Context.unsafeGet(call.context as Context.Context<Credentials>, CredentialsTag)
  const slots = slotsOf(how.slots ?? service, options, name)
  configure(call, slots, options)
  call.request = Request.requestOf(operation, inputs, call.config, how.follow)
  const policy = policyOf(Context.get(call.context, CatalogPolicy), options["policies"], name)
  const send = (client: HttpClient, missing: Missing) => {
    const refused = missing && operation.token?.(name, params, missing)
    if (refused !== undefined) {
      return Effect.fail(refused)
    }
    if (how.isSent === false) {
      return Effect.void
    }
    return policy === undefined
      ? attempt(call, client, true)
      : policy(describe(call, operation, params, how.follow !== undefined), attempt(call, client, false))
  }
  return within(
    call,
    inputs,
    Effect.flatMap(HttpClient, (client) => authorized(call, slots, (missing) => send(client, missing)))
  )
}

/** Sets the configuration of a call: the profile is that of its session. */
const configure = (call: Call, slots: CredentialsService, options: Inputs["options"]): void => {
  const { name } = call.operation
  const { headers } = options
  if (isPresent(headers)) {
    call.config = forCall(name, () => withHeaders(call.config, headers as CatalogSettings["headers"]))
  }
  call.config = slots.configure?.(call.config, name) ?? call.config
  const limit = (option: Limit) => limitOf(option, options[option] ?? call.config.defaults[option], name)
  call.timeout = limit("timeout")
  call.maxResponseBytes = limit("maxResponseBytes")
}

/** Sends a call with the credentials of its slots, and once more if its access token is refused and there is another. */
const authorized = (
  call: Call,
  slots: CredentialsService,
  send: (missing: Missing) => Effect.Effect<unknown, ClientError>
): Effect.Effect<unknown, ClientError> => {
  const sent = (slots: CredentialsService) =>
    Effect.flatMap(resolve(call, slots), ({ credentials, missing }) => {
      call.send(credentials)
      return send(missing)
    })
  return slots.renew === undefined
    ? sent(slots)
    : Effect.catchAll(sent(slots), (error) =>
        isTokenRefused(error)
          ? Effect.flatMap(renewed(call, slots), (slots) => (slots === undefined ? Effect.fail(error) : sent(slots)))
          : Effect.fail(error)
      )
}

/** Whether the service has refused the access token, rather than the request itself. */
const isTokenRefused = (error: ClientError): boolean =>
  error._tag === "ClientRestError" &&
  error.status === 401 &&
  (error.code === "invalid_token" || /\binvalid_token\b/.test(error.headers?.["www-authenticate"] ?? ""))

/** What policies know about a call. `isLink`: its URL is from a reply, and can contain a secret. */
const describe = (
  call: Call,
  { cacheable, method, name, reply }: Declaration,
  params: Params,
  isLink: boolean
): CatalogCall => ({
  operation: name,
  method,
  url: isLink ? call.redactedUrl : call.request.url,
  params,
  credentials: call.credentials,
  headers: call.config.headers,
  timeout: call.timeout,
  maxResponseBytes: call.maxResponseBytes,
  idempotent: method !== "PATCH" && method !== "POST",
  reply,
  cacheable: cacheable === true,
  networkError: (reason, cause) => call.networkError(reason, cause),
  notify: (hook, details) => notify(call, hook, details)
})

/** One exchange of a call, whose response is validated. `endsWithCall`: no policy is around it, so the call ends it. */
const attempt = (call: Call, client: HttpClient, endsWithCall: boolean) =>
  withFiber((fiber): Effect.Effect<unknown, ClientRestError | ClientNetworkError> => {
    call.begin()
    return Spans.attempt(exchange(call, client, endsWithCall, validate), fiber, call)
  })
