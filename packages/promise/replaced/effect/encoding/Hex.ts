/**
 * The identifiers of spans that no tracer of the program has made.
 */
export const random = (length: number): string =>
  Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join("")
