/**
 * The catalog service as the mirror asks it: whole pages of lists, single items, within one quota for all processes.
 */
import {
  CatalogClient,
  CatalogHooks,
  CatalogPolicy,
  type CatalogResponse,
  type ClientAuthError,
  type ClientRestError,
  type ClientNetworkError,
  Credentials,
  type Policy,
  Resilience,
  withResponse
} from "@catalog-client/core"
import { Season } from "@catalog-client/core/models"
import { layer as transport } from "@catalog-client/node"
import { rateLimitStore } from "@catalog-client/node/sql"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { DatabaseFailed, isLasting } from "./DatabaseFailed.js"
import type { Kind } from "./Plan.js"
import { inBlocks } from "./Quota.js"

/** The run cannot go on: the credential was refused, or the service has not answered for too long. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { reason: Schema.String }) {}

/** A record as the service sent it. The client has checked `id` and `title`; anything else can be null or of any type. */
export interface Received {
  readonly id: number
  readonly title: string
  readonly status?: unknown
}

/** A page of a list; without `next` it is the last one. */
export interface Page {
  readonly nodes: ReadonlyArray<Received>
  readonly next: string | undefined
}

/** What came of asking for an item: its record, no such item, or no usable response. */
export type Answer =
  | { readonly _tag: "Found"; readonly body: Received }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Failed"; readonly why: string }

/** The request was not sent, since the item is no longer wanted. */
interface Unasked {
  readonly _tag: "Unasked"
}

/** What this process has sent. */
export class Traffic extends Context.Reference<Traffic>()("mirror/Traffic", {
  defaultValue: () => ({ requests: 0, retries: 0 })
}) {}

/**
 * Whether an item is still to be asked for. It is looked up when the request has its turn, since the wait for that can be long: a
 * process that was frozen meanwhile wakes up to work that another has done.
 */
export class StillWanted extends Context.Reference<StillWanted>()("mirror/StillWanted", {
  defaultValue: (): Effect.Effect<boolean, DatabaseFailed> => Effect.succeed(true)
}) {}

export interface ServiceOptions {
  readonly baseUrl: string | undefined
  readonly clientId: string | undefined
  readonly accessToken: string | undefined
  /** The time between two requests, of all processes together. */
  readonly interval: Duration.Duration
  /** How long all processes are silent after "too many requests" without a `Retry-After`. */
  readonly hold: Duration.Duration
  /** How long the service may refuse, fail or not be reached, before the run stops. */
  readonly patience: Duration.Duration
}

const inLists = [
  "alternative_titles",
  "start_date",
  "end_date",
  "synopsis",
  "mean",
  "rank",
  "popularity",
  "num_list_users",
  "num_scoring_users",
  "num_favorites",
  "nsfw",
  "genres",
  "created_at",
  "updated_at",
  "media_type",
  "status"
] as const
const animeInLists = [
  ...inLists,
  "num_episodes",
  "start_season",
  "broadcast",
  "source",
  "average_episode_duration",
  "rating",
  "studios",
  "opening_themes",
  "ending_themes",
  "videos"
] as const
const mangaInLists = [...inLists, "num_volumes", "num_chapters", "authors{first_name,last_name}"] as const
const onlyInDetails = ["pictures", "background", "related_anime", "related_manga", "recommendations"] as const
const animeFields = [...animeInLists, ...onlyInDetails, "statistics"] as const
const mangaFields = [...mangaInLists, ...onlyInDetails, "serialization{name}"] as const

/** A page after the client's checks. */
interface Checked {
  readonly data: ReadonlyArray<{ readonly node: Received }>
  readonly paging?: { readonly next?: string | null | undefined } | null | undefined
}

const empty: Checked = { data: [] }

/** A body as it came, which has the required members of the checked one. */
const received = <A>({ data, raw }: CatalogResponse<A>): A => (raw === undefined ? data : (raw as A))

type Failure = ClientAuthError | ClientRestError | ClientNetworkError

/** The service reads public data for a client identifier, so its 403 means "too many requests". */
const isThrottle = ({ retryAfter, status }: ClientRestError): boolean =>
  status === 403 || status === 429 || (status === 503 && retryAfter !== undefined)

const isRefused = (error: Failure): boolean =>
  error._tag === "ClientAuthError" ||
  (error._tag === "ClientRestError" && (error.status === 400 || error.status === 401))

/** An error's message without the query of its URL, which names all fields. */
const wordsOf = ({ message }: Failure): string => message.replace(/(https?:[^\s?]+)\?[^\s)]+/g, "$1")

