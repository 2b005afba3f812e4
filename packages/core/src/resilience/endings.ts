/**
 * What a response, or the want of one, says of the service.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"

/** How an attempt, or all attempts of a call, ended. */
export type Ending = Exit.Exit<unknown, ClientRestError | ClientNetworkError>

/** The service redirects to a page of errors when it is under load; a browser shows that as 0. */
export const isLoadShedding = ({ status }: ClientRestError): boolean => status === 0 || status === 302 || status === 307

/** The error that an attempt ended with; none where it succeeded, was interrupted or died. */
export const errorOf = (ending: Ending): Option.Option<ClientRestError | ClientNetworkError> =>
  Exit.isFailure(ending) ? Cause.failureOption(ending.cause) : Option.none()

/** Whether it is certain that what was asked for was not done. */
export const isRefusal = (error: ClientRestError | ClientNetworkError): boolean =>
  error._tag === "ClientRestError" && error.status >= 400 && error.status < 500

/** Whether it is certain that a write was not done. An attempt before the one that was refused may have been. */
export const isRefused = (ending: Ending): boolean =>
  Option.exists(errorOf(ending), (error) => isRefusal(error) && error.attempts === 1)
