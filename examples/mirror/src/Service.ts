/**
 * The catalog service as the mirror asks it: whole pages of lists, single items, within one quota for all processes.
 */
import {
  CatalogClient,
  CatalogHooks,
  CatalogPolicy,
  type ClientAuthError,
  type ClientNetworkError,
  type ClientRestError,
  Credentials,
  Fields,
  Operation,
  Resilience
} from "@catalog-client/core"
import { Season } from "@catalog-client/core/schemas"
import { layer as transport } from "@catalog-client/node"
import * as SqlStore from "@catalog-client/node/sql"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
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
export class Stopped extends Data.TaggedError("Stopped")<{ readonly message: string }> {}

/** A record as the service sent it: members can be missing, null, unknown or of any type. */
export interface Received {
  readonly [member: string]: unknown
}

/** The record of an item, as it is asked for: the one in a list can be anything. */
export type Body = Received & { readonly id: number; readonly title: string }

/** A page of a list; without `next` it is the last one. */
export interface Page {
  readonly nodes: ReadonlyArray<Received>
  readonly next: string | undefined
}

/** What came of asking for an item: its record, no such item, or no usable response. */
export type Answer =
  | { readonly _tag: "Found"; readonly body: Body }
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
  defaultValue: (): Effect.Effect<boolean, DatabaseFailed> => Effect.succeed(true)
}) {}

export interface ServiceOptions {
  readonly baseUrl: string | undefined
  /** The time between two requests, of all processes together. */
  readonly interval: Duration.Duration
  /** How long all processes are silent after "too many requests" without a `Retry-After`. */
  readonly hold: Duration.Duration
  /** How long the service may refuse, fail or not be reached, before the run stops. */
  readonly patience: Duration.Duration
}

const isObject = (value: unknown): value is Received => typeof value === "object" && value !== null

const Body = Schema.declare(
  (value): value is Body => isObject(value) && typeof value["id"] === "number" && typeof value["title"] === "string"
)

const inputs = { fields: Schema.String, nsfw: Schema.Literal(true) }
const ListPage = Operation.pageSchema(Schema.Unknown)
const empty: typeof ListPage.Type = { data: [] }
const list = { method: "GET", limit: { maximum: 500 }, reply: ListPage } as const

// The client's own operations leave out what their models do not allow. These have records as they came.
const operations = {
  item: Operation.make({
    name: "mirror.item",
    method: "GET",
    path: "/{kind}/{id}",
    inputs: { kind: Schema.String, id: Schema.Number, fields: Schema.String },
    reply: Body
  }),
  ranking: Operation.paged({
    ...list,
    name: "mirror.ranking",
    path: "/{kind}/ranking",
    inputs: { ...inputs, kind: Schema.String, ranking_type: Schema.String }
  }),
  season: Operation.paged({
    ...list,
    name: "mirror.season",
    path: "/anime/season/{year}/{season}",
    inputs: { ...inputs, year: Schema.String, season: Schema.String }
  })
}

const onlyInDetails = /^(pictures|background|related_anime|related_manga|recommendations|statistics|serialization)$/

/** All that a record has, but for the entry of a user. */
const fieldsOf = (kind: Kind) => Fields.all[kind].filter((field) => !field.startsWith("my_list_status"))
const inItems = { anime: fieldsOf("anime").join(), manga: fieldsOf("manga").join() }
const inListOf = (kind: Kind) =>
  fieldsOf(kind)
    .filter((field) => !onlyInDetails.test(field))
    .join()
const inLists = { anime: inListOf("anime"), manga: inListOf("manga") }

type Failure = ClientAuthError | ClientRestError | ClientNetworkError

/** The service reads public data for a client ID, so its 403 means "too many requests". */
const isThrottle = ({ retryAfter, status }: ClientRestError): boolean =>
  status === 403 || status === 429 || (status === 503 && retryAfter !== undefined)

/** An error's message without the query of its URL, which names all fields. */
const wordsOf = ({ message }: Failure): string => message.replace(/(https?:[^\s?]+)\?[^\s)]+/g, "$1")

/** A rate limit whose token is for nothing if the item is no longer wanted. It counts what is sent. */
const whenWanted = (limit: CatalogPolicy.Policy, traffic: { requests: number }) =>
  CatalogPolicy.make(
    (call, attempt) =>
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
      ),
    { stage: "rateLimit" }
  )

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

