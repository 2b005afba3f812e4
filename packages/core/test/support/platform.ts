/**
 * What the platform calls its errors, and how it says that there is nothing. Tests name them through this module alone, so that
 * another line of Effect changes one place.
 */
import type { HttpClientError } from "@effect/platform"
import { Option } from "effect"

/** What a transport failed with, for example `Transport` or `Decode`. */
export const reasonOf = ({ reason }: HttpClientError.HttpClientError): string => reason

/** What a KeyValueStore returns for a value, or for none. */
export const inKeyValueStore = (value: string | undefined) => Option.fromNullable(value)
