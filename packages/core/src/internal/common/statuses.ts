/**
 * What a status means for the next request.
 */
const loadShedding: ReadonlyArray<unknown> = [0, 302, 307]

const temporary: ReadonlyArray<unknown> = /*#__PURE__*/ loadShedding.concat(429, 500, 502, 503, 504)

/** The service redirects to an error page when it is under load; a browser reports that as status 0. */
export const isLoadShedding = ({ status }: { readonly status: number }): boolean => loadShedding.includes(status)

/** Whether the same request can succeed later. */
export const isTemporaryStatus = (status: unknown): boolean => temporary.includes(status)
