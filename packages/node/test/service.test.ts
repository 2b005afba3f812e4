import { serve } from "catalog-client/testing"
import { layer } from "@catalog-client/node"
import { FetchHttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { afterAll, describe } from "vitest"
import { faces } from "../../core/test/support/faces.js"
import { sampled } from "../../core/test/support/full.js"
import { faulty } from "../../core/test/support/serviceFaults.js"
import { againstTheService } from "../../core/test/support/service.suite.js"
import { onlyEffect } from "../../core/test/support/only.js"

const service = await serve(faulty)
afterAll(() => service.close())

describe.each([
  ["Node's own", { layer }, faces],
  ["fetch", { layer: FetchHttpClient.layer, fetch: "global" }, sampled(faces, 2, 1)],
  ...onlyEffect([["node:http", { layer: NodeHttpClient.layer }, faces.slice(0, 1)]] as const)
] as const)("over %s transport", (_, transport, only) => {
  againstTheService({ transport, url: service.url, isBrowser: false, only })
})
