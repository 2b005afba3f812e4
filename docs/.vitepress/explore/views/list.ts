// The user's own lists. A change is shown at once, and undone if the service does not accept it.
import type { AnimeListStatusValue, MangaListStatusValue, UserAnimeStatistics } from "@catalog-client/core"
import { computed, reactive, watch } from "vue"
import { shownError, type ShownError } from "../errors.js"
import { memberOf } from "../address.js"
import { type Explore, type Kind, kinds, makeLatest, watchAccount } from "../explore.js"
import { quantity, type Session } from "../session.js"

/** The statuses of entries, and what they are called. */
export const statuses = {
  anime: {
    watching: "Watching",
    completed: "Completed",
    on_hold: "On hold",
    dropped: "Dropped",
    plan_to_watch: "Plan to watch"
  } satisfies Record<AnimeListStatusValue, string>,
  manga: {
    reading: "Reading",
    completed: "Completed",
    on_hold: "On hold",
    dropped: "Dropped",
    plan_to_read: "Plan to read"
  } satisfies Record<MangaListStatusValue, string>
}

/** What can be changed of an entry. */
interface Change {
  readonly progress?: number
  readonly score?: number
  readonly status?: string
}

/** An entry of either list. */
export interface Entry {
  readonly id: number
  readonly title: string
  /** Episodes or chapters; 0 if their number is not known. */
  readonly total: number
  /** Whether it is watched or read again: such entries are listed as watching, whatever their status. */
  readonly isRepeated: boolean
  progress: number
  score: number
  status: string
  isSaving: boolean
}

/** Entries of a page: a list is longer, so that it takes several requests. */
const limit = 10

/** Entries that are read. */
const max = 20

/** What an entry of either list holds, as the service keeps it. */
const kept = (
  own: { readonly score?: number | undefined; readonly status?: string | undefined } | undefined,
  progress = 0
): Required<Change> => ({ progress, score: own?.score ?? 0, status: own?.status ?? "" })

/** Writes a change to the list of that kind; the names of inputs differ. */
export const write = async (session: Session, kind: Kind, id: number, change: Change): Promise<Required<Change>> => {
  const { progress, score, status } = change
  const same = { ...(score !== undefined && { score }), ...(status !== undefined && { status }) }
  if (kind === "anime") {
    const episodes = progress === undefined ? {} : { num_watched_episodes: progress }
    const saved = await session.call("anime.updateMyListStatus", [{ id, ...episodes, ...same }])
    return kept(saved, saved.num_episodes_watched)
  }
  const chapters = progress === undefined ? {} : { num_chapters_read: progress }
  const saved = await session.call("manga.updateMyListStatus", [{ id, ...chapters, ...same }])
  return kept(saved, saved.num_chapters_read)
}

interface State {
  kind: Kind
  status: string
  entries: Array<Entry>
  /** What happened last, for those who do not see the list change. */
  notice: string
  error: ShownError | undefined
  statistics: UserAnimeStatistics | undefined
}

