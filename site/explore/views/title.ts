// One anime or manga with what belongs to it, in one request.
import type { Anime, Manga } from "catalog-client"
import { computed, reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { hadNoEffect, shownError } from "../errors.js"
import { type Explore, type Kind, type LastChange, makeLatest, makeSend, untilChosen, versionOf } from "../explore.js"
import { memberOfReply, typeOf } from "../fields.js"
import { quantity } from "../session.js"
import { write } from "./list.js"

/** A related item. */
interface Related {
  readonly id: number
  readonly title: string
  readonly relation: string
}

/** What the view shows of an item of either kind. */
interface Title {
  readonly id: number
  readonly title: string
  readonly japanese: string | undefined
  readonly synopsis: string | undefined
  /** Name and value of each fact. */
  readonly facts: ReadonlyArray<readonly [name: string, value: string]>
  readonly genres: ReadonlyArray<{ readonly name?: string | undefined }>
  /** Neither is there unless it was requested. */
  readonly related: ReadonlyArray<Related> | undefined
  readonly recommended: ReadonlyArray<Related> | undefined
}

interface Edge {
  readonly node?: { readonly id: number; readonly title: string } | undefined
  readonly relation_type_formatted?: string | undefined
  readonly num_recommendations?: number | undefined
}

const relatedOf = (edges: ReadonlyArray<Edge> | undefined): ReadonlyArray<Related> | undefined =>
  edges?.flatMap(({ node, num_recommendations: times, relation_type_formatted: relation = "" }) =>
    node === undefined
      ? []
      : [
          {
            id: node.id,
            title: node.title,
            relation: times === undefined ? relation : `recommended by ${quantity(times, "user")}`
          }
        ]
  )

/** What both kinds have. */
const textsOf = (item: Anime | Manga) => ({
  id: item.id,
  title: item.title,
  japanese: item.alternative_titles?.ja,
  synopsis: item.synopsis,
  genres: item.genres ?? [],
  recommended: relatedOf(item.recommendations)
})

const factsOf = (facts: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)] as const]
  )

const shared = {
  main_picture: "Picture",
  "alternative_titles{ja}": "{ readonly ja?: string }",
  mean: "number",
  start_date: "string",
  genres: "ReadonlyArray<Genre>",
  synopsis: "string"
} as const

const edges = "ReadonlyArray<{ readonly node?: { readonly id: number; readonly title: string } }>"

/** The fields that can be chosen, and their types in a reply. What is in braces is all that is wanted of a field. */
export const titleFields = {
  anime: {
    ...shared,
    status: "AnimeStatus",
    media_type: "AnimeMediaType",
    num_episodes: "number",
    start_season: "AnimeSeason",
    "studios{name}": "ReadonlyArray<{ readonly name?: string }>",
    "related_anime{title}": edges,
    "recommendations{title}": edges,
    my_list_status: "AnimeListStatus"
  },
  manga: {
    ...shared,
    status: "MangaStatus",
    media_type: "MangaMediaType",
    num_chapters: "number",
    num_volumes: "number",
    "authors{first_name,last_name}":
      "ReadonlyArray<{ readonly node?: { readonly first_name?: string; readonly last_name?: string } }>",
    "related_manga{title}": edges,
    "recommendations{title}": edges,
    my_list_status: "MangaListStatus"
  }
} as const

interface State {
  kind: Kind
  item: Title | undefined
  /** The members that are not requested. */
  omitted: Array<string>
  /** The user's own status, or `""`. */
  status: string
  change: LastChange
}

