// Calls for a user, alternately with a session and with its access token as a value.
import { ServiceProfile } from "@catalog-client/core"
import { createSession, Tokens } from "@catalog-client/oauth"
import { createCatalog } from "@catalog-client/node"
import { Redacted } from "effect"
import { fields, id } from "../calls/selection.mjs"
import { answerWithSlices } from "../slices.mjs"

const baseUrl = process.argv[2] ?? ""
const clientId = "my-client-id"
const accessToken = "t".repeat(1000)
const now = Date.now()

const session = createSession({ clientId, profile: { ...ServiceProfile.default, baseUrl } })
await session.signIn(
  new Tokens({
    accessToken: Redacted.make(accessToken),
    refreshToken: Redacted.make("r".repeat(1000)),
    clientId,
    obtainedAt: now,
    expiresAt: now + 31 * 86_400_000
  })
)
const withSession = createCatalog({ session })
const withToken = createCatalog({ baseUrl, clientId, accessToken })

await answerWithSlices((on) => () => (on ? withSession : withToken).anime.get({ id }, { fields }))
