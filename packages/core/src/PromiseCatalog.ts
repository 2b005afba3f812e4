/**
 * The operations as promises.
 *
 * @since 0.1.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Catalog, type CatalogOperations } from "./Catalog.js"
import {
  type CallDefaults,
  CatalogConfig,
  type CatalogConfigOptions,
  type CatalogSettings,
  initial,
  merge
} from "./CatalogConfig.js"
import { type ClientError, ClientNetworkError } from "./CatalogError.js"
import { Credentials, type CredentialValues } from "./Credentials.js"
import type { FieldsDefault, PromiseFace } from "./Face.js"
import type { Declaration, Params } from "./internal/declaration.js"
import { interpret } from "./internal/interpreter.js"
import { declarationOf, inputsOf } from "./internal/operation.js"
import * as Request from "./internal/request.js"
import type { AnySelector } from "./Selector.js"

/** What `createCatalog` takes besides a transport: credentials, where the service is, and defaults of the calls' options. */
export interface CatalogOptions<D extends FieldsDefault | undefined = FieldsDefault | undefined>
  extends CredentialValues, Omit<CatalogConfigOptions, "defaults">, CallDefaults {
  /** The selector of every call that does not give its own: one for all records, or one for each. */
  readonly fields?: D
}

/** How requests are sent: a Layer, or a function like the web's `fetch` in its place. */
export interface TransportOptions {
  /** A transport, for example `FetchHttpClient.layer` of `@effect/platform`. */
  readonly transport?: Layer.Layer<HttpClient> | undefined
  /** Called with a URL and what goes with it. */
  readonly fetch?: ((input: URL, init: RequestInit) => Promise<Response>) | undefined
}

/** What {@link createCatalog} takes. */
export type CreateCatalogOptions<D extends FieldsDefault | undefined = FieldsDefault | undefined> = CatalogOptions<D> &
  TransportOptions &
  ({ readonly transport: Layer.Layer<HttpClient> } | { readonly fetch: NonNullable<TransportOptions["fetch"]> })

/**
 * The nineteen operations as promises, with the two credential slots.
 *
 * A call is rejected with the very error object (`instanceof ClientRestError`, `_tag`), or with a `TypeError` for a mistake
 * of the program. Contract: What the service does; Authentication, rule 1.
 */
export interface PromiseCatalog<D extends FieldsDefault | undefined = never>
  extends CatalogOperations<PromiseFace, D>, AsyncDisposable {
  /** The access token that the next call sends. */
  get accessToken(): string | undefined
  set accessToken(value: string | Redacted.Redacted<string> | undefined)
  /** The client identifier that the next call sends. */
  get clientId(): string | undefined
  set clientId(value: string | Redacted.Redacted<string> | undefined)
  /**
   * Ends the calls in flight and releases what the catalog holds. They, and later calls, are rejected with
   * `ClientNetworkError`, `reason: "Cancelled"`. Closing twice is fine, and a program that forgets it still ends.
   */
  close(): Promise<void>
}

/**
 * Makes a catalog of promises over any transport. `@catalog-client/node` and `@catalog-client/browser` have a
 * `createCatalog` with a transport inside.
 *
 * Throws a `TypeError` that names the option where one cannot be: a malformed base URL, a negative timeout.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 *
 * export const titleOf = async (id: number) => {
 *   await using catalog = createCatalog({ fetch, clientId: "my-client-id" })
 *   const anime = await catalog.anime.get({ id })
 *   return anime.title
 * }
 * ```
 */
export const createCatalog = <const D extends FieldsDefault | undefined = never>(
  options: CreateCatalogOptions<D>
): PromiseCatalog<D> => new Facade(options)

const transportOf = ({ fetch, transport }: TransportOptions): Layer.Layer<HttpClient> => {
  if (fetch !== undefined) {
    // The platform's client calls it with a URL and an init, never in another way.
    const service = fetch as typeof globalThis.fetch
    return Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, service))
  }
  if (transport === undefined) {
    throw new TypeError("createCatalog needs a transport: give a Layer as transport, or a function as fetch")
  }
  return transport
}

const redact = (value: string | Redacted.Redacted<string> | undefined): Redacted.Redacted<string> | undefined =>
  typeof value === "string" ? Redacted.make(value) : (value ?? undefined)

const isSelector = (fields: FieldsDefault): fields is AnySelector => typeof fields === "string" || Array.isArray(fields)

