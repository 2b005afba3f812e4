import { createCatalog } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import { EmbeddedCatalog } from "catalog-client/testing"

const fetch = EmbeddedCatalog.fetch()
const session = createSession({
  clientId: "embedded-client",
  redirectUri: "http://localhost:8080/callback",
  profile: EmbeddedCatalog.profile(),
  fetch
})
const catalog = createCatalog({ session, fetch })

console.log((await catalog.anime.get({ id: 30230 })).title)
