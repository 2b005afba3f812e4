// The user's own lists. A change is shown at once, and undone if the service refuses it.
import type { AnimeListStatusValue, MangaListStatusValue, UserAnimeStatistics } from "catalog-client"
import { computed, reactive, watch } from "vue"
import { hadNoEffect, shownError } from "../errors.js"
import { memberOf } from "../address.js"
import {
  type Explore,
  type Kind,
  kinds,
  type LastChange,
  makeLatest,
  makeSend,
  untilChosen,
  versionOf
} from "../explore.js"
import { type Session, shownOf } from "../session.js"

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

const statusesOf = (kind: Kind): ReadonlyArray<string> => Object.keys(statuses[kind])

/** What can be changed of an entry. */
interface Kept {
  progress: number
  score: number
  status: string
}

/** An entry of either list. */
export interface Entry extends Kept {
  readonly id: number
  readonly title: string
  /** Episodes or chapters; 0 if their number is not known. */
  readonly total: number
  /** Whether it is watched or read again: such entries are listed as watching, whatever their status. */
  readonly isRepeated: boolean
  /** As the service has it. */
  saved: Kept
  /** What was changed and is not sent yet. */
  unsent: Partial<Kept>
  isSaving: boolean
  isRemoved: boolean
}

/** Entries of a page: a list is longer, so that it takes several requests. */
const limit = 10

/** Entries that are read at first, and with each More. */
const part = 20

/** What an entry of either list holds, as the service keeps it. */
const kept = (
  own: { readonly score?: number | undefined; readonly status?: string | undefined } | undefined,
  progress = 0
): Kept => ({ progress, score: own?.score ?? 0, status: own?.status ?? "" })

const entryOf = (
  { id, title }: { readonly id: number; readonly title: string },
  total: number,
  saved: Kept,
  isRepeated = false
): Entry => ({ id, title, total, isRepeated, ...saved, saved, unsent: {}, isSaving: false, isRemoved: false })

/** Whether an entry has no more episodes or chapters. */
export const isFinished = ({ progress, total }: Entry): boolean => total > 0 && progress >= total

/** Writes a change to the list of that kind; the names of inputs differ. */
export const write = async (send: Session["call"], kind: Kind, id: number, change: Partial<Kept>): Promise<Kept> => {
  const { progress, score, status } = change
  const same = { ...(score !== undefined && { score }), ...(status !== undefined && { status }) }
  if (kind === "anime") {
    const episodes = progress === undefined ? {} : { num_watched_episodes: progress }
    const saved = await send("anime.updateMyListStatus", [{ id, ...episodes, ...same }])
    return kept(saved, saved.num_episodes_watched)
  }
  const chapters = progress === undefined ? {} : { num_chapters_read: progress }
  const saved = await send("manga.updateMyListStatus", [{ id, ...chapters, ...same }])
  return kept(saved, saved.num_chapters_read)
}

interface State {
  kind: Kind
  status: string
  entries: Array<Entry>
  /** Whether the list is longer than what was read. */
  hasMore: boolean
  change: LastChange
  statistics: UserAnimeStatistics | undefined
  /** Whether these count the last change. */
  isCounted: boolean
}

