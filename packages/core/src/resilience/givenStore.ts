/**
 * The store that a program passes to a rate limit.
 */
// Counterpart for catalog-client: packages/promise/replaced/core/resilience/givenStore.ts
import type { RateLimitStore } from "./store.js"

export const givenStore = (where: string, store: RateLimitStore): RateLimitStore => {
  if (typeof store.take !== "function" || typeof store.hold !== "function") {
    throw new TypeError(`${where}: store must be an object with the functions take and hold`)
  }
  return store
}
