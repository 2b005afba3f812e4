// One anime or manga with what belongs to it, in one request.
import type { Anime, Manga } from "@catalog-client/core"
import { reactive, watch } from "vue"
import { shownError, type ShownError } from "../errors.js"
import { type Explore, type Kind, makeLatest, watchAccount } from "../explore.js"
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
  readonly related: ReadonlyArray<Related>
  readonly recommended: ReadonlyArray<Related>
}

interface Edge {
  readonly node?: { readonly id: number; readonly title: string } | undefined
  readonly relation_type_formatted?: string | undefined
  readonly num_recommendations?: number | undefined
}

const relatedOf = (edges: ReadonlyArray<Edge> = []): ReadonlyArray<Related> =>
  edges.flatMap(({ node, num_recommendations: times, relation_type_formatted: relation = "" }) =>
    node === undefined
      ? []
      : [{ id: node.id, title: node.title, relation: times === undefined ? relation : `${times} users` }]
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

const list = ["main_picture", "mean", "status", "media_type", "start_date", "synopsis", "genres"] as const
const nested = ["alternative_titles{ja}", "my_list_status"] as const

interface State {
  kind: Kind
  item: Title | undefined
  /** The user's own status, or `""`. */
  status: string
  notice: string
  error: ShownError | undefined
}

export const useTitle = (explore: Explore) => {
  const { session, state: shown } = explore
  const latest = makeLatest(session)
  const state = reactive<State>({
    kind: "anime",
    item: undefined,
    status: "",
    notice: "",
    error: undefined
  })

  const show = (kind: Kind, item: Title, status: string | undefined): void => {
    state.kind = kind
    state.item = item
    state.status = status ?? ""
    state.notice = ""
  }

  const read = (): void => {
    const { id, kind } = shown.title
    state.error = undefined
    if (kind === "anime") {
      const fields = [
        ...list,
        ...nested,
        "num_episodes",
        "studios{name}",
        "start_season",
        "related_anime{title}",
        "recommendations{title}"
      ] as const
      void latest.run("anime.get", [{ id }, { fields }], (anime) => {
        const { num_episodes: episodes = 0, start_season: season } = anime
        const facts = factsOf({
          score: anime.mean,
          episodes: episodes === 0 ? "not known" : episodes,
          season: season && `${season.season} ${season.year}`,
          studios: anime.studios?.map(({ name }) => name).join(", "),
          status: anime.status?.replaceAll("_", " "),
          from: anime.start_date
        })
        show(kind, { ...textsOf(anime), facts, related: relatedOf(anime.related_anime) }, anime.my_list_status?.status)
      })
    } else {
      const fields = [
        ...list,
        ...nested,
        "num_chapters",
        "num_volumes",
        "authors{first_name,last_name}",
        "related_manga{title}",
        "recommendations{title}"
      ] as const
      void latest.run("manga.get", [{ id }, { fields }], (manga) => {
        const { num_chapters: chapters = 0 } = manga
        const facts = factsOf({
          score: manga.mean,
          chapters: chapters === 0 ? "not known" : chapters,
          authors: manga.authors?.map(({ node }) => `${node?.first_name} ${node?.last_name}`.trim()).join(", "),
          status: manga.status?.replaceAll("_", " "),
          from: manga.start_date
        })
        show(kind, { ...textsOf(manga), facts, related: relatedOf(manga.related_manga) }, manga.my_list_status?.status)
      })
    }
  }

  /** Puts the item on the user's list, or moves it; an empty status takes it off the list. */
  const setStatus = async (status: string): Promise<void> => {
    const { item, kind, status: before } = state
    if (item === undefined || status === before) {
      return
    }
    state.status = status
    try {
      if (status === "") {
        await session.call(`${kind}.deleteFromList`, [{ id: item.id }])
      } else {
        await write(session, kind, item.id, { status })
      }
      state.error = undefined
      state.notice = status === "" ? "Removed from your list." : "Saved."
    } catch (error) {
      state.status = before
      state.error = shownError(error)
      state.notice = "Not saved; the change was undone."
    }
  }

  watch(() => [shown.title.kind, shown.title.id], read)
  watchAccount(explore, "title", read)
  read()
  return { state, latest: latest.state, setStatus, again: read }
}
