import { type Catalog, ClientValidationError } from "catalog-client"

export const findIn = (catalog: Catalog, q: string) =>
  catalog.anime.search({ q }).catch((error: unknown) => {
    if (!(error instanceof ClientValidationError)) {
      throw error
    }
  })
