import { isPromise } from "#core/internal/common/values.js"
import { isOfEffect } from "#promise/effects.js"

/** How a message describes a value that is neither a string nor a number. */
export const describeValue = (value: unknown): string =>
  isOfEffect(value)
    ? "a value of Effect (those are for @catalog-client/core) or of another copy of catalog-client"
    : isPromise(value)
      ? "a promise (await it)"
      : `a value of type ${typeof value}`

/** Whether an object stands for a value to come: a promise, or a value of Effect. `hasProperties` lets it through. */
export const isDeferred = (value: object): boolean => isPromise(value) || isOfEffect(value)
