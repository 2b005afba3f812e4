import { ServiceProfile } from "catalog-client"
import type { AddressInfo } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { serverOver } from "./server.js"

const {
  CATALOG_AUTHORIZE_URL: authorizeUrl = ServiceProfile.default.oauth.authorizeUrl,
  CATALOG_TOKEN_URL: tokenUrl = ServiceProfile.default.oauth.tokenUrl,
  CATALOG_BASE_URL: baseUrl = ServiceProfile.default.baseUrl,
  CATALOG_CLIENT_ID: clientId = "",
  CATALOG_REDIRECT_URI: redirectUri = "http://localhost:3000/callback",
  PORT = "3000"
} = process.env
const [file = "sessions.db"] = process.argv.slice(2)

const profile = {
  ...ServiceProfile.default,
  baseUrl,
  oauth: { ...ServiceProfile.default.oauth, authorizeUrl, tokenUrl }
}
const server = serverOver(new DatabaseSync(file), { clientId, profile, redirectUri })
server.listen(Number(PORT), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(`Listening on http://127.0.0.1:${port}`)
})
