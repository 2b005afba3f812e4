import { layer } from "@catalog-client/node"
import { serve } from "@catalog-client/node/testing"
import { FetchHttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { afterAll, describe } from "vitest"
import { faulty } from "../../core/test/support/serviceFaults.js"
import { againstTheService } from "../../core/test/support/service.suite.js"

const service = await serve(faulty)
afterAll(() => service.close())

describe.each([
  ["Node's own", layer],
  ["fetch", FetchHttpClient.layer],
  ["node:http", NodeHttpClient.layer]
])("over %s transport", (_, transport) => {
  againstTheService({ transport, url: service.url, isBrowser: false })
})
