import { type Catalog, isRetryable } from "catalog-client"

export const boards = async (catalog: Catalog) => {
  try {
    return await catalog.forum.boards()
  } catch (error) {
    if (isRetryable(error)) {
      return catalog.forum.boards()
    }
    throw error
  }
}
