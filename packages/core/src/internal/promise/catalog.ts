/**
 * The promise face: runs each call as a fiber of one runtime, and each whole list as an iterator.
 */
import type { HttpClient } from "../../platform/httpClient.js"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { NodeInspectSymbol } from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Runtime } from "effect/Runtime"
import * as Scope from "effect/Scope"
import { Catalog, type CatalogOperations } from "../../Catalog.js"
import { type CatalogSettings, initial, mergeClient, CatalogConfigTag, withLateBaseUrl } from "../../CatalogConfig.js"
import { isMistake } from "../common/validate.js"
import type { ClientError, ClientNetworkError } from "../../CatalogError.js"
import { addHooks, checkHooks, type Hooks, CatalogHooks } from "../../CatalogHooks.js"
import { checkPolicies, CatalogPolicy, type Policy } from "../../CatalogPolicy.js"
import {
  type CredentialSlot,
  type CredentialSource,
  type CredentialsService,
  type CredentialValues,
  type Credentials,
  CredentialsTag,
  toRedacted,
  toSlot
} from "../../Credentials.js"
import type { AsyncList, CatalogResponse, FieldsDefault, PromiseFace } from "../../Face.js"
import { isClientError } from "../../guards.js"
import { Call, type Seen } from "../call/call.js"
import type { Declaration, Inputs } from "../operation/declaration.js"
import { interpret, within } from "../call/interpreter.js"
import { onFace } from "../call/operation.js"
import { over } from "../call/policies.js"
import { none } from "../credentials/credentials.js"
import { responseOf } from "../call/withResponse.js"
import * as Pages from "../lists/walk.js"
import * as Request from "../operation/request.js"
import { forkIn, interrupt, withServices } from "../common/run.js"
import { logging } from "./log.js"
import { asyncDispose } from "./dispose.js"
import { awaited, showLines } from "./stack.js"
import { transportOf } from "./transport.js"
import type { CreateCatalogOptions, PromiseCatalog, TransportOptions, ViewOptions } from "../../PromiseCatalog.js"

type Services = HttpClient | Credentials

const closed = { name: "AbortError", message: "the catalog was closed" }
const interrupted = { name: "AbortError", message: "the transport interrupted itself" }

type WholeList = typeof Pages.items

/** A loop over a list: whether it was left, and the fiber that reads its next entries. */
interface Loop {
  isStopped: boolean
  asking: Fiber.RuntimeFiber<unknown, ClientError> | undefined
}

/** Shared by the views of a catalog: the transport with its connections, loggers and tracers. */
interface Shared {
  /** Its Layer is built by the first call. */
  readonly managed: ManagedRuntime.ManagedRuntime<HttpClient, never>
  /** The runtime, once it is built. */
  built: Runtime<HttpClient> | undefined
}

const share = (options: Partial<CreateCatalogOptions>): Shared => {
  const shared: Shared = {
    managed: ManagedRuntime.make(
      // Now the transport's loggers are known.
      logging(options).pipe(
        Layer.provideMerge(transportOf(options as TransportOptions, "createCatalog")),
        Layer.tap(() =>
          Effect.sync(() => {
            isBuilt = true
          })
        )
      )
    ),
    get built() {
      return (built ??= isBuilt ? shared.managed.runSync(Effect.runtime<HttpClient>()) : undefined)
    }
  }
  let isBuilt = false
  let built: Runtime<HttpClient> | undefined
  return shared
}

/** The options of a view. */
interface State {
  /** Without a base URL that is resolved late. */
  readonly settings: CatalogSettings
  readonly lateBaseUrl: (() => string | URL) | undefined
  readonly fields: FieldsDefault | undefined
  readonly policies: ReadonlyArray<Policy>
  readonly hooks: ReadonlyArray<Hooks>
  /** The session; assigned credentials take precedence. */
  readonly session: CredentialsService | undefined
  /** The assigned credentials. */
  assigned: { readonly [Slot in keyof CredentialValues]?: CredentialSlot }
  /** Assigned credentials over those of the session. */
  slots: CredentialsService
  /** The values of the slots that are not functions. */
  values: Readonly<Record<keyof CredentialValues, Option.Option<Redacted.Redacted<string>>>>
}

