/**
 * A client as a value: the operations over one transport and one set of credentials, as an Effect service.
 *
 * @since 0.2.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Catalog, type CatalogOperations } from "./Catalog.js"
import type { CatalogConfigOptions, FromConfig } from "./CatalogConfig.js"
import type { ClientError } from "./CatalogError.js"
import { type Hooks, CatalogHooks } from "./CatalogHooks.js"
import { CatalogPolicy, type Policy } from "./CatalogPolicy.js"
import type { Credentials } from "./Credentials.js"
import type { CheckedDefault, ClientFace, FieldsDefault } from "./Face.js"
import { interpret } from "./internal/call/interpreter.js"
import { onFace } from "./internal/call/faces.js"
import { memoize } from "./internal/common/memoize.js"
import { checkNames } from "./internal/common/options.js"
import { addHooks, mergePolicies } from "./internal/policies/merge.js"
import { fromPull } from "./internal/lists/streams.js"
import * as Pages from "./internal/lists/walk.js"
import type { Declaration, Inputs } from "./internal/declaration/declaration.js"
import { nameOf, urlOf } from "./internal/declaration/request.js"
import { CredentialsTag } from "./internal/services/credentials.js"
import {
  CatalogConfigTag,
  type CatalogSettings,
  mergeAround,
  mergeOptions,
  optionChecks,
  readOptions
} from "./internal/services/settings.js"
import type { Any, Call } from "./Operation.js"
import * as Client from "./platform/httpClient.js"

/** The operations of a client, with no further requirements; `D` is the default for calls without a selector. */
export interface CatalogClientService<D extends FieldsDefault | undefined = never> extends CatalogOperations<
  ClientFace,
  D
> {
  /**
   * Calls a custom operation, made by `Operation.make` or `Operation.paged`, with this client:
   * `client.call(operation, params, options)`, and `call.pages`, `call.items` and `call.collect` for whole lists.
   */
  readonly call: Call<ClientFace>
}

/** A test's replacement of a function. Its reply needs only the members that the test uses. */
type Stub<Operation> = Operation extends (...inputs: infer Inputs) => Effect.Effect<infer A, infer E>
  ? (...inputs: Inputs) => Effect.Effect<A, E>
  : Operation extends (...inputs: infer Inputs) => Stream.Stream<infer A, infer E>
    ? (...inputs: Inputs) => Stream.Stream<A, E>
    : never

/** A test's replacement of an operation. Whole lists come from the pages that it returns, unless they have stubs, too. */
type OperationStub<Operation> = Stub<Operation> & {
  readonly [Name in keyof Operation]?: Stub<Operation[Name]>
}

/** The operations that a test replaces. */
export type CatalogClientStubs = {
  readonly [Domain in keyof CatalogOperations<ClientFace>]?: {
    readonly [Name in keyof CatalogOperations<ClientFace>[Domain]]?: OperationStub<
      CatalogOperations<ClientFace>[Domain][Name]
    >
  }
} & {
  /**
   * Returns the replies of custom operations: it receives the operation and the arguments of the call. `pages`, `items` and
   * `collect` come from the pages that it returns.
   */
  readonly call?: (operation: Any, ...inputs: ReadonlyArray<unknown>) => Effect.Effect<unknown, ClientError>
}

type Services = Client.HttpClient | Credentials

/** The part of a context that belongs to the client. The rest, such as spans, comes from each call. */
const servicesOf = /*#__PURE__*/ Context.pick(Client.HttpClient, CredentialsTag, Client.Fetch, Client.RequestInit)

/**
 * Merges what is around a call over what a client was built with. Memoized, with the part that differs most often innermost,
 * so that most calls pay for one merge of contexts.
 */
