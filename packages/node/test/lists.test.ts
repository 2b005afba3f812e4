import { serve } from "catalog-client/testing"
import { layer } from "@catalog-client/node"
import { afterAll } from "vitest"
import { circles, habits, withQuirks } from "../../core/test/support/lists.js"
import { wholeLists } from "../../core/test/support/lists.suite.js"

const services = await Promise.all(
  Object.entries({ ...habits, ...circles }).map(
    async ([name, quirks]) => [name, await serve(withQuirks(quirks))] as const
  )
)
afterAll(() => Promise.all(services.map(([, service]) => service.close())))

wholeLists({ transport: { layer }, urls: Object.fromEntries(services.map(([name, { url }]) => [name, url])) })
