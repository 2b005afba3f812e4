import { layer } from "@catalog-client/node"
import { serve } from "@catalog-client/node/testing"
import { FetchHttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { format, inspect } from "node:util"
import { afterAll, describe } from "vitest"
import { clientId, token } from "../../core/test/support/canary.js"
import { nothingShows } from "../../core/test/support/canary.suite.js"
import { faulty } from "../../core/test/support/faults.js"
import { serveEchoes } from "./support/echo.js"

const service = await serve({ ...faulty, tokens: { [token]: "sample_reader" }, clientIds: [clientId] })
const { close, echoUrl, elsewhereUrl } = await serveEchoes()
afterAll(async () => {
  close()
  await service.close()
})

const printers = {
  inspect,
  format: (value: unknown) => format("%s %o %j", value, value, value),
  "inspect, deep": (value: unknown) => inspect(value, { depth: 20, showHidden: true, getters: true }),
  "inspect, deep and raw": (value: unknown) => inspect(value, { depth: 20, showHidden: true, customInspect: false })
}

describe.each([
  ["Node's own", layer, false],
  ["fetch", FetchHttpClient.layer, true],
  ["undici", NodeHttpClient.layerUndici, true]
] as const)("over %s transport", (_, transport, isBrief) => {
  nothingShows({ transport, echoUrl, elsewhereUrl, serviceUrl: service.url, printers, isBrowser: false, isBrief })
})
