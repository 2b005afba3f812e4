import { type Catalog, ClientRestError } from "catalog-client"

export const findIn = (catalog: Catalog, id: number) =>
  catalog.anime.get({ id }).catch((error: unknown) => {
    if (!(error instanceof ClientRestError && error.status === 404)) {
      throw error
    }
  })
