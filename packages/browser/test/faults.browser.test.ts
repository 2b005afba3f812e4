/**
 * Under fire: every fault that can reach a page.
 */
import { layer } from "@catalog-client/browser"
import { FetchHttpClient } from "@effect/platform"
import { inject } from "vitest"
import type { Stats } from "../../core/test/support/faultServer.js"
import { countTimers } from "../../core/test/support/timers.js"
import { underFire } from "../../core/test/support/wireFaults.suite.js"

const { urls, statsUrl } = inject("faults")

const timers = countTimers()
const uncaught: Array<unknown> = []
addEventListener("unhandledrejection", ({ reason }) => uncaught.push(reason))
addEventListener("error", ({ message }) => uncaught.push(message))

const shared = {
  urls,
  stats: async () => (await (await fetch(statsUrl)).json()) as Record<string, Stats>,
  timers,
  uncaught,
  closes: false
}

underFire({ ...shared, name: "CatalogBrowser.layer", layer, faces: ["Effect", "promise"] })
underFire({ ...shared, name: "FetchHttpClient.layer in Chromium", layer: FetchHttpClient.layer, faces: ["Effect"] })
