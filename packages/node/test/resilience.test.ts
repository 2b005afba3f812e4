import { serve } from "catalog-client/testing"
import { layer } from "@catalog-client/node"
import { afterAll, expect, test } from "vitest"
import { faces } from "../../core/test/support/faces.js"
import { sampled } from "../../core/test/support/full.js"
import { faulty } from "../../core/test/support/serviceFaults.js"
import { underFaults } from "../../core/test/support/policies.suite.js"
import { runProgram } from "./support/program.js"

let requests = 0
const service = await serve({ ...faulty, onRequest: () => requests++ })
afterAll(() => service.close())

// A sample has the face that the browser's sample omits.
underFaults({
  transport: { layer },
  url: service.url,
  requests: () => requests,
  isBrowser: false,
  only: sampled(faces, 2, 1)
})

test("a program with all policies that closes nothing still ends, whatever waits or was held", async () => {
  const program = `
    import { createCatalog, Resilience } from "catalog-client"
    const policies = [
      Resilience.cache({ capacity: 10, timeToLive: "1 hour" }),
      Resilience.dedupe(),
      Resilience.retry({ baseDelay: "1 hour", maxDelay: "1 hour" }),
      Resilience.breaker({ failures: 1, cooldown: "1 hour" }),
      Resilience.rateLimit({ limit: 1, interval: "1 hour" })
    ]
    const catalog = createCatalog({ baseUrl: ${JSON.stringify(service.url)}, policies })
    const first = await catalog.anime.get({ id: 30230 })
    const late = await catalog.anime.get({ id: 1 }, { totalTimeout: 50 }).catch((error) => error.reason)
    console.log(first.title === (await catalog.anime.get({ id: 30230 })).title, late)`
  expect(await runProgram(program)).toEqual(["true Timeout", 0])
})
