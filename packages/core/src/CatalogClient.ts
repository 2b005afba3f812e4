/**
 * A client as a value: the operations over one transport and one set of credentials, as a service of its own.
 *
 * @since 0.1.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Catalog, type CatalogOperations } from "./Catalog.js"
import {
  type CallDefaults,
  type CatalogConfigOptions,
  type FromConfig,
  mergeClient,
  readClientOptions,
  Settings
} from "./CatalogConfig.js"
import type { ClientError } from "./CatalogError.js"
import { checkHooks, type Hooks, HooksOfCalls } from "./CatalogHooks.js"
import { checkPolicies, Policies, type Policy } from "./CatalogPolicy.js"
import { type Credentials, Slots } from "./Credentials.js"
import type { ClientFace, FieldsDefault } from "./Face.js"
import { interpret } from "./internal/call/interpreter.js"
import { onFace } from "./internal/call/operation.js"
import { over } from "./internal/call/policies.js"
import { fromPull } from "./internal/lists/streams.js"
import * as Pages from "./internal/lists/walk.js"
import type { Any, Call } from "./Operation.js"
import * as Client from "./platform/httpClient.js"

/** Options of a client, besides the `HttpClient` and the `Credentials` from the context. */
export interface CatalogClientOptions extends Omit<CatalogConfigOptions, "defaults">, CallDefaults {
  /** Policies around every exchange; they replace those of the same stage of `CatalogPolicy`. */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /** Hooks of this client; they replace those of `CatalogHooks`. */
  readonly hooks?: Hooks | undefined
}

/** The operations of a client, with no further requirements; `D` is the default for calls that give no selector. */
export interface CatalogClientService<D extends FieldsDefault | undefined = never> extends CatalogOperations<
  ClientFace,
  D
> {
  /**
   * Calls an operation of your own, that `Operation.make` or `Operation.paged` has made, with this client:
   * `client.call(operation, params, options)`, and `call.pages`, `call.items` and `call.collect` for whole lists.
   */
  readonly call: Call<ClientFace>
}

/** A test's replacement of an operation. Its reply needs only the members that the test uses. */
type Stub<Operation> = Operation extends (...inputs: infer Inputs) => Effect.Effect<infer A, infer E>
  ? (...inputs: Inputs) => Effect.Effect<A, E>
  : never

/** The operations that a test replaces. */
export type CatalogClientStubs = {
  readonly [Domain in keyof CatalogOperations<ClientFace>]?: {
    readonly [Name in keyof CatalogOperations<ClientFace>[Domain]]?: Stub<CatalogOperations<ClientFace>[Domain][Name]>
  }
} & {
  /**
   * Gives the replies of operations of your own: it gets the operation and the arguments of the call. For whole lists, give
   * the function members `pages`, `items` and `collect`.
   */
  readonly call?: {
    (operation: Any, ...inputs: ReadonlyArray<unknown>): Effect.Effect<unknown, ClientError>
    readonly pages?: (operation: Any, ...inputs: ReadonlyArray<unknown>) => Stream.Stream<unknown, ClientError>
    readonly items?: (operation: Any, ...inputs: ReadonlyArray<unknown>) => Stream.Stream<unknown, ClientError>
    readonly collect?: (operation: Any, ...inputs: ReadonlyArray<unknown>) => Effect.Effect<unknown, ClientError>
  }
}

type Services = Client.HttpClient | Credentials

/** The part of a context that belongs to the client. The rest, such as spans, comes from each call. */
const own = /*#__PURE__*/ Context.pick(Client.HttpClient, Slots, Settings, Policies, Client.Fetch, Client.RequestInit)

const clientIn = <D extends FieldsDefault | undefined>(
  context: Context.Context<Services>,
  { fields, hooks, policies = [], ...options }: CatalogClientOptions & { readonly fields?: FieldsDefault | undefined }
): CatalogClientService<D> => {
  const services = own(context as Context.Context<Services | Client.Fetch | Client.RequestInit>).pipe(
    Context.add(Settings, mergeClient(Context.get(context, Settings), options)),
    Context.add(
      HooksOfCalls,
      hooks === undefined ? Context.get(context, HooksOfCalls) : checkHooks(hooks, "CatalogClient")
    ),
    Context.add(Policies, over(Context.get(context, Policies), checkPolicies(policies, "CatalogClient")))
  )
  const within = (call: Context.Context<never>): Context.Context<Services> => Context.merge(call, services)
  type Given = ReadonlyArray<object | undefined>
  return onFace(Catalog, fields, (declaration, read) => {
    const list =
      (pull: typeof Pages.items) =>
      (...given: Given) =>
        Stream.mapInputContext(fromPull(pull(declaration, read(given))), within)
    return Object.assign(
      (...given: Given) => Effect.mapInputContext(interpret(declaration, read(given)), within),
      declaration.limit && {
        pages: list(Pages.pages),
        items: list(Pages.items),
        collect: (...given: Given) => Effect.mapInputContext(Pages.collect(declaration, read(given)), within)
      }
    )
  })
}

/**
 * The operations as a service without further requirements: application services depend on it, and tests replace it.
 *
 * `Catalog.*` needs `HttpClient` and `Credentials` where it is called. A client takes both when it is built, together with
 * configuration and policies, and keeps them. The node and browser packages have a `layerClient` that brings a transport.
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
    options: CatalogClientOptions & { readonly fields?: D | FieldsDefault | undefined } = {}
  ): Effect.Effect<CatalogClientService<D>, never, Client.HttpClient | Credentials> {
    return Effect.map(Effect.context<Services>(), (context) => clientIn<D>(context, options))
  }

  /** A Layer of a client with the `HttpClient` and the `Credentials` of the context. */
  static layer(options: CatalogClientOptions = {}): Layer.Layer<CatalogClient, never, Client.HttpClient | Credentials> {
    return Layer.effect(CatalogClient, CatalogClient.make(options))
  }

  /**
   * The same, with options from Effect's `Config`: a value or a `Config` for each option, or one `Config` for all of them.
   * Without `baseUrl`, it is read from `CATALOG_BASE_URL`, if that is set. Fails with a `ConfigError` if a value cannot be
   * read or is not a valid option.
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
    options: FromConfig<CatalogClientOptions> = {}
  ): Layer.Layer<CatalogClient, ConfigError, Client.HttpClient | Credentials> {
    return Layer.effect(
      CatalogClient,
      Effect.flatMap(readClientOptions(options), (options) => CatalogClient.make(options))
    )
  }

  /**
   * A Layer of a client for tests, with only the given operations. Calling any other operation is a defect that names it.
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
    const { call: stub, ...domains } = stubs
    const given: Readonly<Record<string, Readonly<Record<string, object>>>> = domains
    return Layer.sync(CatalogClient, () => {
      const mocked = onFace<CatalogClientService>(Catalog, undefined, ({ encode: declared, name }) => {
        const [, domain = "", own = ""] = name.split(".")
        const where = declared === undefined ? domain : "call"
        const missing = () => Effect.dieMessage(`CatalogClient.mock has no ${name}: give it in ${where}`)
        const known = declared === undefined ? given[domain]?.[own] : undefined
        return known ?? Object.assign(missing, { pages: missing, items: missing, collect: missing })
      })
      const { collect, items, pages } = mocked.call
      const call =
        stub && Object.assign((...inputs: Parameters<typeof stub>) => stub(...inputs), { collect, items, pages }, stub)
      return call === undefined ? mocked : { ...mocked, call: call as unknown as CatalogClientService["call"] }
    })
  }
}
