/**
 * Under fire: every fault that can reach a page.
 */
import { layer } from "@catalog-client/browser"
import { FetchHttpClient } from "@effect/platform"
import { ClientError } from "@catalog-client/core"
import { commands } from "@vitest/browser/context"
import { Schema } from "effect"
import { describe, inject, test } from "vitest"
import type { Outcome } from "../../core/test/support/faces.js"
import type { Stats } from "../../core/test/support/faultServer.js"
import { sampled } from "../../core/test/support/full.js"
import { countTimers } from "../../core/test/support/timers.js"
import { faults, outcomeOf } from "../../core/test/support/wireFaults.js"
import { check, underFire } from "../../core/test/support/wireFaults.suite.js"

declare module "@vitest/browser/context" {
  interface BrowserCommands {
    callStrictly: (transport: string, baseUrls: ReadonlyArray<string | undefined>) => Promise<ReadonlyArray<Outcome>>
  }
}

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

const lax = faults.filter(({ tls }) => tls === undefined)
const ways = [
  { name: "CatalogBrowser.layer", layer, faces: ["Effect"] },
  { name: "CatalogBrowser.layer", layer, faces: ["promise"] },
  { name: "FetchHttpClient.layer in Chromium", layer: FetchHttpClient.layer, faces: ["Effect"] }
] as const
// A sample meets half of the faults, each in one of the ways.
for (const [index, way] of ways.entries()) {
  underFire({ ...shared, ...way, only: sampled(lax, 2 * ways.length, 2 * index) })
}

/** Those of TLS, and one with a reply as a control. */
const strictly = faults.filter(({ name, tls }) => tls !== undefined || name === "HTTP/1.0")

describe.each(["CatalogBrowser.layer", "FetchHttpClient.layer in Chromium"] as const)(
  "%s under fire, in a page that minds certificates",
  async (transport) => {
    const baseUrls = strictly.map(({ name }) => urls[name])
    const outcomes = await commands.callStrictly(transport, baseUrls)

    test.each(strictly.map((fault, index) => ({ fault, came: outcomes[index] })))("$fault.name", ({ fault, came }) => {
      const expected = outcomeOf(fault, transport)
      check(
        came?.ok === false ? { ok: false, error: Schema.decodeUnknownSync(ClientError)(came.error) } : came,
        expected,
        30_000
      )
    })
  }
)