const closed = { name: "AbortError", message: "the catalog was closed" }

class Facade<D extends FieldsDefault | undefined> implements PromiseCatalog<D> {
  readonly anime: PromiseCatalog<D>["anime"]
  readonly manga: PromiseCatalog<D>["manga"]
  readonly user: PromiseCatalog<D>["user"]
  readonly forum: PromiseCatalog<D>["forum"]
  #accessToken: Redacted.Redacted<string> | undefined
  #clientId: Redacted.Redacted<string> | undefined
  readonly #fields: FieldsDefault | undefined
  readonly #settings: CatalogSettings
  readonly #runtime: ManagedRuntime.ManagedRuntime<HttpClient | Credentials, never>
  readonly #inFlight = new Set<Fiber.RuntimeFiber<unknown, ClientError>>()
  #closing: Promise<void> | undefined

  constructor(options: CreateCatalogOptions<D>) {
    const { accessToken, clientId, fields, timeout, signal, nsfw } = options
    this.#accessToken = redact(accessToken)
    this.#clientId = redact(clientId)
    this.#fields = fields
    this.#settings = merge(initial, { ...options, defaults: { timeout, signal, nsfw } })
    this.#runtime = ManagedRuntime.make(
      Layer.mergeAll(
        transportOf(options),
        Layer.succeed(CatalogConfig, this.#settings),
        Credentials.layerEffect({
          accessToken: Effect.sync(() => Option.fromNullable(this.#accessToken)),
          clientId: Effect.sync(() => Option.fromNullable(this.#clientId))
        })
      )
    )
    const { anime, manga, user, forum } = Catalog
    this.anime = this.#promised(anime)
    this.manga = this.#promised(manga)
    this.user = this.#promised(user)
    this.forum = this.#promised(forum)
  }

  get accessToken(): string | undefined {
    return this.#accessToken && Redacted.value(this.#accessToken)
  }
  set accessToken(value: string | Redacted.Redacted<string> | undefined) {
    this.#accessToken = redact(value)
  }

  get clientId(): string | undefined {
    return this.#clientId && Redacted.value(this.#clientId)
  }
  set clientId(value: string | Redacted.Redacted<string> | undefined) {
    this.#clientId = redact(value)
  }

  close(): Promise<void> {
    return (this.#closing ??= Effect.runPromise(
      Effect.zipRight(Fiber.interruptAll(this.#inFlight), this.#runtime.disposeEffect)
    ))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** The operations of one domain. Both faces have the same signatures, over another lambda: what differs is here. */
  #promised<Promises>(domain: object): Promises {
    const promised = Object.entries(domain).map(([name, operation]: [string, object]) => {
      const declaration = declarationOf(operation)
      const inherited = this.#inherited(declaration)
      // Named like the operation, so that printing a catalog shows what it can do.
      return {
        [name]: (...inputs: ReadonlyArray<object | undefined>) => {
          const { params, options } = inputsOf(declaration, inputs)
          return this.#run(
            declaration,
            params,
            inherited === undefined ? options : { ...options, fields: options["fields"] ?? inherited }
          )
        }
      }
    })
    return Object.assign({}, ...promised) as Promises
  }

  /** The selector of a call that gives none. */
  #inherited({ fields: record }: Declaration): AnySelector | undefined {
    const fields = this.#fields
    if (record === undefined || fields === undefined) {
      return undefined
    }
    return isSelector(fields) ? fields : fields[record]
  }

  #run(declaration: Declaration, params: Params, options: Params): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const rejectClosed = () => {
        const { url } = Request.make(declaration, params, options, this.#settings)
        const { name: operation, method } = declaration
        reject(new ClientNetworkError({ operation, method, url, reason: "Cancelled", attempts: 1, cause: closed }))
      }
      if (this.#closing !== undefined) {
        return rejectClosed()
      }
      const fiber = this.#runtime.runFork(interpret(declaration, params, options))
      this.#inFlight.add(fiber)
      fiber.addObserver((exit) => {
        this.#inFlight.delete(fiber)
        if (Exit.isSuccess(exit)) {
          resolve(exit.value)
        } else if (this.#closing !== undefined && Cause.isInterruptedOnly(exit.cause)) {
          rejectClosed()
        } else {
          reject(Cause.squash(exit.cause))
        }
      })
    })
  }
}
