import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"

const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), ...EmbeddedCatalog.credentials() })
console.log((await catalog.user.me()).name)
