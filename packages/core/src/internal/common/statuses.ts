/**
 * What a status, or a sentence of the service, means: messages, guards and policies read this table.
 */

/**
 * Those that pass by themselves. Under load, the service redirects to an error page, which a browser reports as 0. Those of 520
 * and more come from Cloudflare, for a service that it cannot reach.
 */
const temporary: ReadonlyArray<unknown> = [0, 302, 307, 408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 530]

/** Whether the same request can succeed later. */
export const isTemporaryStatus = (status: unknown): boolean => temporary.includes(status)

/** Whether the service fails. If not, it works, even if it refuses this request. */
export const isFailure = (status: number): boolean => status >= 500 || (status < 400 && isTemporaryStatus(status))

/**
 * What the service says of a client ID that it does not know, with status 400. It contains no secret, but can contain the word
 * that is one.
 */
export const unknownClientId = "Invalid client id"

/** The input that the service refuses with status 400, if its message names one: `invalid limit`. */
export const refusedInput = (message = ""): string | undefined => /^invalid (\w+)$/.exec(message)?.[1]
