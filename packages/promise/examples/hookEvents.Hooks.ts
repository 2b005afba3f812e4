import { createCatalog, type Hooks, Resilience } from "catalog-client"

const hooks: Hooks = { onRetry: ({ attempt, delay }) => console.error(`attempt ${attempt} in ${delay} ms`) }

export const catalog = createCatalog({ clientId: "my-client-id", hooks, policies: [Resilience.retry()] })
