/**
 * The promise face: a catalog, and views of it with other options and credentials.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { NodeInspectSymbol } from "effect/Inspectable"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { isPresent, show } from "../common/mistakes.js"
import type { CatalogOperations } from "../../Catalog.js"
import {
  CatalogConfigTag,
  type CatalogSettings,
  initial,
  mergeClient,
  ofClient,
  withLateBaseUrl
} from "../../CatalogConfig.js"
import { addHooks, CatalogHooks, checkHooks, type Hooks } from "../../CatalogHooks.js"
import { CatalogPolicy, checkPolicies, mergePolicies, type Policy } from "../../CatalogPolicy.js"
import {
  addedByProxy,
  type CredentialSlot,
  type CredentialSource,
  type CredentialsService,
  CredentialsTag,
  type CredentialValues,
  toRedacted,
  toSlot
} from "../../Credentials.js"
import type { CatalogResponse, FieldsDefault, PromiseFace } from "../../Face.js"
import type { CreateCatalogOptions, PromiseCatalog, TransportOptions, ViewOptions } from "../../PromiseCatalog.js"
import type { LastCall } from "../call/call.js"
import { interpret } from "../call/interpreter.js"
import { onFace } from "../call/make.js"
import { checkNames, type Known } from "../common/options.js"
import type { Declaration, Inputs } from "../declaration/declaration.js"
import { sharedOptions } from "../declaration/request.js"
import { slots } from "../credentials/credentials.js"
import { responseOf } from "../../withResponse.js"
import { type Walks, walksOf } from "../lists/walk.js"
import { asyncDispose } from "./dispose.js"
import { iterable } from "./list.js"
import { Runner } from "./runner.js"
import { transportOf } from "./layer.js"

/** A credential that was set for a view, or assigned to it. */
interface Assigned {
  readonly slot: CredentialSlot
  /** Its value, unless a function or a promise returns it, or a proxy adds it. */
  readonly value: Redacted.Redacted<string> | undefined
}

const assigned = (name: keyof CredentialValues, source: CredentialSource | undefined): Assigned => ({
  slot: toSlot(name, source),
  value:
    typeof source === "function" || source instanceof Promise || source === addedByProxy
      ? undefined
      : Option.getOrUndefined(toRedacted(name, source))
})

/**
 * The credentials of a view: the assigned ones over those of its session. Getters: the session's current slot is read on
 * each call.
 */
class ViewCredentials implements CredentialsService {
  constructor(
    private readonly session: CredentialsService,
    private assigned: { readonly [Slot in keyof CredentialValues]?: Assigned | undefined } = {}
  ) {}

  get accessToken() {
    return this.assigned.accessToken?.slot ?? this.session.accessToken
  }
  get clientId() {
    return this.assigned.clientId?.slot ?? this.session.clientId
  }
  get renew() {
    return this.assigned.accessToken === undefined ? this.session.renew : undefined
  }
  get configure() {
    return this.assigned.accessToken === undefined ? this.session.configure : undefined
  }

  /** `undefined` unsets it: then that of the session applies again. */
  assign(name: keyof CredentialValues, credential: Assigned | undefined): void {
    this.assigned = { ...this.assigned, [name]: credential }
  }

  /** The assigned value. */
  valueOf(name: keyof CredentialValues): string | undefined {
    const value = this.assigned[name]?.value
    return value && Redacted.value(value)
  }

  /** A snapshot; later assignments do not affect it. */
  copy(): ViewCredentials {
    return new ViewCredentials(this.session, this.assigned)
  }
}

const noSession: CredentialsService = /*#__PURE__*/ (() => ({
  accessToken: Effect.succeed(Option.none()),
  clientId: Effect.succeed(Option.none())
}))()

/** Settings and services of one catalog or view. */
interface View {
  /** Without a base URL that is resolved late. */
  readonly settings: CatalogSettings
  readonly lateBaseUrl: (() => string | URL) | undefined
  readonly fields: FieldsDefault | undefined
  readonly policies: ReadonlyArray<Policy>
  readonly hooks: ReadonlyArray<Hooks>
  readonly credentials: ViewCredentials
  readonly runner: Runner
}

const ofCatalog: Known<CreateCatalogOptions> = {
  ...ofClient,
  ...sharedOptions,
  session: 1,
  hooks: 1,
  logger: 1,
  logLevel: 1,
  transport: 1,
  fetch: 1
}

