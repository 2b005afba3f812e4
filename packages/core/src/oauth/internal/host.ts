/**
 * What sessions of promises run in.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { ClientNetworkError } from "../../CatalogError.js"
import type { Known } from "../../internal/common/options.js"
import { afterBuild } from "../../internal/common/run.js"
import { transportOf } from "../../internal/promise/layer.js"
import {
  CatalogConfigTag,
  type CatalogSettings,
  initialSettings,
  mergeOptions
} from "../../internal/services/settings.js"
import type * as Client from "../../platform/httpClient.js"
import type { TransportOptions } from "../../PromiseCatalog.js"
import type { ServiceProfile } from "../../ServiceProfile.js"
import { bounded, NoResponse } from "./bounded.js"
import { usualTimeout } from "./request.js"
import { cancelled } from "./flights.js"
import type { Parts } from "./session.js"

/** Looked up late, since a program can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

/** The transport of the options, or the platform's `fetch`. */
export const overPlatform = (options: TransportOptions): TransportOptions =>
  options.fetch || options.transport ? options : { fetch: platformFetch }

type HostOptions = TransportOptions & { readonly profile?: ServiceProfile | undefined }

export const ofHost: Known<HostOptions> = { profile: 1, transport: 1, fetch: 1 }

const notBuilt = () =>
  new ClientNetworkError({
    operation: "OAuthSession",
    method: "POST",
    url: "the token endpoint",
    reason: "Timeout",
    timeoutMs: usualTimeout,
    attempts: 1,
    cause: { name: "TimeoutError", message: "the transport was not ready in time" }
  })

/** Waits until a transport of the program is released, for a limited time. */
export const released = (release: () => Promise<void>): Promise<void> =>
  Effect.runPromise(Effect.ignore(Effect.flatMap(bounded(Effect.promise(release), usualTimeout), (exit) => exit)))

/** A transport, a configuration and a clock, until they are closed. */
export class PromiseHost {
  readonly settings: CatalogSettings
  readonly profile: ServiceProfile
  readonly clock = Clock.make()
  readonly fork: Parts["fork"]
  readonly #managed: ManagedRuntime.ManagedRuntime<Client.HttpClient, never>
  #closing: Promise<void> | undefined

  constructor(options: HostOptions, where: string) {
    this.settings = mergeOptions(initialSettings, { profile: options.profile })
    this.profile = this.settings.profile
    this.#managed = ManagedRuntime.make(
      Layer.merge(transportOf(overPlatform(options), where), Layer.succeed(CatalogConfigTag, this.settings))
    )
    this.fork = (effect) => Effect.runFork(this.#afterBuild(effect))
  }

  /** Outside of the runtime, whose end would interrupt it on Effect 4. */
  #afterBuild<A, E>(effect: Effect.Effect<A, E, Client.HttpClient>): Effect.Effect<A, E> {
    const built = bounded(afterBuild(this.#managed, Context.empty(), Effect.void), usualTimeout)
    return Effect.flatMap(built, (exit) => {
      const error = Exit.isFailure(exit) && Cause.squash(exit.cause)
      return error === false
        ? afterBuild(this.#managed, Context.empty(), effect)
        : Effect.die(error instanceof NoResponse ? notBuilt() : error)
    })
  }

  /** In a separate fiber: its work is shared with calls and ends by itself. */
  async run<A, E>(effect: Effect.Effect<A, E, Client.HttpClient>): Promise<A> {
    if (this.#closing !== undefined) {
      throw cancelled()
    }
    const exit = await Effect.runPromiseExit(this.#afterBuild(effect))
    if (Exit.isFailure(exit)) {
      throw Cause.isInterruptedOnly(exit.cause) ? cancelled() : Cause.originalError(Cause.squash(exit.cause))
    }
    return exit.value
  }

  async #end(last: Effect.Effect<void>): Promise<void> {
    // It is rejected only if there is no transport.
    await this.run(last).catch(() => undefined)
    await released(() => this.#managed.dispose())
  }

  /** Runs the last effect, once, and releases the transport. */
  close(last: Effect.Effect<void>): Promise<void> {
    return (this.#closing ??= this.#end(last))
  }
}