const make = (options: ServiceOptions) =>
  Effect.gen(function* () {
    const traffic = yield* Traffic
    const quota = inBlocks(
      yield* Effect.provide(Resilience.RateLimitStore, SqlStore.layer({ key: "mirror", timeout: "30 seconds" }))
    )
    // The error of a call shows only words of it.
    let refused: unknown
    const store: Resilience.RateLimitStore.Service = {
      ...quota,
      take: (bucket) => Effect.tapError(quota.take(bucket), ({ cause }) => Effect.sync(() => (refused = cause)))
    }
    const variables = ["CATALOG_CLIENT_ID", "CATALOG_ACCESS_TOKEN"]
    const credentials = yield* Effect.forEach(variables, (name) => Config.withDefault(Config.string(name), ""))
    const secrets = credentials.filter(({ length }) => length >= 8)
    /** A reply without the credentials that it repeats. The client's own redaction costs more than the call. */
    const redact = <A>(reply: A): A => {
      const text = JSON.stringify(reply)
      const hide = (_: string, value: unknown) =>
        typeof value === "string"
          ? secrets.reduce((shown, secret) => shown.replaceAll(secret, "<redacted>"), value)
          : value
      return secrets.some((secret) => text.includes(secret)) ? (JSON.parse(text, hide) as A) : reply
    }
    const { baseUrl, hold, interval, patience } = options
    const limit = yield* Resilience.sharedRateLimit({ limit: 1, interval, hold, maxHold: patience, isThrottle }).pipe(
      Effect.provideService(Resilience.RateLimitStore, store)
    )
    const client = yield* Layer.build(
      CatalogClient.layer({ baseUrl }).pipe(
        Layer.provide([
          CatalogPolicy.layer(
            Resilience.retry({ attempts: 4, timeouts: true, isThrottle, maxRetryAfter: patience }),
            whenWanted(limit, traffic)
          ),
          CatalogHooks.layer({ onRetry: () => void (traffic.retries += 1) }),
          transport,
          Credentials.layerConfig()
        ])
      )
    )
    const { call } = Context.get(client, CatalogClient)

    /** What an error means: of the database, of the credential, of the item, or of the service. */
    const troubleOf = (error: Failure): DatabaseFailed | "refused" | "missing" | "unasked" | "blocked" | "failed" => {
      switch (error._tag) {
        case "ClientAuthError":
          return "refused"
        case "ClientRestError":
          return isThrottle(error)
            ? "blocked"
            : error.status === 404
              ? "missing"
              : error.status === 400 || error.status === 401
                ? "refused"
                : "failed"
        case "ClientNetworkError":
          // The look-up of the item has failed, or the quota's database in a way that waiting does not mend.
          return error.cause instanceof DatabaseFailed
            ? error.cause
            : error.reason === "RateLimitStore" && isLasting(refused)
              ? new DatabaseFailed({ cause: refused })
              : error.reason === "Cancelled"
                ? "unasked"
                : error.reason === "Timeout"
                  ? "failed"
                  : "blocked"
      }
    }
    /** Nothing is known of the item, since the service did not take the question. */
    const isBlocked = (error: Failure): boolean => troubleOf(error) === "blocked"
    /** The service has an outage, if it says so of something that it has. */
    const isOutage = (error: Failure): boolean => isBlocked(error) || troubleOf(error) === "failed"
    const stop = (error: Failure) => {
      const trouble = troubleOf(error)
      return trouble instanceof DatabaseFailed ? trouble : new Stopped({ message: wordsOf(error) })
    }

    // A schedule costs more than all else that a call does here, so it begins with the first failure.
    const patient = <A, E extends Failure>(ask: Effect.Effect<A, E>, isPassing: (error: Failure) => boolean) =>
      Effect.catchIf(ask, isPassing, () =>
        Effect.retry(Effect.delay(ask, "1 second"), {
          schedule: slower.pipe(Schedule.upTo(patience)),
          while: isPassing
        })
      )

    const pagesOf = (list: string, from: string | undefined) => {
      const kind = kindOf(list)
      const [, name = "", season] = list.split("/")
      const common = { fields: inLists[kind], nsfw: true } as const
      const after = { after: from === undefined ? undefined : { paging: { next: from } } }
      return season === undefined
        ? call.pages(operations.ranking, { ...common, kind, ranking_type: name }, after)
        : call.pages(operations.season, { ...common, year: name, season }, after)
    }
    const pageOf = ({ data, paging }: typeof ListPage.Type): Page => ({
      nodes: data.map((entry) => (isObject(entry) && isObject(entry["node"]) ? entry["node"] : {})),
      next: paging?.next
    })
    const details = (kind: Kind, id: number) => call(operations.item, { kind, id, fields: inItems[kind] })

    /** Reads one of the best known items, each time another one. It fails if the service does. */
    const probe = (kind: Kind) =>
      Effect.gen(function* () {
        const top = { kind, ranking_type: "bypopularity", limit: 100, fields: "", nsfw: true } as const
        const { nodes } = pageOf(yield* call(operations.ranking, top))
        const { id } = nodes[yield* Random.nextIntBetween(0, Math.max(1, nodes.length))] ?? {}
        if (typeof id === "number") {
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

    const ask = (kind: Kind, id: number): Effect.Effect<Answer | undefined, Stopped | DatabaseFailed> =>
      Effect.matchEffect(patient(details(kind, id), isBlocked), {
        onFailure: (error) => {
          switch (troubleOf(error)) {
            case "unasked":
              return Effect.succeed(undefined)
            case "missing":
              failed = 0
              return Effect.succeed<Answer>({ _tag: "Missing" })
            case "failed":
              return failure(kind, id, wordsOf(error))
            default:
              return Effect.fail(stop(error))
          }
        },
        onSuccess: (reply) => {
          const body = redact(reply)
          if (body.id !== id) {
            return failure(kind, id, `the response is about item ${body.id}`)
          }
          failed = 0
          return Effect.succeed<Answer>({ _tag: "Found", body })
        }
      })
    const failure = (kind: Kind, id: number, why: string): ReturnType<typeof ask> => {
      failed += 1
      const answer: Answer = { _tag: "Failed", why }
      return failed < failuresInARow
        ? Effect.succeed(answer)
        : Effect.flatMap(outage(kind), (had) => (had ? ask(kind, id) : Effect.succeed(answer)))
    }

    return {
      /** One page of a list: its first, or the one that `next` of another leads to. */
      page: (list: string, from: string | undefined) =>
        patient(Stream.runHead(pagesOf(list, from)), isOutage).pipe(
          Effect.map((head) => pageOf(redact(Option.getOrElse(head, () => empty)))),
          Effect.mapError(stop)
        ),
      /** An item, or nothing if it was not asked for, since it is no longer wanted. */
      item: ask
    }
  })

export class Service extends Context.Tag("mirror/Service")<Service, Effect.Effect.Success<ReturnType<typeof make>>>() {
  static readonly layer = (options: ServiceOptions) => Layer.scoped(Service, make(options))
}
