/**
 * The promise face: runs each call as a fiber of one runtime, and each whole list as an iterator.
 */
import type { HttpClient } from "../../platform/httpClient.js"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { NodeInspectSymbol } from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { Catalog } from "../../Catalog.js"
import { type CatalogSettings, initial, merge, Settings, withLateBaseUrl } from "../../CatalogConfig.js"
import { isNamed, isMistake } from "../common/validate.js"
import { type ClientError, type ClientNetworkError, isClientError } from "../../CatalogError.js"
import { checkHooks, HooksOfCalls } from "../../CatalogHooks.js"
import { checkPolicies, Policies } from "../../CatalogPolicy.js"
import { type Credentials, Slots, toRedacted } from "../../Credentials.js"
import type { AsyncList, FieldsDefault } from "../../Face.js"
import { Call } from "../call/call.js"
import type { Declaration, Inputs } from "../operation/declaration.js"
import { interpret, within } from "../call/interpreter.js"
import { declarationOf, inputsOf } from "../call/operation.js"
import * as Pages from "../lists/walk.js"
import * as Request from "../operation/request.js"
import { interrupt } from "../common/run.js"
import type { Held } from "../credentials/credentials.js"
import { logging } from "./log.js"
import { awaited, showLines } from "./stack.js"
import * as Client from "../../platform/httpClient.js"
import type { AnySelector } from "../../Selector.js"
import { overFetch } from "../../platform/transport.js"
import type { CreateCatalogOptions, PromiseCatalog } from "../../PromiseCatalog.js"

const isSelector = (fields: FieldsDefault | undefined): fields is AnySelector =>
  typeof fields === "string" || Array.isArray(fields)

type Services = HttpClient | Credentials

/** Where an engine has none, what bundlers such as esbuild make of `await using` looks for this one. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")

const closed = { name: "AbortError", message: "the catalog was closed" }
const interrupted = { name: "AbortError", message: "the transport interrupted itself" }

type WholeList = (
  declaration: Declaration,
  inputs: Inputs,
  held: Held
) => Effect.Effect<Pages.Pull<unknown>, never, Services | Scope.Scope>

/** A loop over a list: whether it was left, and what is asking for its next entries. */
interface Loop {
  isStopped: boolean
  asking: Fiber.RuntimeFiber<unknown, ClientError> | undefined
}

const transportOf = ({ fetch, transport }: Partial<CreateCatalogOptions>): Layer.Layer<HttpClient> => {
  if (fetch && transport) {
    throw new TypeError("createCatalog takes a transport or a fetch, not both")
  }
  if (typeof fetch === "function") {
    return Layer.succeed(Client.HttpClient, overFetch(fetch))
  }
  if (Layer.isLayer(transport)) {
    return transport
  }
  throw new TypeError("createCatalog needs a transport: give a Layer as transport, or a function as fetch")
}

/** A catalog of promises: one runtime, in which each call is a fiber. */
export class PromiseCatalogLive<D extends FieldsDefault | undefined> implements PromiseCatalog<D> {
  readonly anime: PromiseCatalog<D>["anime"]
  readonly manga: PromiseCatalog<D>["manga"]
  readonly user: PromiseCatalog<D>["user"]
  readonly forum: PromiseCatalog<D>["forum"]
  /** The slots as they are now. */
  readonly #held: { -readonly [Slot in keyof Held]: Held[Slot] }
  readonly #fields: FieldsDefault | undefined
  readonly #settings: CatalogSettings
  /** What a call needs besides a transport. */
  readonly #services: Context.Context<Credentials>
  /** What calls run in. Its Layer is built with the first call. */
  readonly #runtime: ManagedRuntime.ManagedRuntime<Services, never>
  #isBuilt = false
  /** What whole lists are read in. */
  readonly #scope = Effect.runSync(Scope.make())
  readonly #inFlight = new Set<Fiber.RuntimeFiber<unknown, ClientError>>()
  #closing: Promise<void> | undefined

