// Rankings of both kinds, and what the service suggests to the user.
import type { AnimeRankingType, MangaRankingType } from "catalog-client"
import { computed, reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type CardItem, type Explore, type Kind, kinds, makeLatest, type PageOf, versionOf } from "../explore.js"
import { shownOf } from "../session.js"

export const rankings = {
  anime: {
    all: "All",
    airing: "Airing",
    upcoming: "Upcoming",
    tv: "TV",
    ova: "OVA",
    movie: "Movies",
    special: "Specials",
    bypopularity: "By popularity",
    favorite: "Favorites"
  } satisfies Record<AnimeRankingType, string>,
  manga: {
    all: "All",
    manga: "Manga",
    novels: "Novels",
    oneshots: "One-shots",
    doujin: "Doujinshi",
    manhwa: "Manhwa",
    manhua: "Manhua",
    bypopularity: "By popularity",
    favorite: "Favorites"
  } satisfies Record<MangaRankingType, string>
}

/** A row of a ranking; suggestions have no rank. */
interface Ranked extends CardItem {
  readonly rank: number | undefined
}

const limit = 10

export const useRankings = (explore: Explore) => {
  const { keep, session } = explore
  const state = reactive<{
    from: Kind | "suggestions"
    rankingType: string
    rows: ReadonlyArray<Ranked>
    hasMore: boolean
  }>({
    from: "anime",
    rankingType: "all",
    rows: [],
    hasMore: false
  })
  const latest = makeLatest(session, () => {
    state.rows = []
  })

  type Entry = { readonly node: CardItem; readonly ranking?: { readonly rank?: number | undefined } }
  const onReply = ({ data, paging }: PageOf<Entry>): void => {
    state.rows = data.map(({ node, ranking }) => ({ ...node, rank: ranking?.rank }))
    state.hasMore = paging?.next !== undefined
  }

  const read = (): void => {
    const { from, rankingType } = state
    const about = { of: `${from} ${rankingType}` }
    if (from === "suggestions") {
      void latest.run("anime.suggestions", [{ limit, fields: ["mean", "genres"] }], onReply, about)
    } else {
      void latest.run(`${from}.ranking`, [{ rankingType, limit }, { fields: ["mean", "genres"] }], onReply, about)
    }
  }

  watch(
    () => state.from,
    () => {
      state.rankingType = "all"
    },
    // An address can name both.
    { flush: "sync" }
  )
  keep("rankings", [
    memberOf(state, "from", { choices: [...kinds, "suggestions"] }),
    memberOf(state, "rankingType", {
      choices: () => (state.from === "suggestions" ? ["all"] : Object.keys(rankings[state.from]))
    })
  ])
  watch(() => [state.from, state.rankingType], read)
  watch(versionOf(explore, "rankings"), () => {
    if (state.from === "suggestions") {
      read()
    }
  })
  read()
  const found = computed(() => {
    const { error, isLoading } = latest.state
    return isLoading ? "Loading…" : error ? "" : shownOf(state.rows.length, state.hasMore, "title")
  })
  return { state, found, latest: latest.state }
}
