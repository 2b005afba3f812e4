/** One instance of the service, and what its handlers share. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import { sample } from "../data/index.js"
import type { EmbeddedCatalogOptions, Quirks, UnlikeLive } from "../Options.js"
import { type Access, type Caller, type Grants, identify } from "./access.js"
import { anime } from "./anime.js"
import { last, type Works } from "./inputs.js"
import { parseFields, type Selection } from "./fields.js"
import type { Kinds, View } from "./kind.js"
import { manga } from "./manga.js"
import type { Limits, PageRequest } from "./paging.js"
import { json, type Refusal, refused } from "./reply.js"
import { Store } from "./store.js"

export const kinds: Kinds = { anime, manga }

export interface Service {
  readonly store: Store
  readonly grants: Grants
  readonly quirks: Quirks
  readonly unlikeLive: UnlikeLive
  readonly deleteMissing: 404 | 200
  readonly poll: "object" | "array"
  /** Milliseconds since 1970. */
  readonly now: Effect.Effect<number>
}

/** The dataset's first user owns the default token: that is `sample_reader` in the sample. */
const defaultToken = "embedded-token"

const grantsOf = (options: EmbeddedCatalogOptions, store: Store): Grants => {
  const first = (options.dataset ?? sample()).users[0]
  const given = options.tokens ?? (first === undefined ? {} : { [defaultToken]: first.name })
  const tokens = Object.entries(given).map(([token, grant]) => {
    const { expiresAt = Number.POSITIVE_INFINITY, user } = typeof grant === "string" ? { user: grant } : grant
    const account = store.accountNamed(user)
    if (account === undefined) throw new TypeError(`No user of the dataset is called "${user}", who is to own a token.`)
    return [token, { account, expiresAt }] as const
  })
  return {
    tokens: new Map(tokens),
    clientIds: new Set(options.clientIds ?? ["embedded-client"]),
    anonymousReads: options.anonymousReads ?? true
  }
}

export const makeService = (options: EmbeddedCatalogOptions): Service => {
  const store = new Store(options.dataset ?? sample())
  return {
    store,
    grants: grantsOf(options, store),
    quirks: options.quirks ?? {},
    unlikeLive: options.unlikeLive ?? {},
    deleteMissing: options.deleteMissing ?? 404,
    poll: options.poll ?? "object",
    now: options.now === undefined ? Clock.currentTimeMillis : Effect.sync(options.now)
  }
}

/** A request that may be answered: who asks, when, and by which URL. */
export interface Call {
  readonly service: Service
  readonly caller: Caller
  readonly now: number
  readonly url: URL
}

/** The URL that the client sees: of a web request its own, of a socket the one that `Host` tells. */
const urlOf = (request: HttpServerRequest.HttpServerRequest): URL =>
  new URL(
    /^https?:\/\//.test(request.originalUrl)
      ? request.originalUrl
      : `http://${request.headers["host"] ?? "localhost"}${request.originalUrl}`
  )

/** Lets a caller in or not, and puts what comes of it into the service's form. */
export const answering =
  (service: Service) =>
  (access: Access, answer: (call: Call) => Effect.Effect<unknown, Refusal> | Either.Either<unknown, Refusal>) =>
  ({
    request
  }: {
    readonly request: HttpServerRequest.HttpServerRequest
  }): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.gen(function* () {
      const now = yield* service.now
      const caller = yield* identify(service.grants, access, request.headers, now)
      return json(yield* answer({ service, caller, now, url: urlOf(request) }))
    }).pipe(Effect.catchTag("Refusal", (refusal) => Effect.succeed(refused(refusal))))

export const viewOf = ({ caller, service }: Call, single: boolean): View => ({
  store: service.store,
  kinds,
  viewer: caller.account,
  crossKind: service.unlikeLive.crossKindRelations === true,
  single
})

export const selectionOf = (inputs: Works): Selection | undefined => parseFields(last(inputs.fields))

export const pageRequest = (call: Call, inputs: Works, limits: Limits, previous = false): PageRequest => ({
  url: call.url,
  inputs,
  limits,
  quirks: call.service.quirks,
  previous
})
