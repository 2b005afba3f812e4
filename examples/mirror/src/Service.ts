/**
 * The catalog service as the mirror asks it: whole pages of lists, single items, within one quota for all processes.
 */
import {
  CatalogClient,
  type CatalogResponse,
  type ClientAuthError,
  type ClientRestError,
  type ClientNetworkError,
  Credentials,
  type Policy,
  Resilience,
  seasons,
  withResponse
} from "@catalog-client/core"
import { layer as transport } from "@catalog-client/node"
import { rateLimitStore } from "@catalog-client/node/sql"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Kind } from "./Plan.js"

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

/** What this process has sent. */
export class Traffic extends Context.Reference<Traffic>()("mirror/Traffic", {
  defaultValue: () => ({ requests: 0, retries: 0 })
}) {}

/**
 * Whether an item is still to be asked for. It is looked up when the request has its turn, since the wait for that can be long: a
 * process that was frozen meanwhile wakes up to work that another has done.
 */
export class StillWanted extends Context.Reference<StillWanted>()("mirror/StillWanted", {
  defaultValue: (): Effect.Effect<boolean> => Effect.succeed(true)
}) {}

export interface ServiceOptions {
  readonly baseUrl: string | undefined
  readonly clientId: string | undefined
  readonly accessToken: string | undefined
  /** The time between two requests, of all processes together. */
  readonly interval: Duration.Duration
  /** How long all processes are silent after "too many requests" without a `Retry-After`. */
  readonly hold: Duration.Duration
  /** How long the service may refuse, or not be reached, before the run stops. */
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
const isThrottle = (error: ClientRestError): boolean => error.status === 403 || Resilience.isThrottle(error)

/** Nothing is known of the item, since the service did not take the question. */
const isBlocked = (error: Failure): boolean =>
  error._tag === "ClientRestError"
    ? isThrottle(error)
    : error._tag === "ClientNetworkError" && error.reason !== "Timeout" && error.reason !== "Cancelled"

const isRefused = (error: Failure): boolean =>
  error._tag === "ClientAuthError" ||
  (error._tag === "ClientRestError" && (error.status === 400 || error.status === 401))

/** A rate limit whose token is for nothing if the item is no longer wanted. */
const whenWanted = (limit: Policy): Policy => {
  const policy: Policy = (call, attempt) =>
    limit(
      call,
      Effect.flatMap(Effect.flatten(StillWanted), (isWanted) =>
        isWanted ? attempt : Effect.fail(call.networkError("Cancelled"))
      )
    )
  return Object.assign(policy, { stage: "rateLimit" as const })
}

/** After so many items in a row without a usable response it is the service that fails, not the items. */
const failuresInARow = 10

/** The lists by name: `anime/bypopularity`, `manga/all`, `anime/2017/winter`. */
export const isList = (name: string): boolean => {
  const [kind, list, season, ...rest] = name.split("/")
  if (rest.length > 0 || list === undefined || list === "") {
    return false
  }
  return season === undefined
    ? kind === "anime" || kind === "manga"
    : kind === "anime" && /^\d{4}$/.test(list) && seasons.some((known) => known === season)
}

/** The kind of a list's items. */
export const kindOf = (list: string): Kind => (list.startsWith("manga/") ? "manga" : "anime")

export class Service extends Context.Tag("mirror/Service")<
  Service,
  {
    /** One page of a list: its first, or the one that `next` of another leads to. */
    readonly page: (list: string, from: string | undefined) => Effect.Effect<Page, Stopped>
    readonly item: (kind: Kind, id: number) => Effect.Effect<Answer, Stopped>
  }
>() {
  static layer(options: ServiceOptions): Layer.Layer<Service, SqlError, SqlClient> {
    return Layer.scoped(
      Service,
      Effect.gen(function* () {
        const traffic = yield* Traffic
        const store = yield* rateLimitStore({ key: "mirror", timeout: "30 seconds" })
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
            baseUrl: options.baseUrl,
            policies: [
              Resilience.retry({ attempts: 4, timeouts: true, isThrottle, maxRetryAfter: options.patience }),
              whenWanted(limit)
            ],
            hooks: {
              onRequest: () => {
                traffic.requests += 1
              },
              onRetry: () => {
                traffic.retries += 1
              }
            }
          }).pipe(
            Layer.provide([
              transport,
              Credentials.layer({ clientId: options.clientId, accessToken: options.accessToken })
            ])
          )
        )
        const catalog = Context.get(client, CatalogClient)

        const patience = Schedule.spaced("1 second").pipe(Schedule.upTo(options.patience))
        const patient = <A, E extends Failure>(ask: Effect.Effect<A, E>) =>
          Effect.retry(ask, { schedule: patience, while: isBlocked })
        const stop = (error: Failure) => new Stopped({ reason: error.message })

        const pagesOf = (list: string, from: string | undefined): Stream.Stream<Checked, Failure> => {
          const [, name = "", season] = list.split("/")
          const whole = { nsfw: true, from }
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

        let failed = 0
        const answerOf = (error: Failure): Effect.Effect<Answer, Stopped> => {
          if (isBlocked(error) || isRefused(error)) {
            return Effect.fail(stop(error))
          }
          if (error._tag === "ClientNetworkError" && error.reason === "Cancelled") {
            return Effect.succeed({ _tag: "Failed", why: "another process has asked" })
          }
          if (error._tag === "ClientRestError" && error.status === 404) {
            failed = 0
            return Effect.succeed({ _tag: "Missing" })
          }
          failed += 1
          return failed < failuresInARow
            ? Effect.succeed({ _tag: "Failed", why: error.message })
            : Effect.fail(new Stopped({ reason: `${failed} items in a row failed, the last with: ${error.message}` }))
        }

        return {
          page: (list, from) =>
            patient(
              withResponse(
                Effect.map(
                  Stream.runHead(pagesOf(list, from)),
                  Option.getOrElse(() => empty)
                )
              )
            ).pipe(Effect.map(pageOf), Effect.mapError(stop)),
          item: (kind, id) =>
            patient(
              withResponse<Received, Failure, never>(
                kind === "anime"
                  ? catalog.anime.get({ id }, { fields: animeFields })
                  : catalog.manga.get({ id }, { fields: mangaFields })
              )
            ).pipe(
              Effect.map((reply): Answer => {
                failed = 0
                return { _tag: "Found", body: received(reply) }
              }),
              Effect.catchAll(answerOf)
            )
        }
      })
    )
  }
}
