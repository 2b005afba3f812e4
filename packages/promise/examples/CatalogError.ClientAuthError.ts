import { type Catalog, ClientAuthError } from "catalog-client"

export const me = (catalog: Catalog) =>
  catalog.user.me().catch((error: unknown) => {
    if (!(error instanceof ClientAuthError)) {
      throw error
    }
  })
