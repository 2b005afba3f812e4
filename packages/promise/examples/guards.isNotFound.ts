import { type Catalog, isNotFound } from "catalog-client"

export const titleOf = async (catalog: Catalog, id: number) => {
  try {
    return (await catalog.anime.get({ id })).title
  } catch (error) {
    if (isNotFound(error)) {
      return undefined
    }
    throw error
  }
}
