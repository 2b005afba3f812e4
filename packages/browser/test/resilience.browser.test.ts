import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import { inject } from "vitest"
import { faces } from "../../core/test/support/faces.js"
import { sampled } from "../../core/test/support/full.js"
import { underFaults } from "../../core/test/support/policies.suite.js"

let requests = 0
const counting: typeof fetch = (...request) => {
  requests++
  return fetch(...request)
}
const transport = Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, counting))

underFaults({
  transport,
  url: inject("catalogUrl"),
  requests: () => requests,
  isBrowser: true,
  only: sampled(faces, 2)
})
