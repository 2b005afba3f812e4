/** The suite over a package for Effect, and what it does for programs with Effect beside that. */
import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Operation, Resilience } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { type Behaviours, equal, ok, one, type Platform, type Services, title, token, topRanked } from "./suite.js"

interface Transport {
  readonly layer: Layer.Layer<HttpClient>
}

type Needed = Credentials | HttpClient
type Called<A = unknown> = (...inputs: ReadonlyArray<unknown>) => A

/** An operation of `Catalog`, as one of a list has it. */
interface Operation extends Called<Effect.Effect<unknown, unknown, Needed>> {
  readonly items?: Called<Stream.Stream<unknown, unknown, Needed>>
  readonly collect?: Called<Effect.Effect<unknown, unknown, Needed>>
}

/** The options of the suite have the types of `catalog-client`; their values are the package's own. */
const layers = { Credentials, CatalogConfig, CatalogPolicy } as unknown as {
  readonly Credentials: { readonly layer: (options: object) => Layer.Layer<Credentials> }
  readonly CatalogConfig: { readonly layer: (options: object) => Layer.Layer<never> }
  readonly CatalogPolicy: { readonly layer: (...policies: ReadonlyArray<unknown>) => Layer.Layer<never> }
}

/** Its operations are Effects that run as promises. */
export const platformOf = ({ layer }: Transport): Platform => ({
  createCatalog: ({ accessToken, policies = [], ...settings } = {}) => {
    const configured = Layer.mergeAll(
      layer,
      layers.Credentials.layer({ accessToken }),
      layers.CatalogConfig.layer(settings),
      layers.CatalogPolicy.layer(...policies)
    )
    const runtime = ManagedRuntime.make(configured)
    const run = async <A>(effect: Effect.Effect<A, unknown, Needed>): Promise<A> => {
      const exit = await runtime.runPromiseExit(effect)
      if (Exit.isSuccess(exit)) {
        return exit.value
      }
      throw Cause.squash(exit.cause)
    }
    const promised = (operation: Operation) => {
      const { collect, items } = operation
      return Object.assign((...inputs: ReadonlyArray<unknown>) => run(operation(...inputs)), {
        collect: (...inputs: ReadonlyArray<unknown>) => collect && run(collect(...inputs)),
        async *items(...inputs: ReadonlyArray<unknown>) {
          if (items !== undefined) {
            yield* await run(Stream.toAsyncIterableEffect(items(...inputs)))
          }
        }
      })
    }
    const domains = Object.entries(Catalog).map(([domain, operations]) => [
      domain,
      Object.fromEntries(
        Object.entries(operations as Record<string, Operation>).map(([name, operation]) => [name, promised(operation)])
      )
    ])
    return { ...Object.fromEntries(domains), close: () => runtime.dispose() } as ReturnType<Platform["createCatalog"]>
  }
})

/** The behaviours over the transport of a package. */
export const effects = ({ layer }: Transport, { url }: Pick<Services, "url">) => {
  const configured = Layer.mergeAll(
    layer,
    Credentials.layer({ accessToken: token }),
    CatalogConfig.layer({ baseUrl: url })
  )

  const run = async <A>(effect: Effect.Effect<A, unknown, Layer.Layer.Success<typeof configured>>): Promise<A> => {
    const runtime = ManagedRuntime.make(configured)
    try {
      return await runtime.runPromise(effect)
    } finally {
      await runtime.dispose()
    }
  }

  return {
    "an Effect has the response of its reply, and a cache keeps the reply": () =>
      run(
        Effect.gen(function* () {
          const get = Catalog.anime.get(one)
          const { attempts, data, headers, status } = yield* Operation.withResponse(get)
          equal([data.title, status, attempts], [title, 200, 1])
          ok(headers["content-type"]?.startsWith("application/json") === true, JSON.stringify(headers))
          const replies = yield* Effect.all(
            Array.from({ length: 8 }, () => get),
            { concurrency: "unbounded" }
          )
          equal(new Set(replies.map((reply) => reply.title)).size, 1)
          equal((yield* Operation.withResponse(get)).attempts, 0)
        }).pipe(
          Effect.provide(
            CatalogPolicy.layer(Resilience.dedupe(), Resilience.cache({ capacity: 9, timeToLive: "1 minute" }))
          )
        )
      ),

    "a whole list is a Stream": () =>
      run(
        Effect.map(Stream.runCollect(Stream.take(Catalog.anime.ranking.items(topRanked), 7)), (entries) =>
          equal(
            [...entries].map(({ ranking }) => ranking.rank),
            [1, 2, 3, 4, 5, 6, 7]
          )
        )
      ),

    "the embedded service is a Layer": () =>
      Effect.map(Catalog.anime.get(one), (anime) => equal(anime.title, title)).pipe(
        Effect.provide([EmbeddedCatalog.layer(), Credentials.layerNone]),
        Effect.runPromise
      )
  } satisfies Behaviours
}

/** The names of these behaviours. */
export const effectBehaviours: ReadonlyArray<string> = Object.keys(
  effects({ layer: EmbeddedCatalog.layer() }, { url: "" })
)
