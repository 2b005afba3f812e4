/**
 * What the client does, wherever it runs: plain functions that need the packages and the URLs of the services, so that any
 * engine can run them from the packed packages. They are written for catalog-client; `effects.ts` runs those that need only the
 * operations over the packages for Effect, too.
 */
import {
  type Catalog,
  type CatalogOptions,
  ClientAuthError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError,
  isNotFound,
  Resilience
} from "catalog-client"

/** The operations, and what ends their catalog. */
export type Operations = Pick<Catalog, "anime" | "close" | "forum" | "manga" | "user">

/** The package under test. */
export interface Platform {
  readonly createCatalog: (options?: CatalogOptions) => Operations
}

export interface Services {
  /** The embedded service, which meets requests with the fault that their header names. */
  readonly url: string
  /** A server of scripted connections: its path names the script. */
  readonly wire: string
}

export interface Result {
  readonly name: string
  /** What is wrong; none if the behaviour is as it should be. */
  readonly failure?: string
}

export type Behaviours = Readonly<Record<string, () => Promise<void>>>

const show = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)))

export const equal = (actual: unknown, expected: unknown): void => {
  if (show(actual) !== show(expected)) {
    throw new Error(`${show(actual)}, and it should be ${show(expected)}`)
  }
}

export const ok = (isIt: boolean, what: string): void => {
  if (!isIt) {
    throw new Error(what)
  }
}

