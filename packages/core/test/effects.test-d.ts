import {
  Catalog,
  type ClientAuthError,
  type ClientNetworkError,
  type ClientRestError,
  type Credentials
} from "@catalog-client/core"
import { Login as PageLogin } from "@catalog-client/oauth/browser"
import {
  layerFile,
  Login,
  OAuthSession,
  OAuthSessions,
  TokenStore,
  type TextStore,
  type Tokens,
  type TokenStoreError,
  type TokenStores,
  type UnreadableTokens
} from "@catalog-client/oauth/node"
import { EmbeddedCatalog, Recorder } from "@catalog-client/testing"
import type { HttpClient } from "@effect/platform"
import { Effect, type Layer, type Option } from "effect"
import { expectTypeOf, test } from "vitest"

declare const needing: Effect.Effect<Option.Option<string>, "broken", HttpClient.HttpClient>
declare const provided: Effect.Effect<Option.Option<string>, "broken">
declare const seen: Array<string>
const ofEffects = { get: () => provided, set: () => provided, remove: () => provided, keep: () => provided }

test("an Effect of a token store needs no services", () => {
  expectTypeOf(TokenStore.from(ofEffects)).toEqualTypeOf<TokenStore.Service<"process">>()
  const update = (step: (text: string) => Effect.Effect<unknown, unknown>) => step("")
  expectTypeOf(TokenStore.from({ get: () => provided, update })).toEqualTypeOf<TokenStore.Service<"processes">>()
  const ofPromises: TextStore = { get: () => null, set: async () => 1, remove: () => undefined, keep: async () => 2 }
  TokenStore.from(ofPromises)
  // @ts-expect-error -- nobody provides what it needs
  TokenStore.from({ ...ofEffects, get: () => needing })
  // @ts-expect-error -- nobody provides what it needs
  TokenStore.from({ ...ofEffects, set: () => needing })
  // @ts-expect-error -- nobody provides what it needs
  TokenStore.from({ ...ofEffects, remove: () => needing })
  // @ts-expect-error -- nobody provides what it needs
  TokenStore.from({ ...ofEffects, keep: () => needing })
  // @ts-expect-error -- nobody provides what it needs
  TokenStore.from({ get: () => provided, update: () => needing })
})

type LoginError = ClientAuthError | ClientRestError | ClientNetworkError
type Client = HttpClient.HttpClient

test("a sign-in needs what its Effects need, and fails as they do", () => {
  expectTypeOf(Login.loopback()).toEqualTypeOf<Effect.Effect<Tokens, LoginError, OAuthSession>>()
  const opened = Login.loopback({
    openBrowser: () => Effect.as(needing, true),
    onUrl: () => Effect.asVoid(needing),
    paste: () => Effect.as(needing, "")
  })
  expectTypeOf(opened).toEqualTypeOf<Effect.Effect<Tokens, LoginError | "broken", OAuthSession | Client>>()
  const gone = PageLogin.redirect({ navigate: () => Effect.asVoid(needing) })
  expectTypeOf(gone).toEqualTypeOf<Effect.Effect<never, ClientNetworkError | "broken", OAuthSession | Client>>()
  // @ts-expect-error -- a page takes it
  Login.loopback({ navigate: () => Effect.void })
  // @ts-expect-error -- a promise is no Effect
  Login.loopback({ onUrl: async () => undefined })
})

test("sessions need their stores", () => {
  const options = { clientId: "id" }
  type Session = Layer.Layer<OAuthSession | Credentials, never, TokenStore | Client>
  expectTypeOf(OAuthSession.layer(options)).toEqualTypeOf<Session>()
  expectTypeOf(OAuthSessions.layer(options)).toEqualTypeOf<Layer.Layer<OAuthSessions, never, TokenStores | Client>>()
  expectTypeOf(layerFile()).toEqualTypeOf<Layer.Layer<TokenStore>>()
  expectTypeOf<TokenStore.Service["get"]>().toEqualTypeOf<
    Effect.Effect<Option.Option<Tokens>, UnreadableTokens | TokenStoreError>
  >()
  // @ts-expect-error -- the stores are a service
  OAuthSessions.layer({ clientId: "id", store: () => TokenStore.memory() })
})

test("what would not run an Effect refuses one", () => {
  Recorder.layer({ store: { name: "", read: () => null, write: async () => 1 } })
  // @ts-expect-error -- it would not run
  Recorder.layer({ store: { name: "", read: () => null, write: () => provided } })
  EmbeddedCatalog.layer({ onRequest: ({ path }) => seen.push(path), onWrite: async () => 1 })
  // @ts-expect-error -- it would not run
  EmbeddedCatalog.layer({ onRequest: () => needing })
  // @ts-expect-error -- it would not run
  EmbeddedCatalog.layer({ onWrite: () => provided })
  Catalog.anime.search.items({ q: "x" }, { onPage: ({ page }) => seen.push(`${page}`) })
  Catalog.anime.search.pages({ q: "x" }, { onPage: async () => 1 })
  // @ts-expect-error -- it would not run
  Catalog.anime.search.pages({ q: "x" }, { onPage: () => needing })
  // @ts-expect-error -- it would not run
  Catalog.anime.search.collect({ q: "x" }, { max: 1, onPage: () => provided })
})
