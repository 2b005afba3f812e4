import { serve } from "@catalog-client/node/testing"
import type { TestProject } from "vitest/node"
import { faulty } from "../packages/core/test/support/faults.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser tests find the embedded service: another origin than their page's. */
    catalogUrl: string
  }
}

export default async (project: TestProject) => {
  const service = await serve(faulty)
  project.provide("catalogUrl", service.url)
  return () => service.close()
}
