/**
 * Key-value stores of the platform.
 */
import { KeyValueStore } from "effect/persistence/KeyValueStore"

export { KeyValueStore }

/** Reads a string. */
export const stringAt = (store: Pick<KeyValueStore, "get">, key: string) => store.get(key)
