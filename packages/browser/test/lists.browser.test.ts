import { layer } from "@catalog-client/browser"
import { inject } from "vitest"
import { sampled } from "../../core/test/support/full.js"
import { wholeLists } from "../../core/test/support/lists.suite.js"

wholeLists({
  transport: { layer, fetch: "global" },
  urls: inject("listUrls"),
  sample: (rows, shift) => sampled(rows, 4, shift)
})
