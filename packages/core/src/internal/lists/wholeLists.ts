/**
 * Whole lists: page after page of an operation, each through the interpreter like any other call.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { type ClientError, ClientRestError } from "../../CatalogError.js"
import type { Credentials } from "../../Credentials.js"
import type { AnyPage as Page, ListProgress } from "../../Face.js"
import { type CallServices, interpret } from "../call/interpreter.js"
import { CallState, type CallTracker, CallTrackerTag } from "../declaration/call.js"
import { type Declaration, type Inputs, pageEntries, type Params, pagingArgument } from "../declaration/declaration.js"
import { isPresent, quietly } from "../common/values.js"
import { invalidInput } from "../declaration/inputs.js"
import { checkInputs, type Follow, nameOf, plainUrlOf } from "../declaration/request.js"
import { redactIn } from "../redaction/redactIn.js"
import { errorMembers } from "../reply/errors.js"
import { settingsIn } from "../settings/settings.js"

/** Characters of a link. Servers do not accept a longer URL, and parsing one would block other calls. */
const maxLinkLength = 16 * 1024

/** Characters of the queries that a list remembers: enough for thousands of links. */
const maxRemembered = 2 ** 20

/** The query of a link. The rest is ignored, so that no link can send a call, or a credential, to another host or path. */
const queryIn = (link: string): URLSearchParams => new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(link)?.[1])

/** Merges a link's query over the call's query, because links can lack parameters. */
const merge = (query: URLSearchParams, link: URLSearchParams): URLSearchParams => {
  // `URLSearchParams.set` would search the whole query each time.
  const merged = new Map<string, string>()
  for (const params of [query, link]) {
    params.forEach((value, name) => merged.set(name, value))
  }
  return new URLSearchParams([...merged])
}

const withQuery =
  (query: URLSearchParams): Follow =>
  (url) =>
    `${url.split(/[?#]/, 1)[0]}?${query.toString()}`

const checkPrefetch = (declaration: Declaration, { prefetch }: Params): number => {
  const pages = prefetch ?? 1
  // `Infinity` passes as a whole number.
  if (typeof pages !== "number" || pages < 0 || pages !== Math.floor(pages)) {
    throw invalidInput(declaration.name, "prefetch", "a whole number, 0 or more", prefetch)
  }
  return pages
}

/** Requests the largest pages, unless the caller sets a limit. */
const withLimit = (declaration: Declaration, inputs: Inputs, limit: number): Inputs => {
  checkInputs(declaration, inputs)
  const argument = pagingArgument(declaration)
  const values = inputs[argument]
  return { ...inputs, [argument]: { ...values, limit: values["limit"] ?? limit } }
}

/** Returns the next page or the next entries each time it runs, and `None` at the end. */
export type Pull<A> = Effect.Effect<Option.Option<A>, ClientError, CallServices>

/** Queries already followed, without their offset, to stop at a link that repeats. */
class FollowedQueries {
  readonly #queries: Set<string>
  #room = maxRemembered

  constructor(first: string) {
    this.#queries = new Set([first])
  }

  isNew(query: string): boolean {
    const isNew = !this.#queries.has(query)
    this.#room -= query.length
    if (this.#room < 0) {
      this.#room = maxRemembered
      this.#queries.clear()
    }
    this.#queries.add(query)
    return isNew
  }
}

/** The error for a link that does not lead to a further page: an error of the call that read the link. */
const invalidLink = (call: CallState, link: string) =>
  new ClientRestError({
    ...errorMembers(call),
    status: 200,
    reason: "InvalidBody",
    body: { paging: { next: redactIn(call, link.slice(0, maxLinkLength / 2)) } },
    path: ["paging", "next"],
    expected: "a link to a further page",
    found: "a link that does not advance"
  })

/** The query of the page after `page`; `undefined` after the last. */
const queryAfter = ({ name }: Declaration, page: Partial<Page>): URLSearchParams | undefined => {
  const link = page.paging?.next
  const query = link ? queryIn(link) : undefined
  // Anything but a page would look like the end of the list, and a link without a query would restart it.
  const isPage =
    typeof page === "object" &&
    ("data" in page || "paging" in page || Object.keys(page).length === 0) &&
    typeof (page.paging ?? {}) === "object"
  if (!isPage || query?.toString() === "") {
    throw invalidInput(name, "after", "a page of the list", link ?? page)
  }
  return query
}

