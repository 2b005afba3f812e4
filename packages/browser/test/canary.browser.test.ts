import { layer } from "@catalog-client/browser"
import { inject } from "vitest"
import { nothingShows } from "../../core/test/support/canary.suite.js"

nothingShows({
  ...inject("canaryUrls"),
  wireUrls: inject("faults").urls,
  transport: layer,
  printers: {},
  isBrowser: true,
  every: 6,
  isOwn: true
})
