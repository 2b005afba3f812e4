// Calls for a user, alternately with a session and with its access token as a value.
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import { layer } from "@catalog-client/node"
import { OAuthSession, Tokens, TokenStore } from "@catalog-client/oauth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { fields, id } from "../calls/selection.mjs"
import { answerWithSlices } from "../slices.mjs"

const baseUrl = process.argv[2] ?? ""
const clientId = "my-client-id"
const accessToken = "t".repeat(1000)
const now = Date.now()

const services = Layer.merge(layer, CatalogConfig.layer({ baseUrl }))
const session = Layer.provide(OAuthSession.layer({ clientId }), TokenStore.layerMemory)
const withSession = ManagedRuntime.make(Layer.provideMerge(session, services))
const withToken = ManagedRuntime.make(Layer.merge(services, Credentials.layer({ clientId, accessToken })))

const tokens = new Tokens({
  accessToken: Redacted.make(accessToken),
  refreshToken: Redacted.make("r".repeat(1000)),
  clientId,
  obtainedAt: now,
  expiresAt: now + 31 * 86_400_000
})
await withSession.runPromise(Effect.flatMap(OAuthSession, (session) => session.signIn(tokens)))

const call = Catalog.anime.get({ id }, { fields })
await answerWithSlices((on) => () => (on ? withSession : withToken).runPromise(call))
