/**
 * Reads the header `Retry-After`; `restError` of `errors.ts` puts it into an error.
 */

/** The milliseconds of a `Retry-After` header, which has seconds or a date. */
export const readRetryAfter = (header = "", now: number): number | undefined => {
  const isDate = /^\s*[A-Z][a-z]+,? .+ GMT\s*$/.test(header)
  // `Date.parse` accepts many strings that are not dates, and `Number` many that are not seconds.
  const millis = isDate
    ? Math.max(0, Date.parse(header) - now)
    : /^\s*\d+(\.\d+)?\s*$/.test(header)
      ? Number(header) * 1000
      : NaN
  return millis >= 0 ? Math.min(Math.round(millis), Number.MAX_SAFE_INTEGER) : undefined
}
