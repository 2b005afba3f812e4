import { createCatalog } from "catalog-client"
import { createSession, Tokens } from "catalog-client/oauth"
import { EmbeddedCatalog } from "catalog-client/testing"

const fetch = EmbeddedCatalog.fetch({ tokens: { "stored-token": "sample_reader" } })
const session = createSession({ clientId: "embedded-client", profile: EmbeddedCatalog.profile(), fetch })
const catalog = createCatalog({ session, fetch })

// Keeps a user signed in whose tokens another library has stored.
await session.signIn(Tokens.from({ access_token: "stored-token", refresh_token: "stored", expires_in: 3600 }))
console.log((await catalog.user.me()).name)
