/**
 * Writes to the user's list: each returns the entry before and after, and several at once need a confirmation.
 */
import type { ClientError } from "@catalog-client/core"
import {
  AnimeListStatusValue,
  AnimeListUpdateParams,
  MangaListStatusValue,
  MangaListUpdateParams
} from "@catalog-client/core/schemas"
import { Effect, Either, ParseResult, Schema } from "effect"
import { type ListStatus, type Writes, Written } from "./output.js"
import { entryOf, errorText, lines, membersOf, quoted } from "./text.js"
import { type Client, issueText, maybe, readable, type ToolEffect, ToolError } from "./tool.js"

type Kind = "anime" | "manga"

const { fields: ofAnime } = AnimeListUpdateParams
const { fields: ofManga } = MangaListUpdateParams
const [animeWords, mangaWords] = [AnimeListStatusValue.words, MangaListStatusValue.words]

/** The changes of each kind with its own statuses, so that a status of manga is never sent for an anime. */
const AnimeChange = Schema.Struct({ ...ofAnime, status: Schema.optional(Schema.Literal(...animeWords)) })
const MangaChange = Schema.Struct({ ...ofManga, status: Schema.optional(Schema.Literal(...mangaWords)) })

/** A change of either kind: agents do better with one object than with a choice of two. `kind` decides what is valid. */
export const Entry = Schema.Struct({
  ...ofAnime,
  ...ofManga,
  id: ofAnime.id.annotations({ description: "The id of the anime or manga." }),
  status: maybe(Schema.String, `Anime: ${animeWords.join(", ")}. Manga: ${mangaWords.join(", ")}.`)
})

/** A write that was planned and not sent yet. */
interface Plan {
  readonly id: number
  /** A description of the change, for a dry run. */
  readonly change: string
  /** Sends the write, and returns the entry after it. */
  readonly write: Effect.Effect<ListStatus | undefined, ClientError>
}

const entryFields = "status,score,start_date,finish_date,comments,priority,tags"
const animeEntry = `my_list_status{${entryFields},num_episodes_watched,is_rewatching,num_times_rewatched,rewatch_value}`
const mangaEntry = `my_list_status{${entryFields},num_chapters_read,num_volumes_read,is_rereading,num_times_reread,reread_value}`

/** The title of an item and the user's entry, before the write. */
const before = ({ anime, manga }: Client, kind: Kind, id: number): Effect.Effect<Written, ClientError> =>
  Effect.map(
    kind === "anime" ? anime.get({ id }, { fields: animeEntry }) : manga.get({ id }, { fields: mangaEntry }),
    ({ my_list_status: entry, title }) => written({ id, title, ...(entry && { before: entry }) })
  )

/** Cleans an entry at once, because it can become part of an error. */
const written = readable(Written)

const writtenText = ({ before, id, title }: Written, ...more: ReadonlyArray<string>) =>
  lines(`${id}: ${quoted(title)}`, `  before: ${entryOf(before)}`, ...more)

export const writesText = ({ dry_run: isDry, entries }: Writes): string =>
  lines(
    isDry && `Dry run: nothing was changed. With "confirm": true, this writes ${entries.length} entries.`,
    ...entries.map((entry) =>
      writtenText(entry, isDry ? `  change: ${entry.change}` : `  after: ${entryOf(entry.after)}`)
    )
  )

const carryOut = (client: Client, kind: Kind, plans: ReadonlyArray<Plan>, confirm: boolean): ToolEffect<Writes> =>
  Effect.gen(function* () {
    if (new Set(plans.map(({ id }) => id)).size < plans.length) {
      return yield* new ToolError({ message: "An id appears twice. Pass each entry once; nothing was changed." })
    }
    // All entries are read before the first write, so that an unknown id changes nothing.
    const steps = yield* Effect.forEach(plans, ({ change, id, write }) =>
      Effect.map(before(client, kind, id), (entry) => ({ change, entry, write }))
    )
    if (plans.length > 1 && !confirm) {
      return { dry_run: true, entries: steps.map(({ change, entry }) => ({ ...entry, change })) }
    }
    const entries: Array<Written> = []
    for (const { entry, write } of steps) {
      const after = yield* Effect.mapError(write, (error) => {
        const left = plans.length - entries.length - 1
        const failed = writtenText(entry, `  failed: ${errorText(error)}`, `${left} more were not tried.`)
        return new ToolError({ message: lines(writesText({ dry_run: false, entries }), failed) })
      })
      entries.push(written({ ...entry, ...(after && { after }) }))
    }
    return { dry_run: false, entries }
  })

const changeOf = ({ anime, manga }: Client, kind: Kind, entry: typeof Entry.Type): Either.Either<Plan, ToolError> => {
  const { id, ...rest } = entry
  const change = membersOf(rest)
  if (change === "") {
    return Either.left(new ToolError({ message: `The entry ${id} has nothing to change.` }))
  }
  const decode = <A, I>(schema: Schema.Schema<A, I>): Either.Either<A, ToolError> =>
    Either.mapLeft(Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })(entry), (error) => {
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      const why = issue === undefined ? "" : `: ${issueText(issue)}`
      const message = `The entry ${id} is not valid for ${kind}${why}. Nothing was changed.`
      return new ToolError({ message })
    })
  const plan = { id, change }
  return kind === "anime"
    ? Either.map(decode(AnimeChange), (params) => ({ ...plan, write: anime.updateMyListStatus(params) }))
    : Either.map(decode(MangaChange), (params) => ({ ...plan, write: manga.updateMyListStatus(params) }))
}

interface Confirmed {
  readonly kind: Kind
  readonly confirm: boolean
}

/** Changes entries, or adds them. */
export const change = (
  { confirm, entries, kind }: Confirmed & { readonly entries: ReadonlyArray<typeof Entry.Type> },
  client: Client
): ToolEffect<Writes> =>
  Effect.flatMap(Either.all(entries.map((entry) => changeOf(client, kind, entry))), (plans) =>
    carryOut(client, kind, plans, confirm)
  )

/** Removes entries, and ignores entries that are not there. */
export const removal = (
  { confirm, ids, kind }: Confirmed & { readonly ids: ReadonlyArray<number> },
  client: Client
): ToolEffect<Writes> => {
  const plans = ids.map((id) => ({
    id,
    change: "remove",
    write: client[kind].deleteFromList({ id }).pipe(
      Effect.catchIf(
        (error) => error._tag === "ClientRestError" && error.status === 404,
        () => Effect.void
      ),
      Effect.as(undefined)
    )
  }))
  return carryOut(client, kind, plans, confirm)
}
