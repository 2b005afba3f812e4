import { createCatalog, Resilience } from "catalog-client"

const kept = Resilience.cache({ capacity: 500, timeToLive: "10 minutes" })

export const catalog = createCatalog({ clientId: "my-client-id", policies: [kept] })
