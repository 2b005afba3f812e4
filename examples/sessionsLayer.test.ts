import { Catalog, Credentials } from "@catalog-client/core"
import { OAuthSessions, TokenStores } from "@catalog-client/oauth"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { HttpClient } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"

const Live = OAuthSessions.layer({
  clientId: "embedded-client",
  redirectUri: "http://localhost:8080/callback"
}).pipe(Layer.provide(TokenStores.layerMemory), Layer.provideMerge(EmbeddedCatalog.layer()))

it.effect("a user signs in", () =>
  Effect.gen(function* () {
    const sessions = yield* OAuthSessions
    const url = yield* sessions.begin("a visitor")
    // What the user's browser does: it comes back with a code.
    const consent = yield* HttpClient.get(Redacted.value(url))
    yield* sessions.finish("a visitor", consent.headers["location"] ?? "")

    const credentials = sessions.credentials("a visitor")
    const { name } = yield* Catalog.user.me().pipe(Effect.provideService(Credentials, credentials))
    expect(name).toBe("sample_reader")
  }).pipe(Effect.provide(Live))
)
