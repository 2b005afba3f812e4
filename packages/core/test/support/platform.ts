/**
 * What the platform calls its errors and spans, and how it says that there is nothing. Tests name them through this module alone, so that another line of
 * Effect changes one place.
 */
import type { HttpClientError } from "@effect/platform"
import { Option } from "effect"

/** What a transport failed with, for example `Transport` or `Decode`. */
export const reasonOf = ({ reason }: HttpClientError.HttpClientError): string => reason

/** What a client is called when it is printed. */
export const identifier = "@effect/platform/HttpClient"

/** The name of the span of a request. */
export const spanNameOf = (method: string): string => `http.client ${method}`

/** What only this client writes on the span of a request with credentials. */
export const attributesOf = (origin: string): Readonly<Record<string, string>> => ({
  "http.request.header.authorization": "<redacted>",
  "http.response.header.connection": "keep-alive",
  "server.address": origin
})

/** What a KeyValueStore returns for a value, or for none. */
export const inKeyValueStore = (value: string | undefined) => Option.fromNullable(value)
