import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import { inject } from "vitest"
import { faces } from "../../core/test/support/faces.js"
import { sampled } from "../../core/test/support/full.js"
import { underFaults } from "../../core/test/support/policies.suite.js"

let requests = 0
const counting = (...request: Parameters<typeof fetch>) => {
  requests++
  return fetch(...request)
}
const layer = Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, counting))

underFaults({
  transport: { layer, fetch: counting },
  url: inject("catalogUrl"),
  requests: () => requests,
  isBrowser: true,
  only: sampled(faces, 2)
})
