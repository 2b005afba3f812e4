import { serve } from "@catalog-client/node/testing"
import type { TestProject } from "vitest/node"
import { clientId, token } from "../packages/core/test/support/canary.js"
import { faulty } from "../packages/core/test/support/faults.js"
import { circles, habits, withQuirks } from "../packages/core/test/support/lists.js"
import { serveEchoes } from "../packages/node/test/support/echo.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser tests find the embedded service: another origin than their page's. */
    catalogUrl: string
    /** Where they find one with a habit, by the habit's name. */
    listUrls: Record<string, string>
    /** Where they find what `canary.suite.ts` needs. */
    canaryUrls: { readonly serviceUrl: string; readonly echoUrl: string; readonly elsewhereUrl: string }
  }
}

export default async (project: TestProject) => {
  const service = await serve(faulty)
  project.provide("catalogUrl", service.url)
  const lists = await Promise.all(
    Object.entries({ ...habits, ...circles }).map(
      async ([name, quirks]) => [name, await serve(withQuirks(quirks))] as const
    )
  )
  project.provide("listUrls", Object.fromEntries(lists.map(([name, { url }]) => [name, url])))
  const canaries = await serve({ ...faulty, tokens: { [token]: "sample_reader" }, clientIds: [clientId] })
  const { close, echoUrl, elsewhereUrl } = await serveEchoes()
  project.provide("canaryUrls", { serviceUrl: canaries.url, echoUrl, elsewhereUrl })
  return () => Promise.all([{ close }, canaries, service, ...lists.map(([, list]) => list)].map((each) => each.close()))
}