export const useList = (explore: Explore) => {
  const { keep, session, state: shown } = explore
  const { account } = session
  const state = reactive<State>({
    kind: "anime",
    status: "watching",
    entries: [],
    hasMore: false,
    change: { notice: "" },
    statistics: undefined,
    isCounted: true
  })
  const send = makeSend(explore, "list")
  const latest = makeLatest(session, () => {
    Object.assign(state, { entries: [], hasMore: false })
  })
  const profile = makeLatest(session, () => {
    state.statistics = undefined
  })

  /** The ids of the list as it was read. */
  let order: ReadonlyArray<number> = []
  /** How many entries are read. */
  let max = part
  /** The entries that were changed since the list was requested, by kind and id; none for one that was removed. */
  const touched = new Map<string, Entry | undefined>()
  /** Those whose change or removal is in flight. */
  const inFlight = new Set<string>()
  /** What saves an entry. */
  const saving = new Map<string, Promise<void>>()
  const keyOf = (id: number): string => `${state.kind} ${id}`

  const begin = (key: string, entry?: Entry): void => {
    touched.set(key, entry)
    inFlight.add(key)
  }

  /** Shows a list as it was read. What was changed meanwhile stays as the user left it. */
  const show = (read: ReadonlyArray<Entry>): void => {
    order = read.map(({ id }) => id)
    state.hasMore = read.length === max
    state.entries = read.flatMap((entry) => {
      const key = keyOf(entry.id)
      return touched.has(key) ? (touched.get(key) ?? []) : entry
    })
  }

  /** Which list is shown. */
  const listNow = (): string => `${state.kind} ${state.status}`

  const read = (isMore = false): void => {
    const { kind, status } = state
    if (account.value === undefined) {
      latest.stop()
      return
    }
    for (const key of touched.keys()) {
      if (!inFlight.has(key)) {
        touched.delete(key)
      }
    }
    const params = { username: "@me", status, sort: "list_updated_at", limit } as const
    const about = { of: listNow(), isMore }
    if (kind === "anime") {
      const options = { fields: ["list_status", "num_episodes"], nsfw: true, max } as const
      void latest.run(
        "user.animeList.collect",
        [params, options],
        (entries) =>
          show(
            entries.map(({ list_status: own, node }) =>
              entryOf(node, node.num_episodes ?? 0, kept(own, own?.num_episodes_watched), own?.is_rewatching)
            )
          ),
        about
      )
    } else {
      const options = { fields: ["list_status", "num_chapters"], nsfw: true, max } as const
      void latest.run(
        "user.mangaList.collect",
        [params, options],
        (entries) =>
          show(
            entries.map(({ list_status: own, node }) =>
              entryOf(node, node.num_chapters ?? 0, kept(own, own?.num_chapters_read), own?.is_rereading)
            )
          ),
        about
      )
    }
  }

  const readStatistics = (): void => {
    if (account.value === undefined) {
      profile.stop()
      return
    }
    void profile.run("user.me", [{ fields: ["anime_statistics"] }], ({ anime_statistics }) => {
      Object.assign(state, { statistics: anime_statistics, isCounted: true })
    })
  }

  /** Reports a change that failed. If it may have had an effect, the list is read again, unless another one is shown by now. */
  const reportFailure = (cause: unknown, list: string, undone: string, lost: string): void => {
    const error = shownError(cause)
    const isUndone = hadNoEffect(error)
    const isRead = !isUndone && list === listNow()
    const notice = isUndone
      ? undone
      : `No usable reply came: ${lost}.${isRead ? " To find out, the list is loaded again." : ""}`
    state.change = { notice, error }
    if (isRead) {
      read()
    }
  }

  /** Sends what was changed of an entry, until nothing is left. */
  const save = async (entry: Entry, key: string): Promise<void> => {
    const { kind } = state
    const { id, title } = entry
    const list = listNow()
    const user = account.value
    /** Whether what becomes of the entry is still of interest. */
    const isCurrent = (): boolean => account.value === user && !entry.isRemoved
    begin(key, entry)
    entry.isSaving = true
    if (entry.unsent.progress === undefined) {
      await untilChosen(() => `${entry.score} ${entry.status}`)
    }
    while (isCurrent() && Object.keys(entry.unsent).length > 0) {
      const sent = entry.unsent
      entry.unsent = {}
      try {
        entry.saved = await write(send, kind, id, sent)
        Object.assign(entry, entry.saved, entry.unsent)
        if (isCurrent()) {
          state.isCounted = false
          state.change = { notice: `${title} was saved.` }
        }
      } catch (error) {
        entry.unsent = {}
        Object.assign(entry, entry.saved)
        if (isCurrent()) {
          inFlight.delete(key)
          reportFailure(error, list, `${title} was not saved; the change was undone.`, `${title} may have been saved`)
        }
      }
    }
    entry.isSaving = false
    if (isCurrent()) {
      inFlight.delete(key)
      // The list that is shown by now may be the one that the entry was moved to.
      if (list !== listNow() && kind === state.kind) {
        read()
      }
    }
  }

  /** Shows a change at once, and sends it. What is changed meanwhile is sent next. */
  const change = async (entry: Entry, changed: Partial<Kept>): Promise<void> => {
    Object.assign(entry, changed)
    Object.assign(entry.unsent, changed)
    if (!entry.isSaving) {
      const key = keyOf(entry.id)
      const saved = save(entry, key)
      saving.set(key, saved)
      await saved
    }
  }

  /** One more episode or chapter. The last one completes the entry. */
  const advance = (entry: Entry): Promise<void> => {
    if (isFinished(entry)) {
      const parts = state.kind === "anime" ? "episodes" : "chapters"
      state.change = { notice: `${entry.title} has no more ${parts}.` }
      return Promise.resolve()
    }
    const progress = entry.progress + 1
    return change(entry, progress === entry.total ? { progress, status: "completed" } : { progress })
  }

  const remove = async (entry: Entry): Promise<void> => {
    const { kind } = state
    const { id, title } = entry
    const list = listNow()
    const user = account.value
    const key = keyOf(id)
    entry.unsent = {}
    entry.isRemoved = true
    begin(key)
    state.entries = state.entries.filter((other) => other.id !== id)
    // A change that reaches the service later would put it on the list again.
    await saving.get(key)
    if (account.value !== user) {
      return
    }
    try {
      await send(`${kind}.deleteFromList`, [{ id }])
      if (account.value === user) {
        inFlight.delete(key)
        state.isCounted = false
        state.change = { notice: `${title} was removed.` }
      }
    } catch (error) {
      if (account.value !== user) {
        return
      }
      entry.isRemoved = false
      touched.delete(key)
      inFlight.delete(key)
      if (list === listNow() && !state.entries.some((other) => other.id === id)) {
        state.entries = [...state.entries, entry].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
      }
      reportFailure(error, list, `${title} was not removed; it is back on the list.`, `${title} may have been removed`)
    }
  }

  watch(
    () => state.kind,
    (kind) => {
      state.status = statusesOf(kind)[0] ?? ""
    },
    // An address can name both.
    { flush: "sync" }
  )
  keep("list", [
    memberOf(state, "kind", { choices: kinds }),
    memberOf(state, "status", { choices: () => statusesOf(state.kind) })
  ])
  const forget = (): void => {
    state.change = { notice: "" }
  }
  const reload = (): void => {
    forget()
    read()
  }
  /** Reads from the start: a change can have moved entries. */
  const more = (): void => {
    max = order.length + part
    read(true)
  }
  watch(listNow, () => {
    max = part
    reload()
  })
  // A failure that the user has not seen yet stays.
  watch(
    () => shown.view,
    (_, left) => {
      if (left === "list") {
        forget()
      }
    }
  )
  watch(
    account,
    () => {
      touched.clear()
      inFlight.clear()
      saving.clear()
      forget()
    },
    { flush: "sync" }
  )
  const readAll = (): void => {
    read()
    readStatistics()
  }
  watch(versionOf(explore, "list"), readAll)
  readAll()

  const found = computed(() => {
    if (account.value === undefined) {
      return "Sign in to see your list."
    }
    if (latest.state.isLoading) {
      return "Loading…"
    }
    return latest.state.error ? "" : shownOf(state.entries.length, state.hasMore, "entry", "entries")
  })
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
    found,
    latest: latest.state,
    profile: profile.state,
    bars,
    advance,
    change,
    more,
    remove,
    reload,
    readStatistics
  }
}
