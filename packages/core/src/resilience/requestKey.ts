/**
 * Keys of equal reads, and the effect of writes on reads.
 */
import * as Effect from "effect/Effect"
import type { AttemptError } from "../CatalogError.js"
import type { CatalogCall } from "../internal/policies/policy.js"
import { serviceAt } from "../internal/common/fiber.js"
import { memoize } from "../internal/common/memoize.js"
import { extraHeaders, toHeaders } from "../internal/credentials/headers.js"
import { noCredentials } from "../internal/declaration/call.js"
import { currentSettings } from "../internal/settings/settings.js"
import * as Client from "../platform/httpClient.js"
import { errorOf } from "../internal/common/cause.js"
import { isRefusal } from "./shared.js"

let objects = 0

/** A number that identifies an object in cache keys, which can outlive the object. */
export const identityOf = /*#__PURE__*/ memoize((_object: object) => ++objects)

/** The services that send a request. They may add cookies or tokens, so they are compared by identity. */
const transportTags = [Client.HttpClient, Client.Fetch, Client.RequestInit]

/** Identifies a read. Both members contain secrets: never print them. */
export interface RequestKey {
  /** The access token as it is sent: a write affects the reads with the same token. */
  readonly owner: string
  /** Equal for equal requests with equal replies. */
  readonly read: string
}

/**
 * The key of a read: all that identifies request and caller, or changes the reply. It includes the headers, because a header
 * can be a user's cookie, and the reply's Schema, because two custom operations can have the same name.
 */
export const requestKey = (call: CatalogCall): Effect.Effect<RequestKey> =>
  Effect.zipWith(currentSettings, Effect.context<never>(), (settings, context) => {
    const { credentials, headers, maxResponseBytes, operation, reply, url } = call
    const headersOf = (slots: typeof credentials) => toHeaders(slots, settings)
    const objects = [reply, ...transportTags.map(({ key }) => serviceAt(context, key) as object | undefined)]
    return {
      owner: JSON.stringify(headersOf({ ...noCredentials, accessToken: credentials.accessToken })),
      read: JSON.stringify([
        headersOf(credentials),
        operation,
        url,
        maxResponseBytes,
        settings.mismatch === "fail",
        Object.entries(extraHeaders({ headers })).sort(([one], [other]) => (one < other ? -1 : 1)),
        objects.map((object) => object && identityOf(object))
      ])
    }
  })

/** Runs a write and then drops its owner's reads, unless the write certainly had no effect. */
export const thenForget = <A, R>(
  write: Effect.Effect<A, AttemptError, R>,
  forget: () => void
): Effect.Effect<A, AttemptError, R> =>
  Effect.onExit(write, (ending) =>
    Effect.sync(() => {
      const error = errorOf(ending)
      // If the last attempt was refused, an earlier one may still have succeeded.
      if (error === undefined || !isRefusal(error) || error.attempts > 1) {
        forget()
      }
    })
  )

const isPlain = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype

/**
 * Freezes a reply, because several callers share it, and returns whether it contains a list status. Instances of classes,
 * which only a custom Schema makes, are not frozen: many change when they are first compared.
 */
export const freeze = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || !isPlain(value)) {
    return false
  }
  Object.freeze(value)
  let hasStatus = false
  for (const key in value) {
    hasStatus = freeze(value[key as keyof typeof value]) || key === "my_list_status" || hasStatus
  }
  return hasStatus
}
