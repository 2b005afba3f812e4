// Errors as the page shows them.
import { isClientError } from "catalog-client"
import { markRaw, shallowReactive } from "vue"
import { addressOfLink, readable } from "../urls.js"

/** An error as the program gets it. */
export interface ShownError {
  /** Its class: `ClientRestError`. */
  readonly name: string
  /** The members that tell it apart: `reason`, `status`, `rule`, `field`, `code`, `retryAfter`, `attempts`. */
  readonly members: Readonly<Record<string, string | number>>
  readonly message: string
  /** The page that explains it. */
  readonly page: string | undefined
}

const shown = ["reason", "status", "code", "field", "timeoutMs", "retryAfter", "attempts"]

/** Whether the same call can succeed later. */
export const isTemporary = ({ members, name }: ShownError): boolean =>
  name === "ClientNetworkError" || (name === "ClientRestError" && !/^4(?!01|29)/.test(String(members["status"])))

/**
 * Whether a request had no effect: it was not sent, or the service refused it. After other errors it may have had one. The service
 * of this page writes nothing where a fault sets a status; of a real one, only a 4xx says that.
 */
export const hadNoEffect = ({ members, name }: ShownError): boolean =>
  !["ClientRestError", "ClientNetworkError"].includes(name) ||
  ["Status", "CircuitOpen"].includes(String(members["reason"]))

/** What views show of errors: the inspector has the same object. */
const known = new WeakMap<Error, ShownError>()

/** The errors that are in view outside of the inspector. */
export const inView = shallowReactive(new Set<ShownError>())

export const shownError = (error: unknown): ShownError => {
  if (!isClientError(error)) {
    return {
      name: error instanceof Error ? error.name : "Error",
      members: {},
      message: String(error),
      page: undefined
    }
  }
  const before = known.get(error)
  if (before !== undefined) {
    return before
  }
  const members: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(error)) {
    if (shown.includes(name) && (typeof value === "string" || typeof value === "number")) {
      members[name] = value
    }
  }
  const [said = "", address = ""] = error.message.split(/ See (?=https:\S+$)/)
  const made = markRaw({ name: error._tag, members, message: readable(said), page: addressOfLink(address) })
  known.set(error, made)
  return made
}
