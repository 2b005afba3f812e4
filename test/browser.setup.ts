import { EmbeddedServer, type ServeOptions } from "@catalog-client/testing/node"
import { Effect, Exit, Scope } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestProject } from "vitest/node"
import { clientId, token } from "../packages/core/test/support/canary.js"
import { serveFaults } from "../packages/core/test/support/faultServer.js"
import { faulty } from "../packages/core/test/support/serviceFaults.js"
import { circles, habits, withQuirks } from "../packages/core/test/support/lists.js"
import { serveEchoes } from "../packages/node/test/support/echoServer.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser tests find the embedded service: another origin than their page's. */
    catalogUrl: string
    /** Where they find one with a habit, by the habit's name. */
    listUrls: Record<string, string>
    /** Where they meet each fault, by its name, and where they are told what has happened there. */
    faults: { readonly urls: Readonly<Record<string, string>>; readonly statsUrl: string }
    /** Where they find what `canary.suite.ts` needs. */
    canaryUrls: { readonly serviceUrl: string; readonly echoUrl: string; readonly elsewhereUrl: string }
  }
}

export default async (project: TestProject) => {
  const scope = await Effect.runPromise(Scope.make())
  const serve = (options: ServeOptions) => Effect.runPromise(Scope.extend(EmbeddedServer.make(options), scope))
  const service = await serve(faulty)
  project.provide("catalogUrl", service.url)
  const lists = await Promise.all(
    Object.entries({ ...habits, ...circles }).map(
      async ([name, quirks]) => [name, await serve(withQuirks(quirks))] as const
    )
  )
  project.provide("listUrls", Object.fromEntries(lists.map(([name, { url }]) => [name, url])))
  const faults = await serveFaults()
  const stats = createServer((_, response) => {
    response.setHeader("access-control-allow-origin", "*").end(JSON.stringify(faults.stats()))
  })
  await once(stats.listen(0, "127.0.0.1"), "listening")
  const { port } = stats.address() as AddressInfo
  project.provide("faults", { urls: faults.urls, statsUrl: `http://127.0.0.1:${port}` })
  const canaries = await serve({ ...faulty, tokens: { [token]: "sample_reader" }, clientIds: [clientId] })
  const { close, echoUrl, elsewhereUrl } = await serveEchoes()
  project.provide("canaryUrls", { serviceUrl: canaries.url, echoUrl, elsewhereUrl })
  return () => {
    stats.closeAllConnections()
    stats.close()
    return Promise.all([close(), faults.close(), Effect.runPromise(Scope.close(scope, Exit.void))])
  }
}