/** The pull of a list's pages. */
const makePagePull = (
  declaration: Declaration,
  inputs: Inputs,
  context: Context.Context<never>,
  run: typeof interpret
): Pull<Page> => {
  const settings = settingsIn(context)
  const offsetName = nameOf(settings, "offset")
  const { after } = inputs.options
  const start = isPresent(after) ? queryAfter(declaration, after) : undefined
  const pageUrlOf = (follow: Follow | undefined) => plainUrlOf(declaration, inputs, settings, follow)
  const query = queryIn(pageUrlOf(undefined))
  const offsetIn = (of: URLSearchParams) => Number(of.get(offsetName) ?? 0)
  /** Has the last call, which knows the secrets to redact. */
  const tracker: CallTracker = Context.get(context, CallTrackerTag) ?? { last: undefined }
  const first = start ? merge(query, start) : query
  const followed = new FollowedQueries(first.toString())

  const fail = (follow: Follow | undefined, link: string): Pull<Page> =>
    Effect.contextWithEffect((context: Context.Context<Credentials>) => {
      const call = new CallState(declaration, settings, context)
      call.request = { url: pageUrlOf(follow), form: undefined }
      // A stub makes no call, so there is no last one.
      return Effect.fail(invalidLink(tracker.last ?? call, link))
    })

  /** What follows a page: another page, the end, or the error of a bad link. */
  const pullAfter = ({ paging }: Page, follow: Follow | undefined, offset: number): Pull<Page> => {
    const url = paging?.next
    // Some services end a list with an empty string.
    if (!url) {
      return Effect.succeedNone
    }
    if (url.length > maxLinkLength) {
      return fail(follow, url)
    }
    const link = queryIn(url)
    const following = merge(query, link)
    const to = offsetIn(following)
    const advances = link.has(offsetName) ? to > offset : followed.isNew(following.toString())
    return advances ? read(withQuery(following), to) : fail(follow, url)
  }

  const read = (follow: Follow | undefined, offset: number): Pull<Page> =>
    Effect.map(Effect.provideService(run(declaration, inputs, { follow }), CallTrackerTag, tracker), (reply) => {
      // The guard of the operation's reply has validated it.
      const page = reply as Page
      next = pullAfter(page, follow, offset)
      return Option.some(page)
    })

  /** The pull of the next page. Changes only when a page has arrived: a pull that failed requests the same page again. */
  let next: Pull<Page> =
    isPresent(after) && start === undefined ? Effect.succeedNone : read(start && withQuery(first), offsetIn(first))
  return Effect.suspend(() => next)
}

/** Makes the pull of a list. The scope ends what reads ahead. */
export type MakePull<A> = Effect.Effect<Pull<ReadonlyArray<A>>, never, CallServices | Scope>

/**
 * Reads ahead in a separate fiber: at most `prefetch` pages are requested or kept before they are pulled. Then the fiber ends,
 * and the next pull starts another one: Effect 3 would keep a fiber that waits, even after the program let go of the list.
 */
const readAhead = (next: Pull<Page>, prefetch: number): Effect.Effect<Pull<Page>, never, CallServices | Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const kept: Array<Exit.Exit<Option.Option<Page>, ClientError>> = []
    let isReading = false
    /** Whether the last page that was read is the end, or failed. */
    let isOver = false
    /** A condition variable that resumes synchronously: with a semaphore, Effect 4 would resume in a later task. */
    let resumePull = constVoid
    const reading: Effect.Effect<void, never, CallServices> = Effect.flatMap(Effect.exit(next), (exit) => {
      kept.push(exit)
      isOver = !Exit.isSuccess(exit) || Option.isNone(exit.value)
      const hasRoom = !isOver && kept.length < prefetch
      isReading = hasRoom
      // The pull can start the next fiber at once.
      resumePull()
      return hasRoom ? reading : Effect.void
    })
    const readMore = Effect.suspend(() => {
      if (isReading || isOver || kept.length >= prefetch) {
        return Effect.void
      }
      isReading = true
      return Effect.forkIn(reading, scope)
    })
    const hasPage = Effect.async<void>((resume) => {
      resumePull = () => resume(Effect.void)
      if (kept.length > 0) {
        resumePull()
      }
    })
    return readMore.pipe(
      Effect.zipRight(hasPage),
      Effect.flatMap(() => {
        // The wait ends only when a page is kept.
        const page = kept.shift() ?? Effect.dieMessage("there is no page")
        if (isOver && kept.length === 0) {
          // A failed page is requested again by the next pull.
          isOver = false
          return page
        }
        return Effect.zipRight(readMore, page)
      })
    )
  })