const merging = (
  builtWith: Context.Context<Services>,
  options: CatalogConfigOptions
): ((around: Context.Context<never>) => Context.Context<Services>) => {
  const [outerSettings, policies, hooks] = [
    Context.get(builtWith, CatalogConfigTag),
    Context.get(builtWith, CatalogPolicy),
    Context.get(builtWith, CatalogHooks)
  ]
  checkNames("CatalogClient", options, optionChecks)
  const settings = mergeOptions(outerSettings, options)
  const services = servicesOf(builtWith as Context.Context<Services | Client.Fetch | Client.RequestInit>)
  const withPolicies = memoize((around: ReadonlyArray<Policy>) => {
    const added = around.filter((policy) => !policies.includes(policy))
    const context = Context.add(services, CatalogPolicy, mergePolicies(policies, added))
    return memoize((around: ReadonlyArray<Hooks>) => {
      const withHooks = Context.add(context, CatalogHooks, addHooks(hooks, around))
      return memoize((around: CatalogSettings) =>
        Context.add(withHooks, CatalogConfigTag, mergeAround(settings, outerSettings, around))
      )
    })
  })
  return (around) =>
    Context.merge(
      around,
      withPolicies(Context.get(around, CatalogPolicy))(Context.get(around, CatalogHooks))(
        Context.get(around, CatalogConfigTag)
      )
    )
}

/** The arguments of a call. */
type Arguments = ReadonlyArray<object | undefined>

/** The whole lists of an operation with pages. */
const listsOf = (
  declaration: Declaration,
  read: (args: Arguments) => Inputs,
  merge: (around: Context.Context<never>) => Context.Context<Services>,
  how?: Parameters<typeof Pages.items>[2]
) => {
  const list =
    (pull: typeof Pages.items) =>
    (...args: Arguments) =>
      Stream.mapInputContext(fromPull(pull(declaration, read(args), how)), merge)
  return (
    declaration.limit && {
      pages: list(Pages.pages),
      items: list(Pages.items),
      collect: (...args: Arguments) => Effect.mapInputContext(Pages.collect(declaration, read(args), how), merge)
    }
  )
}

const clientIn = <D extends FieldsDefault | undefined>(
  context: Context.Context<Services>,
  { fields, ...options }: CatalogConfigOptions & { readonly fields?: FieldsDefault | undefined }
): CatalogClientService<D> => {
  const merge = merging(context, options)
  return onFace(Catalog, fields, (declaration, read) =>
    Object.assign(
      (...args: Arguments) => Effect.mapInputContext(interpret(declaration, read(args)), merge),
      listsOf(declaration, read, merge)
    )
  )
}

/** A stub, whose types are those of its operation. */
type AnyStub = (...args: Arguments) => Effect.Effect<unknown, ClientError>

/** Asks a stub for pages, each with its `limit` and `offset` as inputs. */
const pagesOf =
  (stub: AnyStub): typeof interpret =>
  (declaration, inputs, how) =>
    Effect.flatMap(CatalogConfigTag, (config) => {
      if (how?.isSent === false) {
        return Effect.void
      }
      const follow = how?.follow
      const page: Record<string, number> = {}
      if (follow !== undefined) {
        const query = new URLSearchParams(urlOf(declaration, inputs, config, follow).split("?")[1])
        for (const input of ["limit", "offset"]) {
          const value = query.get(nameOf(config, input))
          if (value !== null) {
            page[input] = Number(value)
          }
        }
      }
      const { options, params } = inputs
      return declaration.inputs ? stub({ ...params, ...page }, options) : stub({ ...options, ...page })
    })

/** A stub requires nothing. */
const unchanged = (context: Context.Context<never>) => context as Context.Context<Services>

/**
 * All operations as one service that needs nothing else: application services depend on it, and tests replace it.
 *
 * `Catalog.*` needs `HttpClient` and `Credentials` where it is called. A client takes both when it is built, and keeps
 * them with its base URL and profile: `Credentials` around a call change nothing, and for many users each user has a client.
 * The node and browser packages have a `layerClient` that brings a transport.
 *
 * Settings, policies and hooks around a client or around a call, in any order of Layers, apply to its calls. Those around a
 * call are merged over the client's: a setting replaces the one of its name, a policy the one of its stage, and hooks are
 * called after the client's. What is around both applies once, and does not replace the client's own options. A client that
 * has neither base URL nor profile uses those around the call.
 *
 * @example
 * ```ts
 * import { CatalogClient, Credentials } from "@catalog-client/core"
 * import { FetchHttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * class Shelf extends Effect.Service<Shelf>()("Shelf", {
 *   effect: Effect.gen(function* () {
 *     const { anime } = yield* CatalogClient
 *     return { titleOf: (id: number) => Effect.map(anime.get({ id }), ({ title }) => title) }
 *   })
 * }) {}
 *
 * export const Live = Shelf.Default.pipe(
 *   Layer.provide(CatalogClient.layer({ timeout: 5_000 })),
 *   Layer.provide([FetchHttpClient.layer, Credentials.layer({ clientId: "my-client-id" })])
 * )
 *
 * // A test needs only the operation that is called.
 * export const Test = Shelf.Default.pipe(
 *   Layer.provide(CatalogClient.mock({ anime: { get: ({ id }) => Effect.succeed({ id, title: "One" }) } }))
 * )
 * ```
 */
