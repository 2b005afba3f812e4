/**
 * Whole lists: page after page of an operation, each through the interpreter like any other call.
 */
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { CatalogConfig, type CatalogSettings, show } from "../CatalogConfig.js"
import { type ClientError, ClientRestError } from "../CatalogError.js"
import type { Credentials } from "../Credentials.js"
import type { Declaration, Params } from "./declaration.js"
import { interpret } from "./interpreter.js"
import * as Request from "./request.js"

type Services = HttpClient | Credentials

/** A page as far as a walk looks at it; the guard has seen that it is one. */
interface Page {
  readonly data: ReadonlyArray<unknown> | { readonly posts: ReadonlyArray<unknown> }
  readonly paging?: { readonly next?: string; readonly previous?: string }
}

/** Where a walk stands: the query that leads to the page, but for the first one, and the offset that it names. */
interface Place {
  readonly link: URLSearchParams | undefined
  readonly offset: number | undefined
}

const mistake = ({ name }: Declaration, option: string, must: string, value: unknown): TypeError =>
  new TypeError(`${name}: "${option}" must be ${must}, but it is ${show(value)}`)

/** Of a link only the query counts, so that none can lead, or carry a credential, elsewhere. */
const queryOf = (link: string): URLSearchParams => {
  const [beforeFragment = ""] = link.split("#", 1)
  const mark = beforeFragment.indexOf("?")
  return new URLSearchParams(mark < 0 ? "" : beforeFragment.slice(mark))
}

const isBackward = (declaration: Declaration, { direction }: Params): boolean => {
  const isKnown = direction === undefined || direction === "forward" || direction === "backward"
  if (!isKnown || (direction === "backward" && declaration.hasPrevious === undefined)) {
    throw mistake(
      declaration,
      "direction",
      declaration.hasPrevious ? '"forward" or "backward"' : '"forward"',
      direction
    )
  }
  return direction === "backward"
}

const prefetchOf = (declaration: Declaration, { prefetch }: Params): number => {
  const pages = prefetch ?? 1
  if (typeof pages !== "number" || !(pages >= 0) || (pages !== Infinity && !Number.isInteger(pages))) {
    throw mistake(declaration, "prefetch", "a whole number, 0 or more", prefetch)
  }
  return pages
}

/** The largest pages that there are, unless somebody wants others. */
const withLimit = (
  declaration: Declaration,
  inputs: { readonly params: Params; readonly options: Params },
  limit: number
): { readonly params: Params; readonly options: Params } => {
  const { params, options } = inputs
  return declaration.options?.includes("limit")
    ? { params, options: { ...options, limit: options["limit"] ?? limit } }
    : { params: { ...params, limit: params["limit"] ?? limit }, options }
}

/** The pages one after the other; what is asked for waits for `permit`. */
const walk = (
  declaration: Declaration,
  params: Params,
  options: Params,
  config: CatalogSettings,
  permit: Effect.Effect<unknown>
): Stream.Stream<Page, ClientError, Services> => {
  const { names } = config.profile
  const backward = isBackward(declaration, options)
  const towards = backward ? "previous" : "next"
  const { from } = options
  if (from !== undefined && from !== null && typeof from !== "string") {
    throw mistake(declaration, "from", "a page's next or previous URL", from)
  }
  const numberIn = (link: URLSearchParams, name: string) => {
    const text = link.get(name)
    return text === null ? undefined : Number(text)
  }
  const link = typeof from === "string" ? queryOf(from) : undefined
  const asked = declaration.options?.includes("offset") ? options["offset"] : params["offset"]
  const start: Place = { link, offset: link === undefined ? Number(asked ?? 0) : numberIn(link, names.offset) }
  /** Links that name no offset, which would show whether they advance. */
  const followed = new Set<string>()

  const advance = (place: Place, { paging }: Page): Option.Option<Place> | undefined => {
    const url = paging?.[towards]
    if (url === undefined) {
      return Option.none()
    }
    const link = queryOf(url)
    const offset = numberIn(link, names.offset)
    if (offset === undefined) {
      const query = link.toString()
      return followed.size === followed.add(query).size ? undefined : Option.some({ link, offset })
    }
    if (place.offset === undefined) {
      return Number.isNaN(offset) ? undefined : Option.some({ link, offset })
    }
    const step = backward ? place.offset - offset : offset - place.offset
    if (backward && step < (numberIn(link, names.limit) ?? Infinity)) {
      // The page before reaches into the one that was just read.
      link.set(names.limit, String(step))
    }
    return step > 0 ? Option.some({ link, offset }) : undefined
  }

  return Stream.paginateEffect(start, (place) =>
    Effect.flatMap(Effect.zipRight(permit, interpret(declaration, params, options, place.link)), (reply) => {
      // The guard of the operation's reply has judged it.
      const page = reply as Page
      const next = advance(place, page)
      return next === undefined
        ? Effect.fail(
            new ClientRestError({
              operation: declaration.name,
              method: declaration.method,
              url: Request.urlOf(declaration, params, options, config, place.link),
              status: 200,
              reason: "InvalidBody",
              body: { paging: page.paging },
              path: ["paging", towards],
              attempts: 1
            })
          )
        : Effect.succeed([page, next] as const)
    })
  )
}

