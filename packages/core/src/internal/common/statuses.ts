/**
 * What a status means for the next request.
 */
const temporary: ReadonlyArray<unknown> = [0, 302, 307, 429, 500, 502, 503, 504]

/**
 * Whether the same request can succeed later. The service redirects to an error page when it is under load, and a browser
 * reports that as status 0.
 */
export const isTemporaryStatus = (status: unknown): boolean => temporary.includes(status)
