/**
 * Key-value stores of the platform.
 */
import { KeyValueStore } from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export { KeyValueStore }

/** Reads a string. */
export const stringAt = (store: Pick<KeyValueStore, "get">, key: string) =>
  Effect.map(store.get(key), Option.getOrUndefined)