export class CatalogClient extends Context.Tag("@catalog-client/core/CatalogClient")<
  CatalogClient,
  CatalogClientService
>() {
  /**
   * Makes a client with the `HttpClient`, the `Credentials`, the configuration and the policies of the context. An invalid
   * option is a defect, as with `CatalogConfig.layer`. With `fields`, the replies follow that default selector.
   */
  static make<const D extends FieldsDefault | undefined = never>(
    options: CatalogConfigOptions & { readonly fields?: CheckedDefault<D> | undefined } = {}
  ): Effect.Effect<CatalogClientService<D>, never, Client.HttpClient | Credentials> {
    return Effect.map(Effect.context<Services>(), (context) => clientIn<D>(context, options))
  }

  /** A Layer of a client with the `HttpClient` and the `Credentials` of the context. */
  static layer(options: CatalogConfigOptions = {}): Layer.Layer<CatalogClient, never, Client.HttpClient | Credentials> {
    return Layer.effect(CatalogClient, CatalogClient.make(options))
  }

  /**
   * Like `layer`, with options from Effect's `Config`: a value or a `Config` for each option, or one `Config` for all of
   * them. Without `baseUrl`, it is read from `CATALOG_BASE_URL`, if that is set. Fails with a `ConfigError` if a value
   * cannot be read or is not a valid option.
   *
   * @example
   * ```ts
   * import { CatalogClient } from "@catalog-client/core"
   * import { Config } from "effect"
   *
   * export const mine = CatalogClient.layerConfig({
   *   baseUrl: Config.string("MY_PROXY"),
   *   timeout: Config.duration("MY_TIMEOUT"),
   *   nsfw: true
   * })
   * ```
   */
  static layerConfig(
    options: FromConfig<CatalogConfigOptions> = {}
  ): Layer.Layer<CatalogClient, ConfigError, Client.HttpClient | Credentials> {
    return Layer.effect(
      CatalogClient,
      Effect.flatMap(readOptions(options), (options) => CatalogClient.make(options))
    )
  }

  /**
   * A Layer of a client for tests, with only these operations. Calling any other operation is a defect that names it.
   *
   * `pages`, `items` and `collect` call the stub of their operation for each page, with `limit` and `offset` as inputs,
   * and follow the links of its pages. A stub can have them as members: `Object.assign(stub, { items })`. Nothing is
   * sent, so that policies and hooks do not apply.
   *
   * @example
   * ```ts
   * import { CatalogClient } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * export const Test = CatalogClient.mock({
   *   forum: { boards: () => Effect.succeed({ categories: [] }) }
   * })
   * ```
   */
  static mock(stubs: CatalogClientStubs): Layer.Layer<CatalogClient> {
    const { call, ...domains } = stubs
    const stubsOf: Readonly<Record<string, Readonly<Record<string, object>>>> = domains
    return Layer.sync(CatalogClient, () =>
      onFace(Catalog, undefined, (declaration, read, operation) => {
        const { name } = declaration
        const isCustom = !name.startsWith("catalog.")
        const [, domain = "", operationName = ""] = name.split(".")
        const stub = isCustom
          ? call && ((...inputs: Arguments) => call(operation as Any, ...inputs))
          : (stubsOf[domain]?.[operationName] as AnyStub | undefined)
        if (stub === undefined) {
          const where = isCustom ? "call" : domain
          const missing = () => Effect.dieMessage(`CatalogClient.mock has no ${name}: add it to ${where}`)
          const missingList = () => Stream.fromEffect(missing())
          return Object.assign(missing, { pages: missingList, items: missingList, collect: missing })
        }
        const lists = listsOf(declaration, read, unchanged, { interpret: pagesOf(stub) })
        return Object.assign((...inputs: Arguments) => stub(...inputs), lists, stub)
      })
    )
  }
}
