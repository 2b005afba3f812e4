import { addedByProxy, createCatalog } from "catalog-client"

const catalog = createCatalog({ baseUrl: "/catalog", accessToken: addedByProxy })

export const name = async () => (await catalog.user.me()).name