export const useTitle = (explore: Explore) => {
  const { keep, session, state: shown } = explore
  const state = reactive<State>({ kind: "anime", item: undefined, omitted: [], status: "", change: { notice: "" } })
  keep("title", [memberOf(state, "omitted")])
  const send = makeSend(explore, "title")
  const latest = makeLatest(session, () => {
    state.item = undefined
  })

  const { account } = session
  /** What was chosen for titles and is not saved yet. */
  const chosen = new Map<string, string>()
  /** What was saved since the title was requested. */
  const saved = new Map<string, string>()

  const show = (kind: Kind, item: Title, status: string | undefined): void => {
    const title = `${kind} ${item.id}`
    Object.assign(state, { kind, item, status: chosen.get(title) ?? saved.get(title) ?? status ?? "" })
  }

  /** Which title is shown. */
  const titleNow = (): string => `${shown.title.kind} ${shown.title.id}`

  /** The fields of a kind that are requested. */
  const chosenOf = <K extends Kind>(kind: K) =>
    (Object.keys(titleFields[kind]) as Array<keyof (typeof titleFields)[K] & string>).filter(
      (field) => !state.omitted.includes(memberOfReply(field))
    )

  const fields = computed({
    get: (): ReadonlyArray<string> => chosenOf(shown.title.kind),
    set: (chosen) => {
      const all = Object.keys(titleFields[shown.title.kind])
      state.omitted = all.filter((field) => !chosen.includes(field)).map(memberOfReply)
    }
  })

  const read = (): void => {
    const { id, kind } = shown.title
    saved.clear()
    const about = { of: titleNow() }
    if (kind === "anime") {
      const fields = chosenOf(kind)
      void latest.run(
        "anime.get",
        [{ id }, fields.length === 0 ? {} : { fields }],
        (anime) => {
          const { num_episodes: episodes, start_season: season } = anime
          const facts = factsOf({
            score: anime.mean?.toFixed(2),
            episodes: episodes === 0 ? "not known" : episodes,
            season: season && `${season.season} ${season.year}`,
            studios: anime.studios?.map(({ name }) => name).join(", "),
            status: anime.status?.replaceAll("_", " "),
            from: anime.start_date
          })
          show(
            kind,
            { ...textsOf(anime), facts, related: relatedOf(anime.related_anime) },
            anime.my_list_status?.status
          )
        },
        about
      )
    } else {
      const fields = chosenOf(kind)
      void latest.run(
        "manga.get",
        [{ id }, fields.length === 0 ? {} : { fields }],
        (manga) => {
          const { num_chapters: chapters } = manga
          const facts = factsOf({
            score: manga.mean?.toFixed(2),
            chapters: chapters === 0 ? "not known" : chapters,
            authors: manga.authors?.map(({ node }) => `${node?.first_name} ${node?.last_name}`.trim()).join(", "),
            status: manga.status?.replaceAll("_", " "),
            from: manga.start_date
          })
          show(
            kind,
            { ...textsOf(manga), facts, related: relatedOf(manga.related_manga) },
            manga.my_list_status?.status
          )
        },
        about
      )
    }
  }

  /** Puts the title on the user's list, or moves it; an empty status takes it off. What is chosen meanwhile is sent next. */
  const setStatus = async (status: string): Promise<void> => {
    const { item, kind } = state
    if (item === undefined) {
      return
    }
    const { id, title: name } = item
    const title = `${kind} ${id}`
    const isSending = chosen.has(title)
    const user = account.value
    let last = state.status
    chosen.set(title, status)
    state.status = status
    if (isSending) {
      return
    }
    /** Another title may be shown by the time of a reply. */
    const isShown = (): boolean => titleNow() === title
    await untilChosen(() => chosen.get(title))
    for (let sent = chosen.get(title) ?? last; sent !== last; sent = chosen.get(title) ?? last) {
      try {
        await (sent === "" ? send(`${kind}.deleteFromList`, [{ id }]) : write(send, kind, id, { status: sent }))
        last = sent
        if (account.value !== user) {
          return
        }
        saved.set(title, sent)
        if (isShown()) {
          const notice = sent === "" ? "Removed from your list." : "Saved."
          Object.assign(state, { status: chosen.get(title) ?? sent, change: { notice } })
        }
      } catch (cause) {
        if (account.value !== user) {
          return
        }
        const error = shownError(cause)
        const isUndone = hadNoEffect(error)
        chosen.delete(title)
        const isRead = !isUndone && isShown()
        const lost = `No usable reply came: the change of ${name} may have been saved.`
        const notice = isUndone ? `${name} was not saved; the change was undone.` : lost
        state.change = { notice: isRead ? `${notice} To find out, the title is loaded again.` : notice, error }
        if (isShown()) {
          state.status = last
        }
        if (isRead) {
          read()
        }
      }
    }
    chosen.delete(title)
  }

  watch([titleNow, () => shown.opened, () => state.omitted, versionOf(explore, "title")], read)
  const forget = (): void => {
    state.change = { notice: "" }
  }
  // A failure that the user has not seen yet stays.
  watch([() => shown.view, titleNow], (_, [left]) => {
    if (left === "title") {
      forget()
    }
  })
  watch(
    account,
    () => {
      chosen.clear()
      saved.clear()
      forget()
    },
    { flush: "sync" }
  )
  read()
  return {
    state,
    fields,
    latest: latest.state,
    setStatus,
    type: computed(() => typeOf(titleFields[shown.title.kind], fields.value))
  }
}
