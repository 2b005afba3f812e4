import { createCatalog, Resilience } from "catalog-client"

export const catalog = createCatalog({
  clientId: "my-client-id",
  policies: [Resilience.retry({ attempts: 5, timeouts: true })]
})
