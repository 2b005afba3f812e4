/**
 * Turns an operation into one exchange. All faces and features use it.
 */
import type { HttpClient } from "../../platform/httpClient.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { type CatalogSettings, CatalogConfigTag, withHeaders } from "../../CatalogConfig.js"
import { type Limit, limitOf, mistake, signalOf } from "../common/validate.js"
import type { ClientError, ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import { CatalogPolicy } from "../../CatalogPolicy.js"
import { type CredentialRenewal, type Credentials, type CredentialsService, CredentialsTag } from "../../Credentials.js"
import * as Client from "../../platform/httpClient.js"
import { withSignal, withTimeout } from "./timeout.js"
import { Call, type Seen } from "./call.js"
import type { Declaration, Inputs } from "../operation/declaration.js"
import { exchange } from "./exchange.js"
import { type AnyFiber, contextOf, withFiber } from "../common/fiber.js"
import { tell } from "../telemetry/hooks.js"
import * as Meters from "../telemetry/meters.js"
import * as Spans from "../telemetry/spans.js"
import { policyOf } from "./policies.js"
import * as Request from "../operation/request.js"
import { isGiven } from "../operation/rules.js"
import { validate } from "./response.js"
import { textIn } from "../common/cause.js"
import { Calls } from "./calls.js"
import * as Secrets from "../credentials/credentials.js"

type Interpreted = Effect.Effect<unknown, ClientError, HttpClient | Credentials>

type Recover = (error: ClientError) => Effect.Effect<unknown, ClientError>

/** One exchange of a call. `endsWithCall`: there is nothing around it. */
const attempt = (call: Call, client: HttpClient, endsWithCall: boolean) =>
  withFiber((fiber): Effect.Effect<unknown, ClientRestError | ClientNetworkError> => {
    call.begin()
    return Spans.attempt(exchange(call, client, endsWithCall, validate), fiber, call)
  })

/** The only exchange of a call without policies; `recover` runs if its access token is refused. */
const attemptOr = (call: Call, client: HttpClient, recover: Recover) =>
  withFiber((fiber): Effect.Effect<unknown, ClientError> => {
    if (Spans.isObserved(fiber, call)) {
      return Effect.catchAll(attempt(call, client, true), recover)
    }
    call.begin()
    // A handler around the exchange would slow down every successful call.
    return exchange(call, client, true, (call, status, body) => {
      const validated = validate(call, status, body)
      return status === 401 ? Effect.catchAll(validated, recover) : validated
    })
  })

/**
 * Calls back with an effect's exit, also after an interruption. If the effect has a fiber to itself, the fiber is observed.
 */
const whenEnded = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  ownsFiber: boolean,
  tell: (exit: Exit.Exit<A, E>) => void
): Effect.Effect<A, E, R> => {
  if (ownsFiber) {
    const own = fiber as Fiber.RuntimeFiber<A, E>
    own.addObserver(tell)
    return effect
  }
  return Effect.onExit(effect, (exit) => Effect.sync(() => tell(exit)))
}

/** Runs an effect under a call's `totalTimeout` and signal. */
export const within = <A, R>(
  call: Call,
  { options }: Inputs,
  effect: Effect.Effect<A, ClientError, R>
): Effect.Effect<A, ClientError, R> => {
  const { defaults } = call.config
  const { name } = call.operation
  const totalTimeout = limitOf("totalTimeout", options["totalTimeout"] ?? defaults.totalTimeout, name)
  return withSignal(
    withTimeout(effect, totalTimeout, () => call.timedOut(totalTimeout)),
    signalOf(options["signal"] ?? defaults.signal, name),
    (reason) => call.networkError("Cancelled", reason)
  )
}

/** Whether the service has refused the access token, rather than the request itself. */
const isTokenRefused = (error: ClientError): boolean =>
  error._tag === "ClientRestError" &&
  error.status === 401 &&
  (error.code === "invalid_token" || /\binvalid_token\b/.test(error.headers?.["www-authenticate"] ?? ""))

/** Sends a call once more if its access token was refused and has been replaced or removed. */
const renewing = (
  call: Call,
  renew: CredentialRenewal,
  error: ClientError,
  send: (token: Secrets.Held["accessToken"]) => Effect.Effect<unknown, ClientError>
): Effect.Effect<unknown, ClientError> => {
  const refused = Option.getOrUndefined(call.credentials.accessToken)
  return refused === undefined || !isTokenRefused(error)
    ? Effect.fail(error)
    : Effect.flatMap(Secrets.renewed(renew, refused, call.operation.name), (token) =>
        Option.exists(token, (token) => Secrets.valueOf(token) === Secrets.valueOf(refused))
          ? Effect.fail(error)
          : send(token)
      )
}

