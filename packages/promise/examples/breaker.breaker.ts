import { createCatalog, Resilience } from "catalog-client"

export const catalog = createCatalog({
  clientId: "my-client-id",
  policies: [Resilience.retry(), Resilience.breaker({ failures: 10, cooldown: "1 minute" })]
})
