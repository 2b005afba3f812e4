/**
 * What the platform of Effect 4 calls its errors, and how it says that there is nothing.
 */
import type { HttpClientError } from "effect/http/HttpClientError"

/** What a transport failed with, for example `Transport` or `Decode`. */
export const reasonOf = ({ reason }: HttpClientError): string => reason._tag.replace(/Error$/, "")

/** What a KeyValueStore returns for a value, or for none. */
export const inKeyValueStore = (value: string | undefined) => value