/** A configuration with the headers of a call. */
const configOf = (config: CatalogSettings, headers: unknown, operation: string): CatalogSettings => {
  try {
    return withHeaders(config, headers as CatalogSettings["headers"])
  } catch (error) {
    throw mistake(`${operation}: ${textIn(error, "message")}`)
  }
}

/** How an operation is run. */
interface How {
  /** Changes the URL to another page of the list. */
  readonly follow?: Request.Follow | undefined
  /** The slots to use; those of the `Credentials` service by default. */
  readonly slots?: CredentialsService | undefined
  /** Takes the call when it begins. */
  readonly seen?: Seen | undefined
  /** Whether to make the exchange after the checks. */
  readonly isSent?: boolean
  /** Whether the call has a fiber to itself. */
  readonly ownsFiber?: boolean
}

/**
 * Runs a call: rules, credentials, policy, exchange. Throws a `TypeError` for a bug in the program.
 */
const begin = (
  operation: Declaration,
  call: Call,
  inputs: Inputs,
  { follow, slots, isSent = true }: How,
  fiber: AnyFiber
): Interpreted => {
  const { name, method } = operation
  const { params, options } = inputs
  Request.checkInputs(name, inputs)
  if (isGiven(options["headers"])) {
    call.config = configOf(call.config, options["headers"], name)
  }
  const broken = operation.rule?.(operation, params)
  if (broken !== undefined) {
    return Spans.operation(Effect.fail(broken), fiber, call)
  }
  const service = Context.unsafeGet(contextOf(fiber), CredentialsTag)
  const asked = Secrets.slotsOf(slots ?? service, options, name)
  const config = (call.config = asked.configure?.(call.config, name) ?? call.config)
  const { defaults } = config
  const limit = (of: Limit) => limitOf(of, options[of] ?? defaults[of], name)
  call.timeout = limit("timeout")
  call.maxResponseBytes = limit("maxResponseBytes")
  const policy = policyOf(Context.get(contextOf(fiber), CatalogPolicy), options["policies"], name)
  Object.assign(call, Request.make(operation, inputs, config, follow))

  /** With `renew`, the token comes from a session; `recover` is given only for the first time. */
  const sent = (
    held: Secrets.Held,
    client: HttpClient,
    renew?: CredentialRenewal,
    recover?: Recover
  ): Effect.Effect<unknown, ClientError> =>
    Effect.flatMap(Secrets.present(service, config, held, name), ({ credentials, lack }) => {
      call.send(credentials)
      const refused = lack && operation.token?.(name, params, renew && lack === "Missing" ? "SignedOut" : lack)
      if (refused !== undefined) {
        return Effect.fail(refused)
      }
      if (!isSent) {
        return Effect.void
      }
      if (policy === undefined) {
        return recover === undefined ? attempt(call, client, true) : attemptOr(call, client, recover)
      }
      const attempted = policy(
        {
          operation: name,
          method,
          url: follow === undefined ? call.url : call.redactedUrl,
          params,
          credentials,
          headers: config.headers,
          timeout: call.timeout,
          maxResponseBytes: call.maxResponseBytes,
          idempotent: method !== "PATCH" && method !== "POST",
          reply: operation.reply,
          cacheable: operation.cacheable === true,
          networkError: (reason, cause) => call.networkError(reason, cause),
          tell: (hook, details) => tell(call, hook, details)
        },
        attempt(call, client, false)
      )
      return recover === undefined ? attempted : Effect.catchAll(attempted, recover)
    })

  const { renew } = asked
  const whole = Effect.flatMap(Client.HttpClient, (client) =>
    Effect.flatMap(Secrets.ask(asked, name), (held) => {
      const recover =
        renew &&
        ((error: ClientError) =>
          renewing(call, renew, error, (accessToken) => sent({ ...held, accessToken }, client, renew)))
      return sent(held, client, renew, recover)
    })
  )
  return Spans.operation(within(call, inputs, whole), fiber, call)
}

/** An operation with its inputs, as an Effect. */
export const interpret = (operation: Declaration, inputs: Inputs, how: How = {}): Interpreted =>
  withFiber((fiber): Interpreted => {
    const context = contextOf(fiber)
    const call = new Call(operation, Context.get(context, CatalogConfigTag), context)
    if (how.seen !== undefined) {
      how.seen.call = call
    }
    Context.get(context, Calls)?.(call)
    const count = Meters.counting(fiber, call)
    const ended = (effect: Interpreted): Interpreted =>
      whenEnded(effect, fiber, how.ownsFiber === true, (exit) => {
        count(exit)
        call.stop?.()
      })
    let begun: Interpreted
    try {
      begun = begin(operation, call, inputs, how, fiber)
    } catch (mistake) {
      begun = Spans.operation(Effect.die(mistake), fiber, call)
    }
    return ended(begun)
  })