/** The options of a catalog, or of a view merged over those that it is made of. */
const viewOf = (options: Partial<CreateCatalogOptions>, from: View | undefined): View => {
  const where = from === undefined ? "createCatalog" : "withOptions"
  checkNames(where, options, ofCatalog)
  const { baseUrl, session } = options
  if (isPresent(session) && typeof session.credentials !== "object") {
    throw new TypeError(`${where}: session must be one of createSession, but it is ${show(session)}`)
  }
  const isLate = typeof baseUrl === "function"
  const lateBaseUrl = isLate ? baseUrl : baseUrl === undefined ? from?.lateBaseUrl : undefined
  const settings = mergeClient(from?.settings ?? initial, { ...options, baseUrl: isLate ? undefined : baseUrl })
  const policies = mergePolicies(from?.policies ?? [], checkPolicies(options.policies ?? [], where))
  const hooks = addHooks(from?.hooks ?? [], isPresent(options.hooks) ? [checkHooks(options.hooks, where)] : [])
  const credentials =
    session === undefined && from !== undefined
      ? from.credentials.copy()
      : new ViewCredentials(session?.credentials ?? noSession)
  for (const name of slots) {
    // A view without a token never uses the token of the session.
    if (name in options && (from !== undefined || options[name] !== undefined)) {
      credentials.assign(name, assigned(name, options[name]))
    }
  }
  if (lateBaseUrl === undefined) {
    credentials.configure?.(settings, where)
  }
  const services = Context.make(CredentialsTag, credentials).pipe(
    Context.add(CatalogConfigTag, lateBaseUrl === undefined ? settings : withLateBaseUrl(settings, lateBaseUrl)),
    Context.add(CatalogPolicy, policies),
    Context.add(CatalogHooks, hooks)
  )
  const transport =
    from?.runner.transport ?? ManagedRuntime.make(transportOf(options as TransportOptions, where, options))
  return {
    settings,
    lateBaseUrl,
    fields: options.fields ?? from?.fields,
    policies,
    hooks,
    credentials,
    runner: new Runner(transport, services, from?.runner)
  }
}

class Returns {
  constructor(value: object) {
    return value
  }
}

/**
 * The promise itself, with the last call of its operation for `withResponse`: as a private member, which is never
 * printed. With a `WeakMap` of promises a call takes half as much CPU again, in garbage collection.
 */
class Kept extends Returns {
  readonly #last: LastCall

  constructor(promise: Promise<unknown>, last: LastCall) {
    super(promise)
    this.#last = last
  }

  static of(promise: unknown): LastCall | undefined {
    return typeof promise === "object" && promise !== null && #last in promise ? promise.#last : undefined
  }
}

/** The arguments of a call. */
type Args = ReadonlyArray<object | undefined>

/** An operation that returns a promise, with its whole lists. */
const promised = (
  { credentials, runner, settings }: View,
  declaration: Declaration,
  read: (args: Args) => Inputs,
  walks: Walks | undefined
): object => {
  const one =
    (run: typeof interpret) =>
    (...args: Args) => {
      const inputs = read(args)
      const last: LastCall = { call: undefined }
      const effect = run(declaration, inputs, { slots: credentials.copy(), ownsFiber: true, last })
      return new Kept(runner.start(declaration, inputs, effect), last)
    }
  const all =
    (list: Walks["items"]) =>
    (...args: Args) => {
      const inputs = read(args)
      return iterable({
        declaration,
        inputs,
        // The credentials of its beginning: one list is read for one user.
        walk: () => list(declaration, inputs, { slots: credentials.copy() }),
        signal: (inputs.options["signal"] ?? settings.defaults.signal) as AbortSignal | undefined,
        runner
      })
    }
  return Object.assign(
    one(interpret),
    walks && { pages: all(walks.pages), items: all(walks.items), collect: one(walks.collect) }
  )
}

/** A catalog of promises, or a view of one. */
export class PromiseCatalogLive<D extends FieldsDefault | undefined> implements PromiseCatalog<D> {
  declare readonly anime: PromiseCatalog<D>["anime"]
  declare readonly manga: PromiseCatalog<D>["manga"]
  declare readonly user: PromiseCatalog<D>["user"]
  declare readonly forum: PromiseCatalog<D>["forum"]
  declare readonly call: PromiseCatalog<D>["call"]
  readonly #operations: object
  readonly #view: View

  /** `operations` are those that it has, by their domains: a page bundles no other ones. */
  constructor(options: Partial<CreateCatalogOptions<D>> = {}, operations: object, from?: View) {
    const view = (this.#view = viewOf(options, from))
    this.#operations = operations
    // All faces have the same signatures over different type lambdas.
    const faced: CatalogOperations<PromiseFace, D> & Pick<PromiseCatalog<D>, "call"> = onFace(
      operations,
      view.fields,
      (declaration, read, operation) => promised(view, declaration, read, walksOf(operation))
    )
    Object.assign(this, faced)
  }

  get accessToken(): string | undefined {
    return this.#view.credentials.valueOf("accessToken")
  }
  set accessToken(source: CredentialSource | undefined) {
    this.#view.credentials.assign("accessToken", source === undefined ? undefined : assigned("accessToken", source))
  }

  get clientId(): string | undefined {
    return this.#view.credentials.valueOf("clientId")
  }
  set clientId(source: CredentialSource | undefined) {
    this.#view.credentials.assign("clientId", source === undefined ? undefined : assigned("clientId", source))
  }

  withOptions<const D2 extends FieldsDefault | undefined = D>(options: ViewOptions<D2>): PromiseCatalog<D2> {
    return new PromiseCatalogLive<D2>(options, this.#operations, this.#view)
  }

  /** Node prints the slots too if asked for hidden members and getters. */
  [NodeInspectSymbol](): object {
    const { call: _, ...operations } = this
    return operations
  }

  withResponse<A>(reply: Promise<A>): Promise<CatalogResponse<A>> {
    const last = Kept.of(reply)
    if (last === undefined) {
      throw new TypeError(
        "withResponse takes the promise that an operation returned, for example catalog.withResponse(catalog.anime.get({ id: 30230 }))"
      )
    }
    return reply.then((data) => responseOf(data, last))
  }

  close(): Promise<void> {
    return this.#view.runner.close()
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}