const empty: CredentialsService = /*#__PURE__*/ (() => ({
  accessToken: Effect.succeed(Option.none()),
  clientId: Effect.succeed(Option.none())
}))()

/**
 * Assigned credentials over those of a session. Getters, so that a session's known value can be read without running its
 * slot.
 */
const joined = ({ assigned, session = empty }: State): CredentialsService => ({
  get accessToken() {
    return assigned.accessToken ?? session.accessToken
  },
  get clientId() {
    return assigned.clientId ?? session.clientId
  },
  ...(assigned.accessToken === undefined && { renew: session.renew, configure: session.configure })
})

const nothing: State = /*#__PURE__*/ (() => ({
  settings: initial,
  lateBaseUrl: undefined,
  fields: undefined,
  policies: [],
  hooks: [],
  session: undefined,
  assigned: {},
  slots: empty,
  values: none
}))()

class Returns {
  constructor(value: object) {
    return value
  }
}

/**
 * The promise itself, with the last call of its operation for `withResponse`: as a private member, which is never printed. A
 * `WeakMap` of promises costs a tenth of a call, in garbage collection.
 */
class Kept extends Returns {
  readonly #seen: Seen

  constructor(promise: Promise<unknown>, seen: Seen) {
    super(promise)
    this.#seen = seen
  }

  static of(promise: unknown): Seen | undefined {
    return typeof promise === "object" && promise !== null && #seen in promise ? promise.#seen : undefined
  }
}

type AnyCatalog = PromiseCatalogLive<FieldsDefault | undefined>

/** A catalog of promises, or a view of one: each call is a fiber of one runtime. */
export class PromiseCatalogLive<D extends FieldsDefault | undefined> implements PromiseCatalog<D> {
  readonly anime: PromiseCatalog<D>["anime"]
  readonly manga: PromiseCatalog<D>["manga"]
  readonly user: PromiseCatalog<D>["user"]
  readonly forum: PromiseCatalog<D>["forum"]
  readonly call: PromiseCatalog<D>["call"]
  /** This view and its ancestors. */
  readonly #line: ReadonlyArray<AnyCatalog>
  readonly #shared: Shared
  readonly #state: State
  readonly #settings: CatalogSettings
  /** The services of a call, besides the transport. */
  readonly #services: Context.Context<Credentials>
  /** The runtime of calls. */
  #runtime: Runtime<Services> | undefined
  /** The scopes of whole lists. */
  readonly #scopes = new Set<Scope.CloseableScope>()
  readonly #inFlight = new Set<Fiber.RuntimeFiber<unknown, ClientError>>()
  #closing: Promise<void> | undefined

