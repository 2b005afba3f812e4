/**
 * How messages describe a value of any type.
 */
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/common/describe.ts

import * as Effect from "effect/Effect"
import { isPromise } from "./values.js"

/** How a message describes a value that is neither a string nor a number. */
export const describeValue = (value: unknown): string =>
  isPromise(value)
    ? "a promise (await it)"
    : Effect.isEffect(value)
      ? "an Effect (yield* it, and pass its result)"
      : `a value of type ${typeof value}`

/** Whether an object stands for a value to come. `hasProperties` lets it through. */
export const isDeferred = (value: object): boolean => isPromise(value)
