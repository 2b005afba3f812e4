/** A number of milliseconds, or a string like `"5 seconds"`. */
export type Duration = number | `${number} ${"millisecond" | "second" | "minute" | "hour" | "day"}${"" | "s"}`
