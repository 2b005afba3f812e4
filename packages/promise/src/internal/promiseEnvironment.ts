/**
 * What sessions of promises run in: a transport, its runtime, and the order in which they end.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterBuild } from "#core/internal/common/run.js"
import type { NamesOf } from "#core/internal/common/options.js"
import {
  CatalogConfigTag,
  type CatalogSettings,
  initialSettings,
  mergeOptions
} from "#core/internal/settings/settings.js"
import type { HttpClient } from "#core/platform/httpClient.js"
import type { ServiceProfile } from "#core/ServiceProfile.js"
import { defaultTimeout } from "#oauth/internal/checkClient.js"
import { exitWithin, NoResponse } from "#oauth/internal/exitWithin.js"
import type { SessionEnvironment } from "#oauth/internal/environment.js"
import { closedError, sessionNetworkError } from "#oauth/internal/sharedWork.js"
import type { CatalogOptions } from "../CatalogOptions.js"
import { type Platform, type TransportOptions, transportOf } from "../platform.js"

/** The options of a session besides its client, its store and its transport. */
export interface EnvironmentOptions extends Pick<CatalogOptions, "logger" | "logLevel"> {
  /**
   * The deployment, whose `oauth` says where users sign in. Catalogs of the session use it too; a base URL of another origin is
   * a `TypeError`.
   */
  readonly profile?: ServiceProfile | undefined
}

/** The names of {@link EnvironmentOptions}. */
export const environmentNames: NamesOf<EnvironmentOptions> = { profile: 1, logger: 1, logLevel: 1 }

const notBuilt = (calledAs: string) =>
  sessionNetworkError(calledAs, {
    reason: "Timeout",
    timeoutMs: defaultTimeout,
    cause: { name: "TimeoutError", message: "the transport was not ready in time" }
  })

/** Waits, for a limited time, until the program's transport is released. */
export const releaseInTime = (release: () => Promise<unknown>): Promise<void> =>
  Effect.runPromise(Effect.asVoid(exitWithin(Effect.ignore(Effect.tryPromise(release)), defaultTimeout)))

/** A transport and a runtime for promises, until they are closed. */
export class PromiseEnvironment implements SessionEnvironment {
  readonly settings: CatalogSettings
  readonly clock = Clock.make()
  readonly fork: SessionEnvironment["fork"]
  readonly #managed: ManagedRuntime.ManagedRuntime<HttpClient, never>
  readonly #running = new Set<Fiber.RuntimeFiber<unknown>>()
  #closing: Promise<void> | undefined

  constructor(
    platform: Platform,
    options: EnvironmentOptions & TransportOptions,
    readonly calledAs: string
  ) {
    this.settings = mergeOptions(initialSettings, { profile: options.profile })
    this.#managed = ManagedRuntime.make(
      Layer.merge(transportOf(platform, options, calledAs), Layer.succeed(CatalogConfigTag, this.settings))
    )
    this.fork = (effect) => Effect.runFork(this.#afterBuild(effect))
  }

  /** Runs an effect outside the runtime, whose end would interrupt it on Effect 4. */
  #afterBuild<A, E>(effect: Effect.Effect<A, E, HttpClient>): Effect.Effect<A, E> {
    const built = exitWithin(afterBuild(this.#managed, Context.empty(), Effect.void), defaultTimeout)
    return Effect.flatMap(built, (exit) => {
      const error = Exit.isFailure(exit) && Cause.squash(exit.cause)
      return error === false
        ? afterBuild(this.#managed, Context.empty(), effect)
        : Effect.die(
            this.#closing !== undefined
              ? closedError(this.calledAs)
              : error instanceof NoResponse
                ? notBuilt(this.calledAs)
                : error
          )
    })
  }

  /** Runs an effect until it ends, or it is closed. */
  async run<A, E>(effect: Effect.Effect<A, E, HttpClient>): Promise<A> {
    if (this.#closing !== undefined) {
      throw closedError(this.calledAs)
    }
    // `Effect.exit`, because Effect logs a fiber that fails.
    const fiber = Effect.runFork(Effect.exit(this.#afterBuild(effect)))
    this.#running.add(fiber)
    fiber.addObserver(() => this.#running.delete(fiber))
    const exit = Exit.flatten(await Effect.runPromise(Fiber.await(fiber)))
    if (Exit.isFailure(exit)) {
      throw Cause.isInterruptedOnly(exit.cause)
        ? closedError(this.calledAs)
        : Cause.originalError(Cause.squash(exit.cause))
    }
    return exit.value
  }

  async #end(last: Effect.Effect<void>): Promise<void> {
    // `last` runs first, because it still sends and writes. It rejects only if the transport could not be built.
    await this.run(last).catch(() => undefined)
    await releaseInTime(async () => {
      // They end before the transport, which would wait for their requests.
      await Effect.runPromise(Fiber.interruptAll(this.#running))
      await this.#managed.dispose()
    })
  }

  /** Runs a last effect, ends running ones, and releases the transport. Only once. */
  close(last: Effect.Effect<void>): Promise<void> {
    return (this.#closing ??= this.#end(last))
  }
}
