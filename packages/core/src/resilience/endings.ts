/**
 * Classifies how attempts end.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"

/** How an attempt, or all attempts of a call, ended. */
export type Ending = Exit.Exit<unknown, ClientRestError | ClientNetworkError>

/** The service redirects to an error page when it is under load; a browser reports that as status 0. */
export const isLoadShedding = ({ status }: ClientRestError): boolean => status === 0 || status === 302 || status === 307

/** The error of an attempt; none if it succeeded, was interrupted or died. */
export const errorOf = (ending: Ending): Option.Option<ClientRestError | ClientNetworkError> =>
  Exit.isFailure(ending) ? Cause.failureOption(ending.cause) : Option.none()

/** Whether the request certainly had no effect. */
export const isRefusal = (error: ClientRestError | ClientNetworkError): boolean =>
  error._tag === "ClientRestError" && error.status >= 400 && error.status < 500

/** Whether a write certainly had no effect. If the last attempt was refused, an earlier one may still have succeeded. */
export const isRefused = (ending: Ending): boolean =>
  Option.exists(errorOf(ending), (error) => isRefusal(error) && error.attempts === 1)