const idOf = (entry: unknown): unknown => {
  const { id, node } = entry as { readonly id?: unknown; readonly node?: { readonly id?: unknown } }
  return node?.id ?? id
}

interface PullOptions {
  /** Makes the call of a page. A client passes its own. */
  readonly run: typeof interpret
  /** Whether the pull returns pages instead of entries. */
  readonly wholePages?: boolean
  /** How many entries `onPage` counts at most. */
  readonly maxCount?: number
}

const makePull = (
  declaration: Declaration,
  inputs: Inputs,
  { run, wholePages = false, maxCount = Infinity }: PullOptions
): MakePull<unknown> =>
  Effect.contextWithEffect((context: Context.Context<never>) => {
    const largestPages = withLimit(declaration, inputs, declaration.limit?.maximum ?? Infinity)
    const { distinct, onPage } = largestPages.options
    if (isPresent(onPage) && typeof onPage !== "function") {
      throw invalidInput(declaration.name, "onPage", "a function", onPage)
    }
    const prefetch = checkPrefetch(declaration, largestPages.options)
    const progress = { page: 0, count: 0 }
    const seen = new Set<unknown>()
    const isNew = (entry: unknown) => {
      const id = idOf(entry)
      return id === undefined || seen.size !== seen.add(id).size
    }
    const next = makePagePull(declaration, largestPages, context, run)
    return Effect.map(
      prefetch === 0 ? Effect.succeed(next) : readAhead(next, prefetch),
      Effect.map(
        Option.map((page) => {
          const all = pageEntries(page)
          const entries = distinct === true && !wholePages ? all.filter(isNew) : all
          progress.page++
          progress.count = Math.min(progress.count + entries.length, maxCount)
          // A callback that fails does not break the list.
          quietly(() => onPage?.({ ...progress } satisfies ListProgress))
          return wholePages ? [page] : entries
        })
      )
    )
  })

/** Reads a list. Each page is a call that `run` makes: by default, the interpreter. */
type ReadList<A> = (declaration: Declaration, inputs: Inputs, run?: typeof interpret) => A

/** All pages of a list. At most `prefetch` of them are requested or kept ahead of the current one. */
export const pages: ReadList<MakePull<unknown>> = (declaration, inputs, run = interpret) =>
  makePull(declaration, inputs, { run, wholePages: true })

/** All entries of a list. */
export const items: ReadList<MakePull<unknown>> = (declaration, inputs, run = interpret) =>
  makePull(declaration, inputs, { run })

/** The first entries of a list. No page is read ahead, because it may not be needed. */
export const collect: ReadList<Effect.Effect<ReadonlyArray<unknown>, ClientError, CallServices>> = (
  declaration,
  inputs,
  run = interpret
) =>
  Effect.suspend(() => {
    // `pages` and `items` have no option `max`.
    const { max, ...rest } = inputs.options
    if (typeof max !== "number" || !(max >= 0)) {
      throw invalidInput(
        declaration.name,
        "max",
        "a number of entries, as in collect(params, { max: 100 }), or Infinity for all",
        max
      )
    }
    const count = Math.floor(max)
    const limit = Math.min(declaration.limit?.maximum ?? Infinity, Math.max(1, count))
    const { params, options } = withLimit(declaration, { ...inputs, options: rest }, limit)
    const withoutPrefetch = { params, options: { ...options, prefetch: 0 } }
    const first: Array<unknown> = []
    const fill = (next: Pull<ReadonlyArray<unknown>>): Effect.Effect<void, ClientError, CallServices> =>
      first.length >= count
        ? Effect.void
        : Effect.flatMap(next, (found) => {
            if (Option.isNone(found)) {
              return Effect.void
            }
            for (const entry of found.value) {
              first.push(entry)
            }
            return fill(next)
          })
    const filled = Effect.scoped(Effect.flatMap(makePull(declaration, withoutPrefetch, { run, maxCount: count }), fill))
    return Effect.map(filled, () => first.slice(0, count))
  })

const wholeLists = { pages, items, collect }

export type WholeLists = typeof wholeLists

const wholeListsByOperation = new WeakMap<object, WholeLists>()

/**
 * Marks an operation that has pages. The mark is here and not in the interpreter, so that a program without such an
 * operation does not bundle the rest of this module.
 */
export const withWholeLists = <O extends object>(operation: O): O => {
  wholeListsByOperation.set(operation, wholeLists)
  return operation
}

export const wholeListsOf = (operation: object): WholeLists | undefined => wholeListsByOperation.get(operation)
