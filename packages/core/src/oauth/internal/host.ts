/**
 * What sessions of promises run in.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { type CatalogSettings, CatalogConfigTag, initial, merge } from "../../CatalogConfig.js"
import type { Known } from "../../internal/common/options.js"
import { transportOf } from "../../internal/promise/layer.js"
import type * as Client from "../../platform/httpClient.js"
import type { TransportOptions } from "../../PromiseCatalog.js"
import type { ServiceProfile } from "../../ServiceProfile.js"
import { cancelled, type Parts } from "./session.js"

/** Looked up late, since a program can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

/** The transport of the options, or the platform's `fetch`. */
export const overPlatform = (options: TransportOptions): TransportOptions =>
  options.fetch || options.transport ? options : { fetch: platformFetch }

type HostOptions = TransportOptions & { readonly profile?: ServiceProfile | undefined }

export const ofHost: Known<HostOptions> = { profile: 1, transport: 1, fetch: 1 }

/** A transport, a configuration and a clock, until they are closed. */
export class PromiseHost {
  readonly settings: CatalogSettings
  readonly profile: ServiceProfile
  readonly clock = Clock.make()
  readonly fork: Parts["fork"]
  readonly #managed: ManagedRuntime.ManagedRuntime<Client.HttpClient, never>
  #closing: Promise<void> | undefined

  constructor(options: HostOptions, where: string) {
    this.settings = merge(initial, { profile: options.profile })
    this.profile = this.settings.profile
    const managed = (this.#managed = ManagedRuntime.make(
      Layer.merge(transportOf(overPlatform(options), where), Layer.succeed(CatalogConfigTag, this.settings))
    ))
    this.fork = (effect) => managed.runFork(effect)
  }

  /** In a separate fiber: its work is shared with calls and ends by itself. */
  async run<A, E>(effect: Effect.Effect<A, E, Client.HttpClient>): Promise<A> {
    if (this.#closing !== undefined) {
      throw cancelled()
    }
    const exit = await this.#managed.runPromiseExit(effect)
    if (Exit.isFailure(exit)) {
      throw Cause.originalError(Cause.squash(exit.cause))
    }
    return exit.value
  }

  /** Runs the last effect, once. */
  close(last: Effect.Effect<void>): Promise<void> {
    return (this.#closing ??= this.run(last).then(() => this.#managed.dispose()))
  }
}
