import { isPromise } from "#core/internal/common/values.js"
import { isOfEffect } from "#promise/effects.js"

/** How a message describes a value that is neither a string nor a number. */
export const describeValue = (value: unknown): string =>
  isOfEffect(value)
    ? "a value of Effect (those are for @catalog-client/core) or of another copy of catalog-client"
    : isPromise(value)
      ? "a promise (await it)"
      : `a value of type ${typeof value}`

/** Whether an object passes `isOptionsObject` although it is a promise or a value of Effect. */
export const isNotOptions = (value: object): boolean => isPromise(value) || isOfEffect(value)
