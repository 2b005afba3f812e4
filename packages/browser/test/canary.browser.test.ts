import { layer } from "@catalog-client/browser"
import { inject } from "vitest"
import { sampled } from "../../core/test/support/full.js"
import { nothingShows } from "../../core/test/support/canary.suite.js"

nothingShows({
  ...inject("canaryUrls"),
  wireUrls: inject("faults").urls,
  transport: { layer, fetch: "global" },
  printers: {},
  isBrowser: true,
  every: 6,
  // On each face rows that Node tests on the other one.
  sample: (rows, shift) => sampled(rows, 4, shift + 1),
  isOwn: true
})