/** All pages of a list. At most `prefetch` of them are asked for, or kept, ahead of the one that is looked at. */
export const pages = (
  declaration: Declaration,
  inputs: { readonly params: Params; readonly options: Params }
): Stream.Stream<Page, ClientError, Services> =>
  Stream.unwrap(
    Effect.map(CatalogConfig, (config) => {
      const { params, options } = withLimit(declaration, inputs, declaration.limit?.most ?? Infinity)
      const prefetch = prefetchOf(declaration, options)
      if (prefetch === 0) {
        return walk(declaration, params, options, config, Effect.void)
      }
      const permits = Effect.unsafeMakeSemaphore(prefetch)
      return walk(declaration, params, options, config, permits.take(1)).pipe(
        Stream.buffer({ capacity: "unbounded" }),
        Stream.tap(() => permits.release(1))
      )
    })
  )

const entriesOf = ({ data }: Page): ReadonlyArray<unknown> => ("posts" in data ? data.posts : data)

/** The number of an entry: its own, or that of its node. */
const idOf = (entry: unknown): unknown => {
  const { id, node } = entry as { readonly id?: unknown; readonly node?: { readonly id?: unknown } }
  return node?.id ?? id
}

/** All entries of a list. */
export const items = (
  declaration: Declaration,
  inputs: { readonly params: Params; readonly options: Params }
): Stream.Stream<unknown, ClientError, Services> =>
  Stream.suspend(() => {
    const { direction, distinct } = inputs.options
    const entries = Stream.mapConcatChunk(pages(declaration, inputs), (page) => {
      const chunk = Chunk.unsafeFromArray(entriesOf(page))
      return direction === "backward" ? Chunk.reverse(chunk) : chunk
    })
    if (distinct !== true) {
      return entries
    }
    const seen = new Set<unknown>()
    return Stream.filter(entries, (entry) => seen.size !== seen.add(idOf(entry)).size)
  })

/** The first entries of a list. A page that nobody might need is not asked for ahead. */
export const collect = (
  declaration: Declaration,
  inputs: { readonly params: Params; readonly options: Params }
): Effect.Effect<ReadonlyArray<unknown>, ClientError, Services> =>
  Effect.suspend(() => {
    const { max } = inputs.options
    if (typeof max !== "number" || !(max >= 0)) {
      throw mistake(declaration, "max", "a number, 0 or more", max)
    }
    const most = Math.min(declaration.limit?.most ?? Infinity, Math.max(1, Math.ceil(max)))
    const { params, options } = withLimit(declaration, inputs, most)
    const first = items(declaration, { params, options: { ...options, prefetch: 0 } })
    return Effect.map(
      Stream.runCollect(max === Infinity ? first : Stream.take(first, Math.floor(max))),
      Chunk.toReadonlyArray
    )
  })
