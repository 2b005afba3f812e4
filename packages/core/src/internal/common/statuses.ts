/**
 * What a status means for the next request: the one table that messages, guards and policies read.
 */
/** The service redirects to an error page when it is under load; a browser reports that as status 0. */
const loadShedding: ReadonlyArray<unknown> = [0, 302, 307]

/** Those of 520 and more come from Cloudflare, for a service that it cannot reach. */
const temporary: ReadonlyArray<unknown> = /*#__PURE__*/ loadShedding.concat(
  [408, 429, 500, 502, 503, 504],
  [520, 521, 522, 523, 524, 530]
)

/** Whether the same request can succeed later. */
export const isTemporaryStatus = (status: unknown): boolean => temporary.includes(status)

/** Whether the service fails. If not, it works, even if it refuses this request. */
export const isFailure = (status: number): boolean => status >= 500 || loadShedding.includes(status)