/** A rate limit whose token is for nothing if the item is no longer wanted. It counts what is sent. */
const whenWanted = (limit: Policy, traffic: { requests: number }): Policy => {
  const policy: Policy = (call, attempt) =>
    limit(
      call,
      Effect.flatten(StillWanted).pipe(
        Effect.mapError((error) => call.networkError("Cancelled", error)),
        Effect.flatMap((isWanted) => {
          if (!isWanted) {
            return Effect.fail(call.networkError("Cancelled"))
          }
          traffic.requests += 1
          return attempt
        })
      )
    )
  return Object.assign(policy, { stage: "rateLimit" as const })
}

/** After so many items in a row without a usable response, another item tells whether it is the service that fails. */
const failuresInARow = 10

/** The time between two attempts while the service fails: it doubles from a second to half a minute. */
const slower = Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("30 seconds"))

/** The lists by name: `anime/bypopularity`, `manga/all`, `anime/2017/winter`. */
export const isList = (name: string): boolean => {
  const [kind, list, season, ...rest] = name.split("/")
  if (rest.length > 0 || list === undefined || list === "") {
    return false
  }
  return season === undefined
    ? kind === "anime" || kind === "manga"
    : kind === "anime" && /^\d{4}$/.test(list) && Season.words.some((known) => known === season)
}

/** The kind of a list's items. */
export const kindOf = (list: string): Kind => (list.startsWith("manga/") ? "manga" : "anime")

export class Service extends Context.Tag("mirror/Service")<
  Service,
  {
    /** One page of a list: its first, or the one that `next` of another leads to. */
    readonly page: (list: string, from: string | undefined) => Effect.Effect<Page, Stopped | DatabaseFailed>
    readonly item: (kind: Kind, id: number) => Effect.Effect<Answer | Unasked, Stopped | DatabaseFailed>
  }
