/**
 * Policies of a program: async functions around the attempts of a call.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { AttemptError } from "#core/CatalogError.js"
import type { CatalogCall, Policy } from "#core/internal/policies/policy.js"
import { isClientError } from "#core/guards.js"
import { withFiber } from "#core/internal/common/fiber.js"
import { memoize } from "#core/internal/common/memoize.js"
import { mistake } from "#core/internal/common/mistakes.js"
import { forkFrom } from "#core/internal/common/run.js"
import type { CallState } from "#core/internal/declaration/call.js"
import { isOwn } from "#core/internal/policies/apply.js"
import type { CatalogCall as KnownCall } from "./ownTypes.js"
import { isEffect } from "./effects.js"

type Progress = CallState["progress"]

/** A policy of the program: a function from a call, and from a function that makes an attempt. */
type AsyncPolicy = (call: KnownCall, next: () => Promise<unknown>) => unknown

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
    Effect.async<A, AttemptError>((resume) => {
      const controller = new AbortController()
      const attempts = new Set<Fiber.Fiber<unknown, unknown>>()
      const next = () =>
        new Promise((resolve, reject) => {
          const cancel = () => reject(progress.end ?? call.networkError("Cancelled"))
          if (controller.signal.aborted) {
            return cancel()
          }
          // `Effect.exit`, because Effect logs a fiber that fails, and the policy handles this failure.
          const running = forkFrom(fiber, flags)(Effect.exit(attempt))
          attempts.add(running)
          running.addObserver((ended) => {
            attempts.delete(running)
            if (Exit.isSuccess(ended) && Exit.isSuccess(ended.value)) {
              return resolve(ended.value.value)
            }
            const { cause } = (Exit.isSuccess(ended) ? ended.value : ended) as Exit.Failure<A, AttemptError>
            return Cause.isInterruptedOnly(cause) ? cancel() : reject(Cause.originalError(Cause.squash(cause)))
          })
        })
      const { credentials: _, reply: __, ...facts } = call
      const notify = (...event: Parameters<CatalogCall["notify"]>): void => {
        if (!controller.signal.aborted) {
          forkFrom(fiber, flags)(call.notify(...event))
        }
      }
      const known: KnownCall = { ...facts, notify, signal: controller.signal }
      const run = async () => {
        // A microtask later: now, the fiber could not be interrupted by a policy that ends its own call.
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

/** A policy as core takes it: always the same function for one policy, so that a policy that is passed twice applies once. */
const adapt = /*#__PURE__*/ memoize((policy: AsyncPolicy & Pick<Policy, "stage">) =>
  Object.assign(
    <A, R>(call: CatalogCall, attempt: Effect.Effect<A, AttemptError, R>, progress: Progress) =>
      runAsync(policy, call, attempt, progress),
    { stage: policy.stage }
  )
)

/** The policies of a catalog or a call, as core takes them. Core refuses what is no policy. */
export const adaptPolicies = <P>(policies: P): P =>
  Array.isArray(policies)
    ? (policies.map((policy: unknown) =>
        typeof policy !== "function" || isOwn(policy) ? policy : adapt(policy as AsyncPolicy)
      ) as P)
    : policies
