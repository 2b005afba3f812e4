/**
 * What is known to be otherwise in an engine, and why: `docs/decisions/compatibility.md` lists it.
 */
import type { engines, Package } from "./engines.js"

interface Difference {
  readonly on: ReadonlyArray<keyof typeof engines>
  readonly packages: ReadonlyArray<Package>
  readonly behaviour: string
  readonly reason: string
}

const overFetch: ReadonlyArray<Package> = ["browser", "catalog-client"]
const deflate = "its fetch does not decode deflate, so that the body is not JSON"

export const differences: ReadonlyArray<Difference> = [
  {
    on: ["deno", "workerd"],
    packages: overFetch,
    behaviour: "deflate with zlib's header is decoded",
    reason: deflate
  },
  {
    on: ["deno", "workerd"],
    packages: overFetch,
    behaviour: "deflate without a header is decoded",
    reason: deflate
  },
  {
    on: ["chromium", "firefox", "webkit"],
    packages: ["catalog-client"],
    behaviour: "handlers set the two cookies of a sign-in, and end with their request",
    reason: "they are for servers: a page neither sets nor reads the headers of cookies"
  },
  {
    on: ["webkit"],
    packages: overFetch,
    behaviour: "a chunked body that is cut off is a network error",
    reason: "its fetch treats a truncated chunked body as complete, so you get a `ClientRestError`: not JSON"
  }
]
