import { createCatalog, ServiceProfile } from "catalog-client"

export const catalog = createCatalog({
  clientId: "my-client-id",
  profile: { ...ServiceProfile.default, clientId: { header: "x-client-id", prefix: "" } }
})
