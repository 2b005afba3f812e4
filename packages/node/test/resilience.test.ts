import { layer } from "@catalog-client/node"
import { serve } from "@catalog-client/node/testing"
import { afterAll } from "vitest"
import { faulty } from "../../core/test/support/faults.js"
import { underFaults } from "../../core/test/support/policies.suite.js"

let sent = 0
const service = await serve({ ...faulty, onRequest: () => sent++ })
afterAll(() => service.close())

underFaults({ transport: layer, url: service.url, sent: () => sent, isBrowser: false })
