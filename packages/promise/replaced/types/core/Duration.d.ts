/** A number of milliseconds, or a string like `"5 seconds"`: in `millis` or `milliseconds`, seconds, minutes, hours or days. */
export type Duration = number | `${number} ${"milli" | "millisecond" | "second" | "minute" | "hour" | "day"}${"" | "s"}`