  constructor(options: Partial<CreateCatalogOptions<D>> = {}) {
    const { accessToken, baseUrl, clientId, fields, hooks, policies } = options
    const { timeout, totalTimeout, maxResponseBytes, signal, nsfw } = options
    const held = { accessToken: toRedacted("accessToken", accessToken), clientId: toRedacted("clientId", clientId) }
    this.#held = held
    this.#fields = fields
    const isLate = typeof baseUrl === "function"
    const settings = merge(initial, {
      ...options,
      baseUrl: isLate ? undefined : baseUrl,
      defaults: { timeout, totalTimeout, maxResponseBytes, signal, nsfw }
    })
    this.#settings = isLate ? withLateBaseUrl(settings, baseUrl) : settings
    // Not `Effect.sync`: what a slot holds can be looked at without asking it.
    this.#services = Context.make(Slots, {
      get accessToken() {
        return Effect.succeed(held.accessToken)
      },
      get clientId() {
        return Effect.succeed(held.clientId)
      }
    }).pipe(
      Context.add(Settings, this.#settings),
      Context.add(Policies, checkPolicies(policies ?? [], "createCatalog")),
      Context.add(HooksOfCalls, checkHooks(hooks ?? {}, "createCatalog"))
    )
    this.#runtime = ManagedRuntime.make(
      // Loggers that come with the transport are known by then.
      logging(options).pipe(
        Layer.provideMerge(Layer.map(transportOf(options), (transport) => Context.merge(transport, this.#services))),
        Layer.tap(() =>
          Effect.sync(() => {
            this.#isBuilt = true
          })
        )
      )
    )
    this.anime = this.#promised(Catalog.anime)
    this.manga = this.#promised(Catalog.manga)
    this.user = this.#promised(Catalog.user)
    this.forum = this.#promised(Catalog.forum)
  }

  get accessToken(): string | undefined {
    return Option.getOrUndefined(Option.map(this.#held.accessToken, Redacted.value))
  }
  set accessToken(value: string | Redacted.Redacted<string> | undefined) {
    this.#held.accessToken = toRedacted("accessToken", value)
  }

  get clientId(): string | undefined {
    return Option.getOrUndefined(Option.map(this.#held.clientId, Redacted.value))
  }
  set clientId(value: string | Redacted.Redacted<string> | undefined) {
    this.#held.clientId = toRedacted("clientId", value)
  }

  /** Node prints the slots too where it is asked for hidden members and getters. */
  [NodeInspectSymbol](): object {
    const { anime, manga, user, forum } = this
    return { anime, manga, user, forum }
  }

  close(): Promise<void> {
    // Later: a transport can call this while it begins a call, which is in flight only then.
    return (this.#closing ??= Promise.resolve().then(() =>
      Effect.runPromise(
        Fiber.interruptAll(this.#inFlight).pipe(
          Effect.zipRight(Scope.close(this.#scope, Exit.void)),
          Effect.zipRight(this.#runtime.disposeEffect)
        )
      )
    ))
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }

  /** The operations of one domain. Both faces have the same signatures, over other lambdas: what differs is here. */
  #promised<Promises>(domain: object): Promises {
    const promised = Object.entries(domain).map(([name, operation]: [string, object]) => {
      const declaration = declarationOf(operation)
      const inherited = this.#inherited(declaration)
      const inputs = (given: ReadonlyArray<object | undefined>): Inputs => {
        const { params, options } = inputsOf(declaration, given)
        return {
          params,
          options:
            inherited === undefined || !isNamed(options)
              ? options
              : { ...options, fields: options["fields"] ?? inherited }
        }
      }
      type Given = ReadonlyArray<object | undefined>
      // Named like the operation, so that printing a catalog shows what it can do.
      const { [name]: call } = {
        [name]: (...given: Given) => {
          const all = inputs(given)
          return this.#run(declaration, all, interpret(declaration, all, { held: { ...this.#held }, ownsFiber: true }))
        }
      }
      const wholeList = declaration.limit && {
        pages: (...given: Given) => this.#iterable(declaration, inputs(given), Pages.pages),
        items: (...given: Given) => this.#iterable(declaration, inputs(given), Pages.items),
        collect: (...given: Given) => {
          const all = inputs(given)
          return this.#run(declaration, all, Pages.collect(declaration, all, { ...this.#held }))
        }
      }
      return { [name]: Object.assign(call ?? {}, wholeList) }
    })
    return Object.assign({}, ...promised) as Promises
  }

  /** A whole list as what `for await` takes; each loop reads it from the beginning. */
  #iterable(declaration: Declaration, inputs: Inputs, list: WholeList): AsyncList<unknown> {
    return {
      [Symbol.asyncIterator]: () => {
        const loop: Loop = { isStopped: false, asking: undefined }
        const entries = this.#iterate(declaration, inputs, list, loop)
        // Also while an entry is awaited: the request for it ends, and it is the end of the list.
        const stop = () => {
          loop.isStopped = true
          interrupt(loop.asking)
          return entries.return()
        }
        const iterator: AsyncIterableIterator<unknown> = {
          next: () => entries.next(),
          return: stop,
          throw: (thrown) =>
            stop().then(() => {
              throw thrown
            }),
          [Symbol.asyncIterator]: () => iterator
        }
        return iterator
      }
    }
  }

  /** Begun with the first element that is asked for, ended with the loop. */
  async *#iterate(
    declaration: Declaration,
    inputs: Inputs,
    list: WholeList,
    loop: Loop
  ): AsyncGenerator<unknown, void, undefined> {
    const scope = Effect.runSync(Scope.fork(this.#scope, ExecutionStrategy.sequential))
    const run = <A>(effect: Effect.Effect<A, ClientError, Services>) =>
      this.#run(declaration, inputs, effect, (fiber) => {
        loop.asking = fiber
        if (loop.isStopped) {
          interrupt(fiber)
        }
      })
    const signal = (inputs.options["signal"] ?? this.#settings.defaults.signal) as AbortSignal | undefined
    try {
      // The slots as they are now: one list is read for one user.
      const pull = await run(Scope.extend(list(declaration, inputs, { ...this.#held }), scope))
      while (!loop.isStopped) {
        const entries = await run(pull)
        if (entries === undefined) {
          return
        }
        for (const entry of entries) {
          // Entries that were read ahead end with the signal and with the catalog.
          if (signal?.aborted || this.#closing !== undefined) {
            await awaited(this.#cancelled(declaration, inputs, signal?.aborted ? signal.reason : closed))
          }
          yield entry
        }
      }
    } catch (error) {
      if (!loop.isStopped) {
        throw error
      }
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }

  /** The selector of a call that gives none. */
  #inherited({ fields: record }: Declaration): AnySelector | undefined {
    const fields = this.#fields
    return record && (isSelector(fields) ? fields : fields?.[record])
  }

  /** Runs an effect, at once where the Layer is built; it is, after this, unless building it takes time. */
  #fork<A>(
    declaration: Declaration,
    inputs: Inputs,
    effect: Effect.Effect<A, ClientError, Services>
  ): Fiber.RuntimeFiber<A, ClientError> {
    if (!this.#isBuilt) {
      this.#runtime.runFork(Effect.void)
    }
    return this.#isBuilt
      ? this.#runtime.runFork(effect)
      : Effect.runFork(
          Effect.suspend(() => within(this.#call(declaration, inputs), inputs, Effect.provide(effect, this.#runtime)))
        )
  }

  #run<A>(
    declaration: Declaration,
    inputs: Inputs,
    effect: Effect.Effect<A, ClientError, Services>,
    onBegin?: (fiber: Fiber.RuntimeFiber<A, ClientError>) => void
  ): Promise<A> {
    if (this.#closing !== undefined) {
      return awaited(this.#cancelled(declaration, inputs, closed))
    }
    const fiber = this.#fork(declaration, inputs, effect)
    this.#inFlight.add(fiber)
    onBegin?.(fiber)
    const atOnce = fiber.unsafePoll() !== null
    return new Promise((resolve, reject) => {
      fiber.addObserver((exit) => {
        this.#inFlight.delete(fiber)
        if (Exit.isSuccess(exit)) {
          return resolve(exit.value)
        }
        const error = Cause.isInterruptedOnly(exit.cause)
          ? this.#cancelled(declaration, inputs, this.#closing === undefined ? interrupted : closed)
          : Cause.originalError(Cause.squash(exit.cause))
        // After close() the calls have ended: taking their stack lines would come later.
        if (isClientError(error) && this.#closing === undefined) {
          return resolve(awaited(error))
        }
        if (atOnce && isMistake(error)) {
          // It is where the call was made.
          // oxlint-disable-next-line typescript/unbound-method -- it is not called: the lines above it are left out
          showLines(error, this.#run)
        }
        reject(error)
      })
    })
  }

  #call(declaration: Declaration, inputs: Inputs): Call {
    const call = new Call(declaration, this.#settings, this.#services)
    call.url = Request.urlOf(declaration, inputs, this.#settings)
    return call
  }

  #cancelled(declaration: Declaration, inputs: Inputs, reason: unknown): ClientNetworkError {
    return this.#call(declaration, inputs).networkError("Cancelled", reason)
  }
}
