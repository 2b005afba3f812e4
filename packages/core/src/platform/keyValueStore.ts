/**
 * Key-value stores of the platform.
 */
import type * as Store from "@effect/platform/KeyValueStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** `KeyValueStore.KeyValueStore`, by its key: the module that declares the tag would bundle file systems. */
export type KeyValueStore = Store.KeyValueStore
export const KeyValueStore = /*#__PURE__*/ Context.GenericTag<KeyValueStore>("@effect/platform/KeyValueStore")

/** Reads a string. */
export const stringAt = (store: Pick<KeyValueStore, "get">, key: string) =>
  Effect.map(store.get(key), Option.getOrUndefined)
