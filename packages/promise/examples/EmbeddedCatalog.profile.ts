import { createCatalog } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import { EmbeddedCatalog } from "catalog-client/testing"

const fetch = EmbeddedCatalog.fetch()
export const session = createSession({
  clientId: "embedded-client",
  redirectUri: "http://localhost:8080/callback",
  profile: EmbeddedCatalog.profile(),
  fetch
})
export const catalog = createCatalog({ session, fetch })
