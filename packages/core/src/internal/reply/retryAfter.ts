/**
 * Reads the header `Retry-After`; `restError` of `errors.ts` puts it into an error.
 */

/** The milliseconds of a `Retry-After` header, which has seconds or a date; the longest of several. */
export const readRetryAfter = (header = "", now: number): number | undefined => {
  // The comma after a weekday is part of its date.
  const waits = header.split(/,(?! \d+[ -][A-Z])/).map((value) =>
    /^\s*\d+(\.\d+)?\s*$/.test(value)
      ? Number(value) * 1000
      : // `Date.parse` accepts many strings that are not dates.
        /^\s*[A-Z][a-z]+,? .+ GMT\s*$/.test(value)
        ? Math.max(0, Date.parse(value) - now)
        : NaN
  )
  const valid = waits
    .filter((millis) => millis >= 0)
    .map((millis) => Math.min(Math.round(millis), Number.MAX_SAFE_INTEGER))
  return valid.length === 0 ? undefined : Math.max(...valid)
}
