import { type Catalog, ClientNetworkError } from "catalog-client"

export const boardsIn = (catalog: Catalog) =>
  catalog.forum.boards({ timeout: 2_000 }).catch((error: unknown) => {
    if (!(error instanceof ClientNetworkError && error.reason === "Timeout")) {
      throw error
    }
  })
