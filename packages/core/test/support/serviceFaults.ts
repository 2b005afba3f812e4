/**
 * Faults that a test asks for by a header, so that one service serves all of them.
 */
import type { EmbeddedCatalogOptions, Fault } from "@catalog-client/testing"

export const html = "<html><body>Something stands in between.</body></html>"

export const byName = {
  "redirect-302": { status: 302, headers: { location: "/elsewhere" }, body: html },
  "redirect-307": { status: 307, headers: { location: "https://elsewhere.example/" }, body: html },
  "bad-request": { status: 400, body: { error: "bad_request", message: "invalid" } },
  "expired-token": { status: 401, body: { error: "invalid_token" } },
  "forbidden-json": { status: 403, body: { error: "forbidden", message: "" } },
  "forbidden-html": { status: 403, body: html },
  "not-found": { status: 404, body: { error: "not_found" } },
  "too-many": { status: 429, body: "" },
  busy: { status: 503, headers: { "retry-after": "1" }, body: html },
  throttled: { status: 429, headers: { "retry-after": "7" }, body: "" },
  failing: { status: 500, body: html },
  overloaded: { status: 503, body: "" },
  empty: { status: 200, body: "" },
  "html-as-success": { status: 200, body: html },
  truncated: { status: 200, body: '{"id":1,"title":', headers: { "content-type": "application/json" } },
  slow: { delay: "400 millis" },
  "stall-before-headers": { delay: "1 hour" },
  "stall-in-body": { bodyDelay: "1 hour" },
  "drop-before-headers": { drop: "before-headers" },
  "drop-in-body": { drop: "in-body" }
} satisfies Record<string, Fault>

export type FaultName = keyof typeof byName

/** Headers of a request that gets the fault. */
export const meeting = (name: FaultName) => ({ "x-fault": name })

/** Headers that fault the first `times` requests. */
export const meetingFirst = (times: number, name: FaultName) => ({
  ...meeting(name),
  "x-times": `${times} of ${Math.random()}`
})

/** The requests of each group that got a fault. */
const met = new Map<string, number>()

const isStill = (group: string | undefined): boolean => {
  if (group === undefined) {
    return true
  }
  const times = met.get(group) ?? 0
  met.set(group, times + 1)
  return times < Number.parseInt(group)
}

/** A service with every fault. */
export const faulty: EmbeddedCatalogOptions = {
  cors: true,
  faults: Object.entries(byName).map(([name, fault]: [string, Fault]) => ({
    ...fault,
    on: ({ headers }) => headers["x-fault"] === name && isStill(headers["x-times"])
  }))
}
