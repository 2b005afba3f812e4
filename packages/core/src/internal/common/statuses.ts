/**
 * What a status, or a sentence of the service, means: messages, guards and policies read this table.
 */

/**
 * The statuses of failures that pass by themselves. Under load, the service redirects to an error page, which a browser reports
 * as 0. The statuses from 520 on come from Cloudflare, for a service that it cannot reach.
 */
const temporary: ReadonlyArray<unknown> = [0, 302, 307, 408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 530]

/** Whether the same request can succeed later. */
export const isTemporaryStatus = (status: unknown): boolean => temporary.includes(status)

/** Whether a status shows that the service fails. With any other status it works, even if it refuses this request. */
export const isFailure = (status: number): boolean => status >= 500 || (status < 400 && isTemporaryStatus(status))

/**
 * The service's message for an unknown client ID, with status 400. It is not redacted: a client ID such as `client` would
 * change it.
 */
export const unknownClientId = "Invalid client id"

/** The input that the service refuses with status 400, if its message names one: `invalid limit`. */
export const refusedInput = (message = ""): string | undefined => /^invalid (\w+)$/.exec(message)?.[1]
