/**
 * Credentials go through every operation, every failure and every printing, and are nowhere to be found: the same in Node
 * and in a browser.
 */
import type { CatalogOptions } from "catalog-client"
import {
  Catalog,
  CatalogConfig,
  type CatalogHooks,
  type CatalogPolicy,
  Credentials,
  Resilience
} from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { Cause, Context, Effect, Exit, Inspectable, Layer, ManagedRuntime, Option, Redacted, Stream } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { clientId, credentials, Evidence, headers, search, token } from "./canary.js"
import { echoes } from "./echoedCredentials.js"
import { find, layersOf, limitThatFails, policyOf, promiseCatalog, type Transport, made } from "./faces.js"
import { onlyEffect } from "./only.js"
import { byName as faults, meeting } from "./serviceFaults.js"
import * as Fibers from "./fibers.js"
import { type Example, examples } from "./operations.js"
import {
  countingFailures,
  everyLogger,
  measured,
  meter,
  metrics,
  spansTo,
  withRuntimeMetrics,
  withSpan
} from "./telemetry.js"
import { sleep } from "./eventually.js"

interface Platform {
  readonly transport: Transport
  /** The server of `echoes`, and another origin that lists its requests at `/came`. */
  readonly echoUrl: string
  readonly elsewhereUrl: string
  /** The embedded service, for which the canaries are good, with `faulty`. */
  readonly serviceUrl: string
  /** Where each fault of `wireFaults.ts` is met, if they are to be. */
  readonly wireUrls?: Readonly<Record<string, string>>
  /** What only this platform prints with. */
  readonly printers: Readonly<Record<string, (value: unknown) => unknown>>
  /** A browser hides what a redirect says. */
  readonly isBrowser: boolean
  /** Every nth operation gets each failure, others each time. */
  readonly every: number
  /** The rows of a table that are tested, others with each shift; all, unless given. */
  readonly sample?: <A>(rows: ReadonlyArray<A>, shift: number) => ReadonlyArray<A>
  /** Whether it is a transport of these packages. What others keep while they send is not ours to redact. */
  readonly isOwn: boolean
  /** How the test of a fiber in flight is declared. */
  readonly testOfFibers?: typeof test
}

type Options = Omit<CatalogOptions, "fields">
type Services = HttpClient.HttpClient | Credentials

