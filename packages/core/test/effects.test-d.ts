import { Login, TokenStore, type TextStore } from "@catalog-client/oauth/node"
import { Recorder } from "@catalog-client/testing"
import type { HttpClient } from "@effect/platform"
import type { Effect, Option } from "effect"
import { expectTypeOf, test } from "vitest"

declare const needing: Effect.Effect<Option.Option<string>, "broken", HttpClient.HttpClient>
declare const provided: Effect.Effect<Option.Option<string>, "broken">
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

test("what would not run an Effect refuses one", () => {
  Login.loopback({ openBrowser: async () => false, onUrl: () => undefined, paste: async () => "" })
  // @ts-expect-error -- it would not run
  Login.loopback({ openBrowser: () => provided })
  // @ts-expect-error -- it would not run
  Login.loopback({ onUrl: () => provided })
  // @ts-expect-error -- it would not run
  Login.loopback({ paste: () => provided })
  Recorder.layer({ store: { name: "", read: () => null, write: async () => 1 } })
  // @ts-expect-error -- it would not run
  Recorder.layer({ store: { name: "", read: () => null, write: () => provided } })
})
