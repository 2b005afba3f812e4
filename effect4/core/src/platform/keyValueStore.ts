/**
 * Key-value stores of the platform.
 */
import * as Context from "effect/Context"
import type * as Store from "effect/persistence/KeyValueStore"

/** `KeyValueStore.KeyValueStore`, by its key: the module that declares the tag would bundle file systems. */
export type KeyValueStore = Store.KeyValueStore
export const KeyValueStore = /*#__PURE__*/ Context.Service<KeyValueStore>("effect/persistence/KeyValueStore")

/** Reads a string. */
export const stringAt = (store: Pick<KeyValueStore, "get">, key: string) => store.get(key)
