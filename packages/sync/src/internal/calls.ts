/** The calls of both faces, and what a whole list needs besides its pages. */
import type { Anime, AnimeListEntry, Manga, MangaListEntry } from "@catalog-client/core/models"
import * as Effect from "effect/Effect"
import type { ClientError } from "@catalog-client/core"
import type { ListProgress } from "@catalog-client/core/Operation"
import { checkNames, inStage } from "@catalog-client/core/internal"
import type { Entry } from "../plan.js"
import { checkKind, type EntryMembers, type Kind, lists } from "./members.js"

/** Whose list is read. */
export interface ListOwner {
  /**
   * Whose list.
   *
   * @default "@me"
   */
  readonly username?: string | undefined
}

/** Options of {@link readList}. */
export interface ReadListOptions<E = never, R = never> extends ListOwner {
  /** Is called for each page. Its Effect runs before the next one is read. */
  readonly onPage?: ((progress: ListProgress) => void | Effect.Effect<unknown, E, R>) | undefined
}

/** The members of an entry, and when it was changed. */
const membersOf = (kind: Kind): string => [...Object.keys(lists[kind].members), "updated_at"].join(",")

/** What lists and titles are read with. `fields` names all that an {@link Entry} has. */
export const selections = {
  anime: { fields: ["num_episodes", `list_status{${membersOf("anime")}}`] },
  manga: { fields: ["num_chapters", "num_volumes", `list_status{${membersOf("manga")}}`] },
  ownAnime: { fields: ["num_episodes", `my_list_status{${membersOf("anime")}}`] },
  ownManga: { fields: ["num_chapters", "num_volumes", `my_list_status{${membersOf("manga")}}`] }
} as const

/** Replaces a cache of the program, which would hide what was edited elsewhere. */
const uncached = /*#__PURE__*/ inStage("cache", <A>(_: unknown, attempt: A): A => attempt)

/** The options of a read of a whole list: with titles of every kind, and from the service itself. */
export const listOptions = { nsfw: true, policies: [uncached] }

const entryOf = ({ list_status, node }: AnimeListEntry | MangaListEntry): Entry => {
  const { id, title, num_episodes, num_chapters, num_volumes }: Partial<Entry> & { readonly id: number } = node
  return Object.assign({ id, title, num_episodes, num_chapters, num_volumes }, list_status)
}

/** The entry of one title, from the title itself. */
export const ownEntry = ({ my_list_status, ...node }: Anime | Manga): Entry | undefined =>
  my_list_status && entryOf({ node, list_status: my_list_status })

/** The inputs of a write. Only the progress of anime has another name in them. */
export const paramsOf = (id: number, { num_episodes_watched, ...rest }: EntryMembers) => ({
  id,
  ...rest,
  ...(num_episodes_watched !== undefined && { num_watched_episodes: num_episodes_watched })
})

/** The operations of one face. */
export interface Calls<R> {
  /** The entry of one title, or `undefined` if it is not on the list. */
  readonly get: (kind: Kind, id: number) => Effect.Effect<Entry | undefined, ClientError, R>
  readonly write: (kind: Kind, id: number, set: EntryMembers) => Effect.Effect<EntryMembers, ClientError, R>
  readonly remove: (kind: Kind, id: number) => Effect.Effect<undefined, ClientError, R>
  readonly sleep: (millis: number) => Effect.Effect<void>
  readonly list: <E, R2>(
    kind: Kind,
    options: ReadListOptions<E, R2>
  ) => Effect.Effect<ReadonlyArray<AnimeListEntry | MangaListEntry>, ClientError | E, R | R2>
}

const maxReads = 4

/**
 * Reads a list until two reads agree, if it has several pages: an entry that is removed between two pages moves another one to
 * the page before, where it is not seen.
 */
export const readWholeList = <R, E = never, R2 = never>(
  { list }: Calls<R>,
  kind: Kind,
  options: ReadListOptions<E, R2>
): Effect.Effect<ReadonlyMap<number, Entry>, ClientError | E, R | R2> => {
  const read = (
    count: number,
    before?: ReadonlyMap<number, Entry>
  ): Effect.Effect<ReadonlyMap<number, Entry>, ClientError | E, R | R2> =>
    Effect.suspend(() => {
      let pages = 0
      const counting: ReadListOptions<E, R2> = {
        ...options,
        onPage: (progress) => {
          pages = progress.page
          return options.onPage?.(progress)
        }
      }
      return Effect.flatMap(list(kind, counting), (entries) => {
        const list = new Map(entries.map((entry) => [entry.node.id, entryOf(entry)]))
        const isWhole = pages < 2 || (before?.size === list.size && [...list.keys()].every((id) => before.has(id)))
        return isWhole || count === maxReads ? Effect.succeed(list) : read(count + 1, list)
      })
    })
  return Effect.suspend(() => {
    checkNames("readList", options, { username: 1, onPage: 1 })
    checkKind("readList", kind)
    return read(1)
  })
}
