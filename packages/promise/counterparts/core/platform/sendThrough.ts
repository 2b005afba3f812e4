/**
 * Every transport here has its own `send`: none is a plain `HttpClient`.
 */
export const sendThrough = (): never => {
  throw new Error("unreachable")
}
