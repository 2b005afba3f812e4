/**
 * Makes policies, and runs them around an attempt: one of the client's own, which works on Effects, or an async function of
 * the program.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { AttemptError } from "#core/CatalogError.js"
import type { CatalogCall, Policy } from "#core/CatalogPolicy.js"
import { isClientError } from "#core/guards.js"
import { withFiber } from "#core/internal/common/fiber.js"
import { mistake } from "#core/internal/common/mistakes.js"
import { forkFrom } from "#core/internal/common/run.js"
import type { Call } from "#core/internal/declaration/call.js"

type Progress = Call["progress"]

const own = new WeakSet<object>()

export const inStage = (stage: Policy["stage"], policy: Policy) => {
  own.add(policy)
  return Object.assign(policy, { stage })
}

/** Effects of any version, and of any copy of it. */
export const isEffect = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (Symbol.for("effect/Effect") in value || "~effect/Effect" in value)

/** A policy of the program: a function from a call, and from a function that makes an attempt. */
type AsyncPolicy = (call: object, next: () => Promise<unknown>) => unknown

const check = (value: unknown, { operation, reply }: CatalogCall): unknown => {
  // Only an operation without a reply returns nothing.
  if (isEffect(value) || typeof value === "function" || (value === undefined && reply !== undefined)) {
    throw mistake(
      `${operation}: a policy must return a promise, for example that of next(): pass Resilience.retry() of "catalog-client", not Resilience.retry. Policies of @catalog-client/core are for Effect programs`
    )
  }
  return value
}

const runAsync = <A, R>(
  policy: AsyncPolicy,
  call: CatalogCall,
  attempt: Effect.Effect<A, AttemptError, R>,
  progress: Progress
): Effect.Effect<A, AttemptError, R> =>
  withFiber((fiber, flags) =>
    Effect.callback<A, AttemptError>((resume) => {
      const controller = new AbortController()
      const attempts = new Set<Fiber.Fiber<unknown, unknown>>()
      const next = () =>
        new Promise((resolve, reject) => {
          const cancel = () => reject(progress.end ?? call.networkError("Cancelled"))
          if (controller.signal.aborted) {
            return cancel()
          }
          // As a value: a failed fiber is logged, but this failure is the policy's to handle.
          const running = forkFrom(fiber, flags)(Effect.exit(attempt))
          attempts.add(running)
          running.addObserver((ended) => {
            attempts.delete(running)
            if (Exit.isSuccess(ended) && Exit.isSuccess(ended.value)) {
              return resolve(ended.value.value)
            }
            const { cause } = (Exit.isSuccess(ended) ? ended.value : ended) as Exit.Failure<A, AttemptError>
            return Cause.hasInterruptsOnly(cause) ? cancel() : reject(Cause.squash(cause))
          })
        })
      const { credentials: _, reply: __, ...facts } = call
      const notify = (...event: Parameters<CatalogCall["notify"]>): void => {
        if (!controller.signal.aborted) {
          forkFrom(fiber, flags)(call.notify(...event))
        }
      }
      const known = { ...facts, notify, signal: controller.signal }
      const run = async () => {
        // Later: a policy that ends its own call at once could not be interrupted yet.
        await Promise.resolve()
        return check(await policy(known, next), call)
      }
      // An attempt that the policy has left ends with it.
      const end = Effect.suspend(() => {
        controller.abort()
        return Fiber.interruptAll(attempts)
      })
      run().then(
        (reply) => resume(Effect.as(end, reply as A)),
        (error: unknown) =>
          resume(Effect.andThen(end, isClientError(error) ? Effect.fail(error as AttemptError) : Effect.die(error)))
      )
      return end
    })
  )

export const applyPolicy = <A, R>(
  policy: Policy,
  call: CatalogCall,
  attempt: Effect.Effect<A, AttemptError, R>,
  progress: Progress
): Effect.Effect<A, AttemptError, R> =>
  own.has(policy) ? policy(call, attempt) : runAsync(policy as unknown as AsyncPolicy, call, attempt, progress)