>() {
  static layer(options: ServiceOptions): Layer.Layer<Service, SqlError, SqlClient> {
    return Layer.scoped(
      Service,
      Effect.gen(function* () {
        const traffic = yield* Traffic
        const quota = inBlocks(yield* rateLimitStore({ key: "mirror", timeout: "30 seconds" }))
        // The error of a call shows only words of it.
        let refused: unknown
        const store: Resilience.RateLimitStore = {
          ...quota,
          take: (bucket) => Effect.tapError(quota.take(bucket), (error) => Effect.sync(() => (refused = error)))
        }
        const limit = Resilience.rateLimit({
          limit: 1,
          interval: options.interval,
          hold: options.hold,
          maxHold: options.patience,
          isThrottle,
          store
        })
        const client = yield* Layer.build(
          CatalogClient.layer({
            baseUrl: options.baseUrl
          }).pipe(
            Layer.provide([
              CatalogPolicy.layer(
                Resilience.retry({ attempts: 4, timeouts: true, isThrottle, maxRetryAfter: options.patience }),
                whenWanted(limit, traffic)
              ),
              CatalogHooks.layer({
                onRetry: () => {
                  traffic.retries += 1
                }
              }),
              transport,
              Credentials.layer({ clientId: options.clientId, accessToken: options.accessToken })
            ])
          )
        )
        const catalog = Context.get(client, CatalogClient)

        /** The database of the quota fails in a way that waiting does not mend, or the look-up of the item has failed. */
        const databaseFailed = (error: Failure): DatabaseFailed | undefined => {
          if (error._tag !== "ClientNetworkError") {
            return undefined
          }
          return error.cause instanceof DatabaseFailed
            ? error.cause
            : error.reason === "RateLimitStore" && isLasting(refused)
              ? new DatabaseFailed({ cause: refused })
              : undefined
        }

        /** Nothing is known of the item, since the service did not take the question. */
        const isBlocked = (error: Failure): boolean =>
          error._tag === "ClientRestError"
            ? isThrottle(error)
            : error._tag === "ClientNetworkError" &&
              error.reason !== "Timeout" &&
              error.reason !== "Cancelled" &&
              databaseFailed(error) === undefined

        /** The service has an outage, if it says so of something that it has. */
        const isOutage = (error: Failure): boolean =>
          databaseFailed(error) === undefined &&
          !isRefused(error) &&
          !(error._tag === "ClientRestError" && error.status === 404) &&
          !(error._tag === "ClientNetworkError" && error.reason === "Cancelled")

        // A schedule costs more than all else that a call does here, so it begins with the first failure.
        const patient = <A, E extends Failure>(ask: Effect.Effect<A, E>, isPassing: (error: Failure) => boolean) =>
          Effect.catchIf(ask, isPassing, () =>
            Effect.retry(Effect.delay(ask, "1 second"), {
              schedule: slower.pipe(Schedule.upTo(options.patience)),
              while: isPassing
            })
          )
        const stop = (error: Failure) => databaseFailed(error) ?? new Stopped({ reason: wordsOf(error) })

        const pagesOf = (list: string, from: string | undefined): Stream.Stream<Checked, Failure> => {
          const [, name = "", season] = list.split("/")
          const whole = { nsfw: true, after: from === undefined ? undefined : { paging: { next: from } } }
          if (kindOf(list) === "manga") {
            return catalog.manga.ranking.pages({ rankingType: name }, { ...whole, fields: mangaInLists })
          }
          return season === undefined
            ? catalog.anime.ranking.pages({ rankingType: name }, { ...whole, fields: animeInLists })
            : catalog.anime.seasonal.pages({ year: Number(name), season }, { ...whole, fields: animeInLists })
        }
        const pageOf = (reply: CatalogResponse<Checked>): Page => ({
          nodes: received(reply).data.map(({ node }) => node),
          next: reply.data.paging?.next ?? undefined
        })

        const details = (kind: Kind, id: number) =>
          withResponse<Received, Failure, never>(
            kind === "anime"
              ? catalog.anime.get({ id }, { fields: animeFields })
              : catalog.manga.get({ id }, { fields: mangaFields })
          )

        /** Reads one of the best known items, each time another one. It fails if the service does. */
        const probe = (kind: Kind) =>
          Effect.gen(function* () {
            const top = { rankingType: "bypopularity", limit: 100 }
            const page: Checked =
              kind === "anime"
                ? yield* catalog.anime.ranking(top, { fields: [] })
                : yield* catalog.manga.ranking(top, { fields: [] })
            const ids = page.data.map(({ node }) => node.id)
            const id = ids[yield* Random.nextIntBetween(0, Math.max(1, ids.length))]
            if (id !== undefined) {
              yield* details(kind, id)
            }
          })

        let failed = 0
        const probing = yield* Effect.makeSemaphore(1)
        /** Waits until the service has no outage. True if it had one. */
        const outage = (kind: Kind) =>
          Effect.suspend(() => {
            if (failed < failuresInARow) {
              return Effect.succeed(true)
            }
            let had = false
            const noted = Effect.tapError(probe(kind), () => Effect.sync(() => void (had = true)))
            return Effect.map(patient(noted, isOutage), () => {
              failed = 0
              return had
            })
          }).pipe(probing.withPermits(1), Effect.mapError(stop))

        const ask = (kind: Kind, id: number): Effect.Effect<Answer | Unasked, Stopped | DatabaseFailed> =>
          patient(details(kind, id), isBlocked).pipe(
            Effect.matchEffect({
              onFailure: (error) => {
                if (databaseFailed(error) !== undefined || isBlocked(error) || isRefused(error)) {
                  return Effect.fail(stop(error))
                }
                if (error._tag === "ClientNetworkError" && error.reason === "Cancelled") {
                  return Effect.succeed<Unasked>({ _tag: "Unasked" })
                }
                if (error._tag === "ClientRestError" && error.status === 404) {
                  failed = 0
                  return Effect.succeed<Answer>({ _tag: "Missing" })
                }
                return failure(kind, id, wordsOf(error))
              },
              onSuccess: (reply) => {
                const body = received(reply)
                if (body.id !== id) {
                  return failure(kind, id, `the response is about item ${body.id}`)
                }
                failed = 0
                return Effect.succeed<Answer>({ _tag: "Found", body })
              }
            })
          )
        const failure = (kind: Kind, id: number, why: string): ReturnType<typeof ask> => {
          failed += 1
          const answer: Answer = { _tag: "Failed", why }
          return failed < failuresInARow
            ? Effect.succeed(answer)
            : Effect.flatMap(outage(kind), (had) => (had ? ask(kind, id) : Effect.succeed(answer)))
        }

        return {
          page: (list, from) =>
            patient(
              withResponse(
                Effect.map(
                  Stream.runHead(pagesOf(list, from)),
                  Option.getOrElse(() => empty)
                )
              ),
              isOutage
            ).pipe(Effect.map(pageOf), Effect.mapError(stop)),
          item: ask
        }
      })
    )
  }
}
