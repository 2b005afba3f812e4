/**
 * The environment in which sessions run, on both faces.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { CatalogOptions, ServiceProfile, TransportOptions } from "@catalog-client/core"
import {
  afterBuild,
  baseUrlOf,
  CatalogConfigTag,
  type CatalogSettings,
  forkApart,
  initialSettings,
  mergeOptions,
  runtime,
  transportOf
} from "@catalog-client/core/internal"
import type * as Client from "@effect/platform/HttpClient"
import { exitWithin, NoResponse } from "./exitWithin.js"
import type { TokenStoreService } from "../TokenStore.js"
import { type checkClient, defaultTimeout } from "./client.js"
import { closedError, sessionNetworkError } from "./sharedWork.js"

export interface Host {
  /** What the program has called, for errors. */
  readonly where: string
  /** The settings of calls, whose profile is the deployment that issues the tokens. */
  readonly settings: CatalogSettings
  readonly clock: Clock.Clock
  /** Starts a fiber that belongs to no caller. */
  readonly fork: <A>(effect: Effect.Effect<A, never, Client.HttpClient>) => Fiber.RuntimeFiber<A>
}

/** The dependencies of a session. */
export interface SessionParts extends Host {
  readonly client: ReturnType<typeof checkClient>
  readonly store: TokenStoreService
}

/** The host of the Effect face. The work of a session is not traced under the span that made the session, and has its own timeout. */
export const effectHost = (where: string): Effect.Effect<Host, never, Client.HttpClient> =>
  Effect.gen(function* () {
    const configured = yield* CatalogConfigTag
    const settings = { ...configured, profile: { ...configured.profile, baseUrl: baseUrlOf(configured) } }
    return { where, settings, clock: yield* Effect.clock, fork: forkApart(yield* runtime<Client.HttpClient>()) }
  })

/** The options of a session besides its client and store. */
export type HostOptions = TransportOptions &
  Pick<CatalogOptions, "logger" | "logLevel"> & {
    /**
     * The deployment, whose `oauth` says where users sign in. Catalogs of the session use it too; a base URL of another origin is a
     * `TypeError`, because no other service must get the user's token.
     */
    readonly profile?: ServiceProfile | undefined
  }

/** The names of a host's options. */
export const hostNames: Record<keyof HostOptions, unknown> = {
  profile: 1,
  transport: 1,
  fetch: 1,
  logger: 1,
  logLevel: 1
}

const notBuilt = (where: string) =>
  sessionNetworkError(where, {
    reason: "Timeout",
    timeoutMs: defaultTimeout,
    cause: { name: "TimeoutError", message: "the transport was not ready in time" }
  })

/** Waits, for a limited time, until the program's transport is released. */
export const releaseInTime = (release: () => Promise<unknown>): Promise<void> =>
  Effect.runPromise(Effect.asVoid(exitWithin(Effect.ignore(Effect.tryPromise(release)), defaultTimeout)))

/** A transport and a runtime for promises, until they are closed. */
export class PromiseHost implements Host {
  readonly settings: CatalogSettings
  readonly clock = Clock.make()
  readonly fork: Host["fork"]
  readonly #managed: ManagedRuntime.ManagedRuntime<Client.HttpClient, never>
  readonly #running = new Set<Fiber.RuntimeFiber<unknown>>()
  #closing: Promise<void> | undefined

  constructor(
    options: HostOptions,
    readonly where: string
  ) {
    this.settings = mergeOptions(initialSettings, { profile: options.profile })
    this.#managed = ManagedRuntime.make(
      Layer.merge(transportOf(options, where), Layer.succeed(CatalogConfigTag, this.settings))
    )
    this.fork = (effect) => Effect.runFork(this.#afterBuild(effect))
  }

  /** Runs an effect outside the runtime, whose end would interrupt it on Effect 4. */
  #afterBuild<A, E>(effect: Effect.Effect<A, E, Client.HttpClient>): Effect.Effect<A, E> {
    const built = exitWithin(afterBuild(this.#managed, Context.empty(), Effect.void), defaultTimeout)
    return Effect.flatMap(built, (exit) => {
      const error = Exit.isFailure(exit) && Cause.squash(exit.cause)
      return error === false
        ? afterBuild(this.#managed, Context.empty(), effect)
        : Effect.die(
            this.#closing !== undefined
              ? closedError(this.where)
              : error instanceof NoResponse
                ? notBuilt(this.where)
                : error
          )
    })
  }

  /** Runs an effect until it ends, or the host is closed. */
  async run<A, E>(effect: Effect.Effect<A, E, Client.HttpClient>): Promise<A> {
    if (this.#closing !== undefined) {
      throw closedError(this.where)
    }
    // `Effect.exit`, because Effect logs a fiber that fails.
    const fiber = Effect.runFork(Effect.exit(this.#afterBuild(effect)))
    this.#running.add(fiber)
    fiber.addObserver(() => this.#running.delete(fiber))
    const exit = Exit.flatten(await Effect.runPromise(Fiber.await(fiber)))
    if (Exit.isFailure(exit)) {
      throw Cause.isInterruptedOnly(exit.cause)
        ? closedError(this.where)
        : Cause.originalError(Cause.squash(exit.cause))
    }
    return exit.value
  }

  async #end(last: Effect.Effect<void>): Promise<void> {
    // Rejected only if the transport could not be built.
    await this.run(last).catch(() => undefined)
    await releaseInTime(async () => {
      await Effect.runPromise(Fiber.interruptAll(this.#running))
      await this.#managed.dispose()
    })
  }

  /** Runs a last effect, ends running ones, and releases the transport. Only once. */
  close(last: Effect.Effect<void>): Promise<void> {
    return (this.#closing ??= this.#end(last))
  }
}
