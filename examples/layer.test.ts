import { Catalog, Credentials } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"

/** Example application code: it does not depend on which service responds. */
const finish = (id: number) => Catalog.anime.updateMyListStatus({ id, status: "completed" })

const statusOf = (id: number) =>
  Catalog.anime.get({ id }, { fields: "my_list_status" }).pipe(Effect.map((anime) => anime.my_list_status?.status))

const signedIn = Credentials.layer({ accessToken: "embedded-token" })

it.effect("a finished anime is on the list", () =>
  Effect.gen(function* () {
    expect(yield* statusOf(1)).toBe(undefined)
    yield* finish(1)
    expect(yield* statusOf(1)).toBe("completed")
  }).pipe(Effect.provide([EmbeddedCatalog.layer(), signedIn]))
)

it.effect("a failing service is a typed error", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(finish(1))
    expect(error).toMatchObject({ _tag: "ClientRestError", status: 503 })
  }).pipe(
    Effect.provide([EmbeddedCatalog.layer({ faults: [{ on: "anime.updateMyListStatus", status: 503 }] }), signedIn])
  )
)

// These share one service.
layer(Layer.merge(EmbeddedCatalog.layer(), signedIn))("a list", (it) => {
  it.effect("is written", () => finish(1))

  it.effect("is read by a later test", () =>
    Effect.gen(function* () {
      expect(yield* statusOf(1)).toBe("completed")
    })
  )
})
