import { serve } from "@catalog-client/node/testing"
import type { TestProject } from "vitest/node"
import { faulty } from "../packages/core/test/support/faults.js"
import { circles, habits, withQuirks } from "../packages/core/test/support/lists.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser tests find the embedded service: another origin than their page's. */
    catalogUrl: string
    /** Where they find one with a habit, by the habit's name. */
    listUrls: Record<string, string>
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
  return () => Promise.all([service, ...lists.map(([, list]) => list)].map((each) => each.close()))
}