/** Rejects instead of waiting for ever. */
const within = <A>(millis: number, promise: PromiseLike<A>): Promise<A> => {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came of it in ${millis} ms`)), millis)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** What a promise is rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`it was not rejected, but gave ${show(value)}`)
    },
    (error: unknown) => error
  )

type Kind<E> = abstract new (...inputs: never) => E

/** The error of a class that a promise is rejected with, some members of which are given. */
export const fails = async <E extends Error>(
  promise: Promise<unknown>,
  kind: Kind<E>,
  members: Partial<Record<keyof E, unknown>>
): Promise<E> => {
  const error = await rejection(promise)
  ok(error instanceof kind, `it should be a ${kind.name}, and it is ${String(error)}`)
  const found = error as E
  for (const key of Object.keys(members) as Array<keyof E>) {
    equal({ [key]: found[key], of: String(found) }, { [key]: members[key], of: String(found) })
  }
  return found
}

export const token = "embedded-token"
export const one = { id: 30230 }
export const title = "Diamond no Ace: Second Season"

/** What makes a request to the embedded service meet a fault. */
export const meeting = (fault: string) => ({ headers: { "x-fault": fault } })

const signs = (text: string): boolean => text.includes(token)

/** Two pages of a list, and then no more: each needs the one before. */
export const topRanked = { rankingType: "all", limit: 3 } as const

const suite = (platform: Platform, { url, wire }: Services) => {
  const open = (options: CatalogOptions = {}): Operations =>
    platform.createCatalog({ baseUrl: url, accessToken: token, timeout: 20_000, ...options })

  /** A catalog that is closed when its user is done. */
  const using =
    (use: (catalog: Operations) => Promise<void>, options: CatalogOptions = {}) =>
    async (): Promise<void> => {
      const catalog = open(options)
      try {
        await use(catalog)
      } finally {
        await catalog.close()
      }
    }

  const at = (script: string, origin = wire) => ({ baseUrl: `${origin}/${script}` })

  const gives = (script: string, expected: string, origin = wire) =>
    using(async ({ anime }) => equal((await anime.get({ id: 1 })).title, expected), at(script, origin))

  const isStatus = (
    fault: string,
    status: number,
    members: { readonly code?: string; readonly retryAfter?: number } = {}
  ) =>
    using(async ({ anime }) => {
      await fails(anime.get(one, meeting(fault)), ClientRestError, { reason: "Status", status, ...members })
    })

  const isInvalid = (fault: string) =>
    using(async ({ anime }) => {
      await fails(anime.get(one, meeting(fault)), ClientRestError, { reason: "InvalidBody", status: 200 })
    })

  const isLost = (script: string, origin = wire) =>
    using(
      async ({ anime }) => {
        await fails(anime.get({ id: 1 }), ClientNetworkError, { reason: "Transport", attempts: 1 })
      },
      at(script, origin)
    )

  /** The scripted connections, as a page of the same origin sees them. */
  const near = typeof document === "undefined" ? wire : `${location.origin}/wire`

  const isStopped = (script: string) => async (): Promise<void> => {
    for (const origin of [wire, near]) {
      await using(
        async ({ anime }) => {
          const call = anime.get({ id: 1 }, { maxResponseBytes: 100_000, timeout: 10_000 })
          const { reason } = await fails(call, ClientNetworkError, {})
          // An engine can refuse the response itself.
          ok(reason !== "Timeout", `${reason} at ${origin}`)
        },
        at(script, origin)
      )()
    }
  }

  return {
    "every read gives its reply": using(async ({ anime, forum, manga, user }) => {
      equal((await anime.get(one, { fields: ["mean"] })).title, title)
      equal((await anime.search({ q: "diamond no ace", limit: 1 })).data.length, 1)
      equal((await anime.seasonal({ year: 2017, season: "winter", limit: 1 })).season, { year: 2017, season: "winter" })
      equal((await anime.ranking({ rankingType: "movie", limit: 1 })).data[0]?.ranking.rank, 1)
      equal((await anime.suggestions({ limit: 1 })).data.length, 1)
      equal((await manga.get({ id: 2 }, { fields: "authors{last_name}" })).id, 2)
      equal((await manga.search({ q: "vagabond" })).data.length > 0, true)
      equal((await manga.ranking({ rankingType: "manga", limit: 1 })).data.length, 1)
      equal((await user.me()).name, "sample_reader")
      equal((await user.get({ username: "@me" })).name, "sample_reader")
      equal((await user.animeList({ username: "@me", limit: 1 })).data.length, 1)
      equal((await user.mangaList({ username: "@me", limit: 1 })).data.length, 1)
      ok((await forum.boards()).categories.length > 0, "there are no boards")
      equal((await forum.topics({ limit: 1, sort: "recent" })).data.length, 1)
      ok((await forum.topic({ id: 2_000_029, limit: 1 })).data.title !== "", "the topic has no title")
    }),

    "a write is there and then it is not": using(async ({ anime, manga }) => {
      const comments = "50 % & more = ünï"
      const entry = await anime.updateMyListStatus({
        id: 1,
        num_watched_episodes: 2,
        tags: ["ä/ö", "two words"],
        comments
      })
      equal([entry.num_episodes_watched, entry.tags, entry.comments], [2, ["ä/ö", "two words"], comments])
      equal(await anime.deleteFromList({ id: 1 }), undefined)
      equal(await anime.deleteFromList({ id: 1 }), undefined)
      ok(isNotFound(await rejection(anime.deleteFromList({ id: 999_999_999 }))), "there is such an anime")
      equal((await manga.updateMyListStatus({ id: 1, num_chapters_read: 3 })).num_chapters_read, 3)
      equal(await manga.deleteFromList({ id: 1 }), undefined)
    }),

    "words of other scripts arrive": using(async ({ anime }) => {
      const page = await anime.search({ q: "ダイヤのA 50 % & ünï" })
      equal(page.data, [])
    }),

    "a whole list is walked with for await, and left": using(async ({ anime }) => {
      const ranks: Array<number> = []
      for await (const { ranking } of anime.ranking.items(topRanked)) {
        ranks.push(ranking.rank)
        if (ranks.length === 7) {
          break
        }
      }
      equal(ranks, [1, 2, 3, 4, 5, 6, 7])
    }),

    "a whole list is collected": using(async ({ anime }) => {
      equal((await anime.ranking.collect(topRanked, { max: 8 })).length, 8)
    }),

    "what needs a token is not sent without one": using(
      async ({ user }) => {
        await fails(user.me(), ClientAuthError, { operation: "catalog.user.me" })
      },
      { accessToken: undefined }
    ),

    "an input that breaks a rule is not sent": using(async ({ anime }) => {
      await fails(anime.updateMyListStatus({ id: 1 }), ClientValidationError, {})
    }),

    "401 says that the token is invalid": isStatus("expired-token", 401, { code: "invalid_token" }),
    "403 with a page of HTML is told with its body": isStatus("forbidden-html", 403),
    "404 is not found": isStatus("not-found", 404, { code: "not_found" }),
    "429 says when to come back": isStatus("throttled", 429, { retryAfter: 7_000 }),
    "500 is a failing service": isStatus("failing", 500),

    "a redirect is not followed": using(async ({ anime }) => {
      for (const fault of ["redirect-302", "redirect-307"]) {
        const { status } = await fails(anime.get(one, meeting(fault)), ClientRestError, { reason: "Status" })
        // A page does not see more.
        ok(status === 0 || status === Number(fault.slice(-3)), `the status is ${status}`)
      }
    }),

    "a success without a body is an invalid body": isInvalid("empty"),
    "a success with HTML is an invalid body": isInvalid("html-as-success"),
    "a success with half of its JSON is an invalid body": isInvalid("truncated"),

    "a connection that drops before the headers is a network error": using(async ({ anime }) => {
      await fails(anime.get(one, meeting("drop-before-headers")), ClientNetworkError, { reason: "Transport" })
    }),
    "a connection that drops in the body is a network error": using(async ({ anime }) => {
      await fails(anime.get(one, meeting("drop-in-body")), ClientNetworkError, { reason: "Transport" })
    }),
    "a body shorter than its content-length is a network error": isLost("short"),
    "a body shorter than its content-length, of the same origin": isLost("short", near),
    "a chunked body that is cut off is a network error": isLost("cut"),
    "what is not HTTP is a network error": isLost("garbage"),
    "a port that does not listen is a network error": using(
      async ({ anime }) => {
        const error = await fails(anime.get(one), ClientNetworkError, { reason: "Transport" })
        const isPage = typeof document !== "undefined"
        equal(error.message.includes("CORS"), isPage)
      },
      { baseUrl: "http://127.0.0.1:9/v2" }
    ),

    "a body that is too large is refused": using(async ({ anime }) => {
      await fails(anime.get(one, { maxResponseBytes: 20 }), ClientNetworkError, { reason: "ResponseTooLarge" })
    }),

    "a body without an end is refused": isStopped("endless"),
    "a body without an end that declares a length is refused": isStopped("endless-declared"),
    "a large body that is compressed to a few bytes is refused": isStopped("bomb"),
    "a body that is longer than its content-length is read to that": gives("longer", "longer"),
    "a body that is longer than its content-length, of the same origin": gives("longer", "longer", near),

    "gzip is decoded": gives("gzip", "gzip"),
    "br is decoded": gives("br", "br"),
    "deflate with zlib's header is decoded": gives("deflate", "deflate"),
    "deflate without a header is decoded": gives("deflate-raw", "deflate-raw"),
    "a letter that is split between two parts of a body is read": gives("split", "ünï – ダイヤ"),
    "early hints are not the response": gives("hints", "hinted"),

    "a timeout ends what sends no headers": using(async ({ anime }) => {
      await fails(anime.get(one, { ...meeting("stall-before-headers"), timeout: 200 }), ClientNetworkError, {
        reason: "Timeout",
        timeoutMs: 200
      })
    }),
    "a timeout ends a body that stalls": using(async ({ anime }) => {
      await fails(anime.get(one, { ...meeting("stall-in-body"), timeout: 200 }), ClientNetworkError, {
        reason: "Timeout",
        timeoutMs: 200
      })
    }),
    "a total timeout ends a call with its retries": using(
      async ({ anime }) => {
        const options = { ...meeting("overloaded"), totalTimeout: 400 }
        await fails(anime.get(one, options), ClientNetworkError, { timeoutMs: 400 })
      },
      { policies: [Resilience.retry({ attempts: 50, baseDelay: "50 millis", maxDelay: "50 millis" })] }
    ),
    "timeout 0 waits for a slow response": using(async ({ anime }) => {
      equal((await anime.get(one, { ...meeting("slow"), timeout: 0 })).title, title)
    }),

    "a signal cancels before the request, before the headers and in the body": using(async ({ anime }) => {
      const gone = { reason: "Cancelled" } as const
      await fails(anime.get(one, { signal: AbortSignal.abort() }), ClientNetworkError, gone)
      for (const fault of ["stall-before-headers", "stall-in-body"]) {
        const controller = new AbortController()
        setTimeout(() => controller.abort(new Error("enough")), 100)
        const error = await fails(
          anime.get(one, { ...meeting(fault), signal: controller.signal }),
          ClientNetworkError,
          gone
        )
        equal(error.cause?.message, "enough")
      }
    }),

    "64 calls at a time give 64 replies": using(async ({ anime }) => {
      const replies = await Promise.all(Array.from({ length: 64 }, () => anime.get(one)))
      equal(new Set(replies.map((reply) => reply.title)).size, 1)
    }),
    "64 calls at a time can all be cancelled, and another one goes through": using(async ({ anime }) => {
      const controller = new AbortController()
      const stalled = { ...meeting("stall-before-headers"), signal: controller.signal }
      const calls = Array.from({ length: 64 }, () => rejection(anime.get(one, stalled)))
      setTimeout(() => controller.abort(), 50)
      const errors = await Promise.all(calls)
      ok(
        errors.every((error) => error instanceof ClientNetworkError && error.reason === "Cancelled"),
        String(errors[0])
      )
      equal((await anime.get(one)).title, title)
    }),

    "no error shows the token": using(async ({ anime }) => {
      for (const fault of ["expired-token", "drop-before-headers", "html-as-success"]) {
        const error = (await rejection(anime.get(one, meeting(fault)))) as Error
        const shown = [String(error), show(error), error.stack ?? "", JSON.stringify(Object.values(error))].join()
        ok(!signs(shown), `it shows it: ${shown}`)
        ok(error.message.includes("catalog.anime.get"), error.message)
      }
    }),

    "a read is tried again after a connection that dropped": using(
      async ({ anime }) => {
        const headers = { "x-fault": "drop-before-headers", "x-times": `1 of ${Math.random()}` }
        equal((await anime.get(one, { headers })).title, title)
      },
      { policies: [Resilience.retry({ baseDelay: "10 millis" })] }
    ),
    "a rate limit spaces calls": using(
      async ({ anime }) => {
        const started = Date.now()
        await Promise.all(Array.from({ length: 4 }, () => anime.get(one)))
        // Timers of some engines are coarse.
        ok(Date.now() - started >= 280, `four calls took ${Date.now() - started} ms`)
      },
      { policies: [Resilience.rateLimit({ limit: 1, interval: "100 millis" })] }
    )
  } satisfies Record<string, () => Promise<void>>
}

/** The names of all behaviours. */
export const behaviours: ReadonlyArray<string> = Object.keys(
  suite({ createCatalog: () => undefined as never }, { url: "", wire: "" })
)

/** Runs all of them and some others, one after the other. */
export const runSuite = async (
  platform: Platform,
  services: Services,
  others: Behaviours = {}
): Promise<ReadonlyArray<Result>> => {
  const results: Array<Result> = []
  for (const [name, run] of Object.entries({ ...suite(platform, services), ...others })) {
    try {
      await within(30_000, run())
      results.push({ name })
    } catch (error) {
      results.push({ name, failure: String(error) })
    }
  }
  return results
}