export const useList = (explore: Explore) => {
  const { keep, session } = explore
  const latest = makeLatest(session, () => Object.assign(state, { entries: [], notice: "" }))
  const profile = makeLatest(session)
  const state = reactive<State>({
    kind: "anime",
    status: "watching",
    entries: [],
    notice: "",
    error: undefined,
    statistics: undefined
  })

  /** The ids of the list as it was read. */
  let order: ReadonlyArray<number> = []

  const show = (entries: ReadonlyArray<Omit<Entry, "isSaving">>): void => {
    order = entries.map(({ id }) => id)
    state.entries = entries.map((entry) => ({ ...entry, isSaving: false }))
    state.notice = `${quantity(entries.length, "entry", "entries")}.`
  }

  const read = (): void => {
    const { kind, status } = state
    state.error = undefined
    if (session.account.value === undefined) {
      latest.stop()
      Object.assign(state, { entries: [], notice: "Sign in to see your list." })
      return
    }
    const params = { username: "@me", status, sort: "list_updated_at", limit } as const
    if (kind === "anime") {
      const options = { fields: ["list_status", "num_episodes"], nsfw: true, max } as const
      void latest.run("user.animeList.collect", [params, options], (entries) =>
        show(
          entries.map(({ list_status: own, node: { id, num_episodes: total = 0, title } }) => ({
            id,
            title,
            total,
            isRepeated: own?.is_rewatching === true,
            ...kept(own, own?.num_episodes_watched)
          }))
        )
      )
    } else {
      const options = { fields: ["list_status", "num_chapters"], nsfw: true, max } as const
      void latest.run("user.mangaList.collect", [params, options], (entries) =>
        show(
          entries.map(({ list_status: own, node: { id, num_chapters: total = 0, title } }) => ({
            id,
            title,
            total,
            isRepeated: own?.is_rereading === true,
            ...kept(own, own?.num_chapters_read)
          }))
        )
      )
    }
  }

  const readStatistics = (): void => {
    if (session.account.value === undefined) {
      profile.stop()
      state.statistics = undefined
      return
    }
    void profile.run("user.me", [{ fields: ["anime_statistics"] }], ({ anime_statistics }) => {
      state.statistics = anime_statistics
    })
  }

  /** Shows a change at once; takes it back if it fails. */
  const change = async (entry: Entry, changed: Change): Promise<void> => {
    if (entry.isSaving) {
      return
    }
    const before = { progress: entry.progress, score: entry.score, status: entry.status }
    Object.assign(entry, changed, { isSaving: true })
    try {
      Object.assign(entry, await write(session, state.kind, entry.id, changed))
      state.error = undefined
      state.notice = `${entry.title} was saved.`
    } catch (error) {
      Object.assign(entry, before)
      state.error = shownError(error)
      state.notice = `${entry.title} was not saved; the change was undone.`
    } finally {
      entry.isSaving = false
    }
  }

  /** One more episode or chapter. The last one completes the entry. */
  const advance = (entry: Entry): Promise<void> => {
    const progress = entry.progress + 1
    if (progress > entry.total && entry.total > 0) {
      state.notice = `${entry.title} is at its end.`
      return Promise.resolve()
    }
    return change(entry, progress === entry.total ? { progress, status: "completed" } : { progress })
  }

  const remove = async (entry: Entry): Promise<void> => {
    if (entry.isSaving) {
      return
    }
    entry.isSaving = true
    const { kind, status } = state
    state.entries = state.entries.filter(({ id }) => id !== entry.id)
    try {
      await session.call(`${kind}.deleteFromList`, [{ id: entry.id }])
      state.error = undefined
      state.notice = `${entry.title} was removed.`
    } catch (error) {
      // Another list may be shown by now.
      if (state.kind === kind && state.status === status && !state.entries.some(({ id }) => id === entry.id)) {
        state.entries = [...state.entries, entry].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
      }
      state.error = shownError(error)
      state.notice = `${entry.title} was not removed; it is back on the list.`
    } finally {
      entry.isSaving = false
    }
  }

  watch(
    () => state.kind,
    (kind) => {
      state.status = kind === "anime" ? "watching" : "reading"
    },
    // An address can name both.
    { flush: "sync" }
  )
  keep("list", [
    memberOf(state, "kind", { choices: kinds }),
    memberOf(state, "status", { choices: kinds.flatMap((kind) => Object.keys(statuses[kind])) })
  ])
  watch(() => [state.kind, state.status], read)
  const readAll = (): void => {
    read()
    readStatistics()
  }
  watchAccount(explore, "list", readAll)
  readAll()

  /** How many entries have which status, with the longest bar for the largest. */
  const bars = computed(() => {
    const of = (status: keyof typeof statuses.anime): number => state.statistics?.[`num_items_${status}`] ?? 0
    const rows = Object.entries(statuses.anime).map(([status, label]) => ({
      label,
      count: of(status as keyof typeof statuses.anime)
    }))
    return { rows, most: Math.max(1, ...rows.map(({ count }) => count)) }
  })
  return {
    state,
    latest: latest.state,
    profile: profile.state,
    bars,
    advance,
    change,
    remove,
    again: read,
    readStatistics
  }
}
