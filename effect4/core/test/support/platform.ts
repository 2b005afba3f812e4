/**
 * What the platform of Effect 4 calls its errors and spans, and how it says that there is nothing.
 */
import type { HttpClientError } from "effect/http/HttpClientError"

/** What a transport failed with, for example `Transport` or `Decode`. */
export const reasonOf = ({ reason }: HttpClientError): string => reason._tag.replace(/Error$/, "")

/** What a client is called when it is printed. */
export const identifier = "effect/HttpClient"

/** The name of the span of a request. */
export const spanNameOf = (method: string): string => method

/** What only this client writes on the span of a request with credentials. */
export const attributesOf = (origin: string): Readonly<Record<string, string>> => ({
  "server.address": new URL(origin).hostname
})

/** What a KeyValueStore returns for a value, or for none. */
export const inKeyValueStore = (value: string | undefined) => value