/** Calls of one face with one configuration, everything about them being printed. */
interface Session {
  /** What an operation fails with, if it does. */
  readonly call: (name: string, ...inputs: ReadonlyArray<unknown>) => Promise<unknown>
  /** The same of a whole list. */
  readonly list: (name: string, ...inputs: ReadonlyArray<unknown>) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** A tracer that shows all spans. */
const traced = (evidence: Evidence) =>
  spansTo(({ name, attributes, events, errors }) => {
    // A call's reply is the caller's, links included.
    const told = errors.map((error) => `${String(error)} ${error.stack} ${String(error.cause)}`)
    evidence.see("span", JSON.stringify([name, attributes, events, told]))
    evidence.spans.push(`${name} ${String(new Map(attributes).get("url.full"))}`)
  })

/** What a program may put around the client to look at it. */
const observers = (evidence: Evidence) =>
  Layer.merge(
    everyLogger((where, text) => evidence.see(where, text)),
    traced(evidence).layer
  )

/** A policy that prints all that it is given. */
const nosy = (evidence: Evidence): CatalogPolicy.Policy => {
  const glance = (call: CatalogPolicy.Call, attempt: unknown) => {
    // Without a Schema of the packages: Node writes out all parts of it that occur twice, again and again.
    evidence.glance("the policy's call", { ...call, reply: undefined })
    evidence.glance("the policy's attempt", attempt)
  }
  return policyOf(
    (call, attempt) => {
      glance(call, attempt)
      return Effect.tapErrorCause(attempt, (cause) => Effect.sync(() => evidence.glance("the policy's error", cause)))
    },
    async (call, next) => {
      glance(call, next)
      try {
        return await next()
      } catch (error) {
        evidence.glance("the policy's error", error)
        throw error
      }
    }
  )
}

/** Hooks that print all that they are told. */
const eavesdropping = (evidence: Evidence): CatalogHooks.Hooks => {
  const hear = (event: object) => evidence.glance("the hook's event", event)
  return { onRequest: hear, onResponse: hear, onRetry: hear, onWait: hear }
}

const onEffect = ({ transport }: Platform, evidence: Evidence, options: Options): Session => {
  const policies = [nosy(evidence), ...(options.policies ?? [])]
  const runtime = ManagedRuntime.make(
    Layer.merge(
      Layer.provideMerge(transport.layer, observers(evidence)),
      layersOf({ ...options, policies, hooks: eavesdropping(evidence) })
    )
  )
  const run = async (where: string, effect: Effect.Effect<unknown, unknown, Services>) => {
    const exit = await runtime.runPromiseExit(
      effect.pipe(
        Effect.tapErrorCause((cause) => Effect.annotateLogs(Effect.logError("it failed", cause), { cause })),
        countingFailures("canary.failures"),
        withSpan("program"),
        withRuntimeMetrics
      )
    )
    if (Exit.isSuccess(exit)) {
      return undefined
    }
    evidence.glance(`${where}, exit`, exit)
    evidence.glance(`${where}, failure`, Fibers.rejection(exit.cause))
    evidence.show(where, Cause.squash(exit.cause))
    return Cause.squash(exit.cause)
  }
  return {
    call: (name, ...inputs) => run(name, find(Catalog, name)(...inputs) as Effect.Effect<unknown, unknown, Services>),
    list: (name, ...inputs) =>
      run(name, Stream.runDrain(find(Catalog, name)(...inputs) as Stream.Stream<unknown, unknown, Services>)),
    close: () => runtime.dispose()
  }
}

const onPromise = ({ transport }: Platform, evidence: Evidence, options: Options): Session => {
  const line = (text: string) => evidence.see("the logger's line", text)
  const catalog = promiseCatalog(
    { ...transport, meter, tracer: traced(evidence) },
    {
      ...options,
      policies: [nosy(evidence), ...(options.policies ?? [])],
      hooks: eavesdropping(evidence),
      logger: { debug: line, info: line, warn: line, error: line },
      logLevel: "debug"
    }
  )
  const failing = async (where: string, run: () => Promise<unknown>) => {
    try {
      await run()
      return undefined
    } catch (error) {
      evidence.show(where, error)
      return error
    }
  }
  return {
    call: (name, ...inputs) => failing(name, () => find(catalog, name)(...inputs) as Promise<unknown>),
    list: (name, ...inputs) =>
      failing(name, async () => {
        for await (const _ of find(catalog, name)(...inputs) as AsyncIterable<unknown>) {
          // The end is what counts.
        }
      }),
    close: () => catalog.close()
  }
}

const shown = (error: unknown): string => JSON.stringify(error)

export const nothingShows = (platform: Platform): void => {
  const { echoUrl, elsewhereUrl, every, isBrowser, isOwn, serviceUrl, transport } = platform
  const base = { ...credentials, headers }

  const came = async (): Promise<ReadonlyArray<string>> => (await fetch(`${elsewhereUrl}/came`)).json()

  afterAll(async () => {
    expect((await came()).filter((request) => !request.includes("control"))).toEqual([])
  })

  const faces = [...onlyEffect([["Effect", onEffect]] as const), ["promise", onPromise]] as const

  describe.each(faces)("on the %s face, no printing shows a credential", (faceName, face) => {
    // Each face has the rows that the other one has not.
    const sample = <A>(rows: ReadonlyArray<A>) => platform.sample?.(rows, faceName === "Effect" ? 0 : 1) ?? rows
    const operations = sample(examples)
    let met = 0
    // The Effect face prints the most, over the same interpreter.
    const stride = faceName === "Effect" ? Math.max(every, 6) : every
    const some = () => examples.filter((_, index) => index % stride === met % stride)

    /** Runs calls and looks through all that was printed of them. */
    const watched = async (
      options: Options,
      calls: (session: Session) => Promise<unknown>,
      { isThorough = false, except = "nothing" } = {}
    ) => {
      const evidence = new Evidence(platform.printers, isThorough)
      const session = face(platform, evidence, { ...base, ...options })
      await calls(session)
      await session.close()
      expect(evidence.found.filter((found) => !found.startsWith(except))).toEqual([])
      expect(evidence.printed).toBeGreaterThan(0)
      return evidence
    }

    /** The errors of the failed calls. */
    const calls = async ({ call }: Session, operations: ReadonlyArray<Example> = some()) => {
      met++
      const errors = await Promise.all(operations.map(({ name, inputs }) => call(name, ...inputs)))
      return errors.filter((error) => error !== undefined)
    }

    test.concurrent.each(sample(Object.entries(echoes)))("that the service sends back %s", async (name, { shows }) => {
      const timeout = name.includes("stall") || name === "in-nothing-at-all" ? 150 : 10_000
      await watched({ baseUrl: `${echoUrl}/${name}`, timeout }, async (session) => {
        const errors = await calls(session)
        if (shows && !(isBrowser && name.includes("redirect"))) {
          // Only some writes have no reply that could be wrong.
          expect(errors.length).toBeGreaterThan(0)
          expect(errors.filter((error) => !shown(error).includes("<redacted>"))).toEqual([])
        }
      })
    })

    test.concurrent.each(sample(Object.keys(faults)))("when the service is %s", async (name) => {
      const options = { baseUrl: serviceUrl, headers: { ...headers, ...meeting(name as keyof typeof faults) } }
      await watched({ ...options, timeout: name.startsWith("stall") ? 150 : 10_000 }, calls)
    })

    test.concurrent.each(sample(Object.entries(platform.wireUrls ?? {})))(
      "when the network does this: %s",
      async (_, baseUrl) => {
        await watched({ baseUrl, timeout: 300, maxResponseBytes: 2 ** 20 }, async ({ call }) => {
          await call("anime.get", { id: 1 })
          await call("forum.boards")
        })
      }
    )

    test("when the call succeeds", async () => {
      const all = (session: Session) => calls(session, operations)
      const { spans } = await watched({ baseUrl: serviceUrl, timeout: 10_000 }, all, { isThorough: true })
      expect(spans.filter((span) => span.startsWith("catalog.")).length).toBeGreaterThanOrEqual(operations.length)
    })

    test.each([
      ["refuses", "http://127.0.0.1:1"],
      ["speaks no TLS", echoUrl.replace("http:", "https:")]
    ])("when there is no response: the server %s", async (_, baseUrl) => {
      await watched({ baseUrl }, async (session) =>
        expect(await calls(session, operations)).toHaveLength(operations.length)
      )
    })

    const reason = () => new Error(`enough of ${token}`, { cause: new Error(clientId) })
    const cancelled = { reason: "Cancelled", cause: { message: "enough of <redacted>" } }

    test("in the reason of a cancellation, before anything is sent or in flight, and of a whole list", async () => {
      const signal = AbortSignal.abort(reason())
      await watched({ baseUrl: serviceUrl, signal }, async (session) => {
        const errors = await calls(session, operations)
        expect(errors).toHaveLength(operations.length)
        expect(errors[0]).toMatchObject(cancelled)
      })
      await watched({ baseUrl: serviceUrl }, async ({ list }) => {
        for (const name of ["anime.ranking.pages", "anime.ranking.items"]) {
          expect(await list(name, { rankingType: "all" }, { signal })).toMatchObject(cancelled)
        }
      })
      const controller = new AbortController()
      const options = { baseUrl: `${echoUrl}/in-nothing-at-all`, signal: controller.signal }
      await watched(options, async (session) => {
        const ended = calls(session, operations)
        setTimeout(() => controller.abort(reason()), 100)
        const errors = await ended
        expect(errors).toHaveLength(operations.length)
        expect(errors[0]).toMatchObject(cancelled)
      })
    })

    test("when the body is too large, or the total time too short", async () => {
      const options = { baseUrl: `${echoUrl}/in-text`, maxResponseBytes: 40 }
      await watched(options, async (session) => {
        for (const error of await calls(session)) {
          expect(error).toMatchObject({ _tag: "ClientNetworkError", reason: "ResponseTooLarge" })
        }
      })
      await watched({ baseUrl: `${echoUrl}/in-nothing-at-all`, totalTimeout: 100 }, async (session) => {
        expect(await calls(session, operations)).toHaveLength(operations.length)
      })
    })

    test("behind every policy", async () => {
      const limit = limitThatFails(new Error(`SET ${token}`), { limit: 1, interval: 1 })
      const policies = [
        made(Resilience.cache({ capacity: 10, timeToLive: "1 minute" })),
        made(Resilience.dedupe()),
        Resilience.retry({ attempts: 2, baseDelay: 1, timeouts: true }),
        made(Resilience.breaker({ failures: 3 }))
      ]
      for (const name of ["in-json", "in-nothing-but-a-reset", "in-a-body-that-stalls"]) {
        await watched({ baseUrl: `${echoUrl}/${name}`, policies, timeout: 100 }, calls)
      }
      await watched({ baseUrl: serviceUrl, policies: [limit] }, async ({ call }) => {
        expect(await call("forum.boards")).toMatchObject({
          reason: "RateLimitStore",
          cause: { message: "SET <redacted>" }
        })
      })
    })

    test("in an input", async () => {
      const given = async ({ call }: Session) => {
        const errors = await Promise.all([
          call("anime.search", { q: token }),
          call("user.animeList", { username: token }),
          call("anime.get", { id: 1 }, { fields: [clientId] }),
          call("anime.updateMyListStatus", { id: 1, comments: token })
        ])
        expect(errors).toMatchObject(errors.map(() => ({ _tag: "ClientRestError" })))
      }
      // A policy is given what the operation was given.
      await watched({ baseUrl: `${echoUrl}/in-a-url` }, given, { except: "the policy's call" })
    })

    test("in the links of a whole list", async () => {
      const lists: ReadonlyArray<readonly [string, object]> = [
        ["anime.search", { q: "x" }],
        ["manga.ranking", { rankingType: "all" }],
        ["user.animeList", { username: "x" }]
      ]
      for (const name of ["in-a-link", "in-a-link-that-leads-nowhere"]) {
        const evidence = await watched({ baseUrl: `${echoUrl}/${name}` }, async ({ list }) => {
          for (const [operation, params] of lists) {
            for (const kind of ["pages", "items"]) {
              const error = await list(`${operation}.${kind}`, params)
              expect(error).toMatchObject({ _tag: "ClientRestError" })
              expect(shown(error)).toContain("<redacted>")
            }
          }
        })
        expect(evidence.spans.join("\n").includes("<redacted>")).toBe(name === "in-a-link")
      }
    })

    test("in the link from which a list continues", async () => {
      const next = `${elsewhereUrl}/v2/anime?offset=3&token=${encodeURIComponent(token)}`
      await watched({ baseUrl: `${echoUrl}/in-a-url` }, async ({ list }) => {
        const error = await list("anime.search.pages", { q: "x" }, { after: { paging: { next } } })
        expect(shown(error)).toContain("token=<redacted>")
      })
    })

    test("when a call is not sent", async () => {
      const bad = { accessToken: `TokenCana\nTokenTail9`, clientId: `IdCanary7\u0000IdTail5` }
      await watched({ baseUrl: serviceUrl, ...bad }, async ({ call }) => {
        expect(await call("user.me")).toMatchObject({ _tag: "ClientAuthError", reason: "Unusable" })
        expect(await call("anime.search", { q: " " })).toMatchObject({ _tag: "ClientValidationError" })
      })
      await watched({ baseUrl: serviceUrl, accessToken: undefined }, async ({ call }) => {
        expect(await call("user.me")).toMatchObject({ _tag: "ClientAuthError", reason: "Missing" })
      })
    })
  })

  test("printing an object with credentials does not show them", async () => {
    const evidence = new Evidence(platform.printers)
    await using catalog = promiseCatalog(transport, base)
    expect(catalog.accessToken).toBe(token)
    evidence.show("the catalog", catalog)
    evidence.show("an operation", catalog.anime.search)
    evidence.show("a list", catalog.anime.search.pages({ q: "x" }))
    const layer = Layer.merge(Credentials.layer(credentials), CatalogConfig.layer({ headers }))
    evidence.show("the Layer", layer)
    const context = await Effect.runPromise(Effect.scoped(Layer.build(layer)))
    const service = Context.get(context, Credentials)
    evidence.show("the context", context)
    evidence.show("the credentials", service)
    evidence.show("the configuration", Context.get(context, CatalogConfig))
    const slots = await Effect.runPromise(Effect.all([service.accessToken, service.clientId]))
    evidence.show("the slots", slots)
    evidence.show("the exit of a slot", await Effect.runPromiseExit(service.accessToken))
    evidence.show("a call", Catalog.anime.get({ id: 1 }))
    evidence.show("a stream", Catalog.anime.search.pages({ q: "x" }))
    expect(evidence.found).toEqual([])
    const values = slots.map((slot) => Option.isOption(slot) && Option.map(slot, Redacted.value))
    expect(values).toEqual([Option.some(token), Option.some(clientId)])
  })

  onlyEffect(platform.testOfFibers ?? test)("printing a fiber in flight does not show them", async () => {
    const evidence = new Evidence(platform.printers)
    const live = Layer.mergeAll(
      transport.layer,
      Credentials.layer(credentials),
      CatalogConfig.layer({ baseUrl: `${echoUrl}/in-nothing-at-all`, headers })
    )
    const fiber = Fibers.runFork(Effect.provide(Catalog.anime.get({ id: 1 }), live))
    await sleep(100)
    const roots = await Effect.runPromise(Fibers.roots)
    evidence.show("the dump", await Effect.runPromise(Effect.forEach([fiber, ...roots], Fibers.inspect)))
    for (const each of [fiber, ...roots]) {
      evidence.see("the fiber", Inspectable.toStringUnknown(each))
      for (const [name, print] of Object.entries(platform.printers)) {
        // The connections of another transport are not looked into.
        evidence.see(`the fiber, ${name}`, String(!isOwn && name.includes("deep") ? "" : print(each)))
      }
    }
    await Effect.runPromise(Fibers.interrupt(fiber))
    expect(evidence.found).toEqual([])
  })

  test("no metric shows them", () => {
    const evidence = new Evidence(platform.printers)
    const snapshot = [...metrics(), ...measured()]
    expect(snapshot.length).toBeGreaterThan(5)
    evidence.show("metrics", snapshot)
    expect(evidence.found).toEqual([])
  })

  test("the search for credentials finds one that is shown", async () => {
    const deliberate: ReadonlyArray<readonly [string, unknown]> = [
      ["a text", `Bearer ${token}`],
      ["JSON", JSON.stringify({ token }).replaceAll("/", "\\/")],
      ["a URL", `/login?${encodeURIComponent(clientId)}`],
      ["base64", btoa(`authorization: Bearer ${token}`)],
      ["a beginning", `{"error":"bad ${token.slice(0, 12)}`],
      ["another header", headers["proxy-authorization"]],
      ["a key", new Map([[{ [token]: 1 }, 1]])],
      ["a cause", new Error("x", { cause: { deep: [{ token }] } })],
      ["a hidden member", Object.defineProperty(new Error("x"), "request", { value: headers })],
      [
        "a getter",
        new (class extends Error {
          get token() {
            return token
          }
        })()
      ],
      ["an exit", Exit.die(new Error(clientId))]
    ]
    for (const [where, value] of deliberate) {
      const evidence = new Evidence(platform.printers)
      evidence.show(where, value)
      expect(evidence.found, where).not.toEqual([])
    }
    expect(search("TokenCanar, IdCanar")).not.toEqual([])
    expect(search("nothing of the kind")).toEqual([])

    const evidence = new Evidence(platform.printers)
    const leaking = Effect.logError(token).pipe(withSpan("leaks", { attributes: { token } }))
    await Effect.runPromise(Effect.provide(leaking, observers(evidence)))
    const places = new Set(evidence.found.map((found) => found.split(":", 1)[0]))
    expect(places).toEqual(new Set(["console.log", "json", "logfmt", "span", "string", "structured"]))
  })

  test("the other origin records its requests", async () => {
    await fetch(`${echoUrl}/in-a-redirect-to-another-origin`, { headers: { authorization: "Bearer control" } })
    expect(await came()).toContainEqual(expect.stringContaining("control"))
  })
}