  constructor(options: Partial<CreateCatalogOptions<D>> = {}, parent?: AnyCatalog) {
    const { baseUrl, hooks, policies, session } = options
    const from = parent === undefined ? nothing : parent.#state
    const where = parent === undefined ? "createCatalog" : "withOptions"
    const isLate = typeof baseUrl === "function"
    const state: State = (this.#state = {
      lateBaseUrl: isLate ? baseUrl : baseUrl === undefined ? from.lateBaseUrl : undefined,
      settings: mergeClient(from.settings, { ...options, baseUrl: isLate ? undefined : baseUrl }),
      fields: options.fields ?? from.fields,
      policies: over(from.policies, checkPolicies(policies ?? [], where)),
      hooks: hooks === undefined ? from.hooks : addHooks(from.hooks, [checkHooks(hooks, where)]),
      session: session === undefined ? from.session : session.credentials,
      assigned: session === undefined ? from.assigned : {},
      slots: from.slots,
      values: session === undefined ? from.values : none
    })
    state.slots = joined(state)
    const { lateBaseUrl, settings } = state
    this.#settings = lateBaseUrl === undefined ? settings : withLateBaseUrl(settings, lateBaseUrl)
    for (const slot of ["accessToken", "clientId"] as const) {
      // A view without a token never uses the token of the session.
      if (slot in options && (parent !== undefined || options[slot] !== undefined)) {
        this.#assign(slot, toSlot(slot, options[slot]), options[slot])
      }
    }
    if (lateBaseUrl === undefined) {
      state.slots.configure?.(settings, where)
    }
    // Not `Effect.sync`, so that a slot's value can be read without running it.
    this.#services = Context.make(CredentialsTag, {
      get accessToken() {
        return state.slots.accessToken
      },
      get clientId() {
        return state.slots.clientId
      }
    }).pipe(
      Context.add(CatalogConfigTag, this.#settings),
      Context.add(CatalogPolicy, state.policies),
      Context.add(CatalogHooks, state.hooks)
    )
    this.#shared = parent === undefined ? share(options) : parent.#shared
    const self = this as unknown as AnyCatalog
    this.#line = parent === undefined ? [self] : [self, ...parent.#line]
    ;({ anime: this.anime, manga: this.manga, user: this.user, forum: this.forum, call: this.call } = this.#promised())
  }

  #assign(
    slot: keyof CredentialValues,
    assigned: CredentialSlot | undefined,
    source: CredentialSource | undefined
  ): void {
    const state = this.#state
    // New objects, since views and lists in progress keep the old ones.
    state.assigned = { ...state.assigned, [slot]: assigned }
    state.slots = joined(state)
    state.values = {
      ...state.values,
      [slot]: typeof source === "function" ? Option.none() : toRedacted(slot, source)
    }
  }

  /** When unset, the session's credential applies again. */
  #set(slot: keyof CredentialValues, source: CredentialSource | undefined): void {
    this.#assign(slot, source === undefined ? undefined : toSlot(slot, source), source)
  }

  get accessToken(): string | undefined {
    return Option.getOrUndefined(Option.map(this.#state.values.accessToken, Redacted.value))
  }
  set accessToken(source: CredentialSource | undefined) {
    this.#set("accessToken", source)
  }

  get clientId(): string | undefined {
    return Option.getOrUndefined(Option.map(this.#state.values.clientId, Redacted.value))
  }
  set clientId(source: CredentialSource | undefined) {
    this.#set("clientId", source)
  }

  withOptions<const D2 extends FieldsDefault | undefined = D>(options: ViewOptions<D2>): PromiseCatalog<D2> {
    return new PromiseCatalogLive<D2>(options, this as unknown as AnyCatalog)
  }

  /** Node prints the slots too if asked for hidden members and getters. */
  [NodeInspectSymbol](): object {
    const { anime, manga, user, forum } = this
    return { anime, manga, user, forum }
  }

  withResponse<A>(reply: Promise<A>): Promise<CatalogResponse<A>> {
    const last = Kept.of(reply)
    if (last === undefined) {
      throw new TypeError(
        "withResponse takes the promise that an operation has returned, for example catalog.withResponse(catalog.anime.get({ id: 30230 }))"
      )
    }
    return reply.then((data) => responseOf(data, last.call))
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end())
  }

  async #end(): Promise<void> {
    // Deferred: a transport can close the catalog while it begins a call, which is in flight only afterwards.
    await Promise.resolve()
    await Effect.runPromise(Fiber.interruptAll(this.#inFlight))
    await Promise.all([...this.#scopes].map((scope) => Effect.runPromise(Scope.close(scope, Exit.void))))
    if (this.#line.length === 1) {
      await this.#shared.managed.dispose()
    }
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }

  get #isClosed(): boolean {
    return this.#line.some((catalog) => catalog.#closing !== undefined)
  }

  /** All operations. All faces have the same signatures over different type lambdas. */
  #promised(): CatalogOperations<PromiseFace, D> & Pick<PromiseCatalog<D>, "call"> {
    type Given = ReadonlyArray<object | undefined>
    return onFace(Catalog, this.#state.fields, (declaration, read) => {
      const one =
        (run: typeof interpret) =>
        (...given: Given) => {
          const all = read(given)
          const seen: Seen = { call: undefined }
          const effect = run(declaration, all, { slots: this.#state.slots, ownsFiber: true, seen })
          return new Kept(this.#start(declaration, all, effect), seen)
        }
      const all =
        (list: WholeList) =>
        (...given: Given) =>
          this.#iterable(declaration, read(given), list)
      return Object.assign(
        one(interpret),
        declaration.limit && { pages: all(Pages.pages), items: all(Pages.items), collect: one(Pages.collect) }
      )
    })
  }

  /** A whole list as an async iterable; each loop reads it from the beginning. */
  #iterable(declaration: Declaration, inputs: Inputs, list: WholeList): AsyncList<unknown> {
    return {
      [Symbol.asyncIterator]: () => {
        const loop: Loop = { isStopped: false, asking: undefined }
        const entries = this.#iterate(declaration, inputs, list, loop)
        // Also while an entry is awaited: its request is ended, and so is the list.
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

  /** Starts with the first element that is requested, ends with the loop. */
  async *#iterate(
    declaration: Declaration,
    inputs: Inputs,
    list: WholeList,
    loop: Loop
  ): AsyncGenerator<unknown, void, undefined> {
    const scope = Effect.runSync(Scope.make())
    for (const catalog of this.#line) {
      catalog.#scopes.add(scope)
    }
    const run = <A>(effect: Effect.Effect<A, ClientError, Services>) =>
      this.#start(declaration, inputs, effect, (fiber) => {
        loop.asking = fiber
        if (loop.isStopped) {
          interrupt(fiber)
        }
      })
    const signal = (inputs.options["signal"] ?? this.#settings.defaults.signal) as AbortSignal | undefined
    try {
      // The current slots: one list is read for one user.
      const pull = await run(Scope.extend(list(declaration, inputs, { slots: this.#state.slots }), scope))
      while (!loop.isStopped) {
        const entries = await run(pull)
        if (entries === undefined) {
          return
        }
        for (const entry of entries) {
          // Entries that were read ahead end with the signal and with the catalog.
          if (signal?.aborted || this.#isClosed) {
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
      for (const catalog of this.#line) {
        catalog.#scopes.delete(scope)
      }
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }

  /** Runs an effect, at once if the Layer is built or can be built synchronously. */
  #fork<A>(
    declaration: Declaration,
    inputs: Inputs,
    effect: Effect.Effect<A, ClientError, Services>
  ): Fiber.RuntimeFiber<A, ClientError> {
    const shared = this.#shared
    if (this.#runtime === undefined) {
      if (shared.built === undefined) {
        shared.managed.runFork(Effect.void)
      }
      if (shared.built === undefined) {
        const provided = Effect.provide(Effect.provide(effect, this.#services), shared.managed)
        return Effect.runFork(Effect.suspend(() => within(this.#call(declaration, inputs), inputs, provided)))
      }
      this.#runtime = withServices(shared.built, this.#services)
    }
    return forkIn(this.#runtime, effect)
  }

  #start<A>(
    declaration: Declaration,
    inputs: Inputs,
    effect: Effect.Effect<A, ClientError, Services>,
    onBegin?: (fiber: Fiber.RuntimeFiber<A, ClientError>) => void
  ): Promise<A> {
    if (this.#isClosed) {
      return awaited(this.#cancelled(declaration, inputs, closed))
    }
    const fiber = this.#fork(declaration, inputs, effect)
    for (const catalog of this.#line) {
      catalog.#inFlight.add(fiber)
    }
    onBegin?.(fiber)
    const atOnce = fiber.unsafePoll() !== null
    return new Promise((resolve, reject) => {
      fiber.addObserver((exit) => {
        for (const catalog of this.#line) {
          catalog.#inFlight.delete(fiber)
        }
        if (Exit.isSuccess(exit)) {
          return resolve(exit.value)
        }
        const error = Cause.isInterruptedOnly(exit.cause)
          ? this.#cancelled(declaration, inputs, this.#isClosed ? closed : interrupted)
          : Cause.originalError(Cause.squash(exit.cause))
        // After close() the calls have ended, and it is too late to capture their stack lines.
        if (isClientError(error) && !this.#isClosed) {
          return resolve(awaited(error))
        }
        if (atOnce && isMistake(error)) {
          // This is where the call was made.
          // oxlint-disable-next-line typescript/unbound-method -- it is not called: the lines above it are left out
          showLines(error, this.#start)
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
