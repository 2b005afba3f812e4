import { createCatalog, type HookEvents } from "catalog-client"

// For example `catalog.anime.get: Success in 132 ms`.
const lineOf = ({ durationMs, operation, outcome }: HookEvents["onResponse"]) =>
  `${operation}: ${outcome} in ${Math.round(durationMs)} ms`

export const catalog = createCatalog({
  clientId: "my-client-id",
  hooks: { onResponse: (event) => console.error(lineOf(event)) }
})
