import { Catalog, Credentials } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/core/testing"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"

/** What an application might have: it does not depend on which service responds. */
const finish = (id: number) =>
  Effect.gen(function* () {
    yield* Catalog.anime.updateMyListStatus({ id, status: "completed" })
    const page = yield* Catalog.user.animeList({ username: "@me", status: "completed", limit: 1000 })
    return page.data.some((entry) => entry.node.id === id)
  })

const signedIn = Credentials.layer({ accessToken: "embedded-token" })

it.effect("a finished anime is on the list", () =>
  Effect.gen(function* () {
    expect(yield* finish(1)).toBe(true)
  }).pipe(Effect.provide([EmbeddedCatalog.layer(), signedIn]))
)

it.effect("a failing service is a typed error", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(finish(1))
    expect(error).toMatchObject({ _tag: "ClientRestError", status: 503 })
  }).pipe(Effect.provide([EmbeddedCatalog.layer({ faults: [{ on: "user.animeList", status: 503 }] }), signedIn]))
)
