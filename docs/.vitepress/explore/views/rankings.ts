// Rankings of both kinds, and what the service suggests to the user.
import type { AnimeRankingType, MangaRankingType } from "@catalog-client/core"
import { reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type CardItem, type Explore, type Kind, kinds, makeLatest, watchAccount } from "../explore.js"

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
  const latest = makeLatest(session, () => Object.assign(state, { rows: [], found: "" }))
  const state = reactive<{
    from: Kind | "suggestions"
    rankingType: string
    rows: ReadonlyArray<Ranked>
    found: string
  }>({
    from: "anime",
    rankingType: "all",
    rows: [],
    found: ""
  })

  type Entry = { readonly node: CardItem; readonly ranking?: { readonly rank?: number | undefined } }
  const onReply = ({ data }: { readonly data: ReadonlyArray<Entry> }): void => {
    state.rows = data.map(({ node, ranking }) => ({ ...node, rank: ranking?.rank }))
    state.found = `${data.length} shown.`
  }

  const read = (): void => {
    const { from, rankingType } = state
    if (from === "suggestions") {
      void latest.run("anime.suggestions", [{ limit, fields: ["mean", "genres"] }], onReply)
    } else {
      void latest.run(`${from}.ranking`, [{ rankingType, limit }, { fields: ["mean", "genres"] }], onReply)
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
    memberOf(state, "rankingType", { choices: kinds.flatMap((kind) => Object.keys(rankings[kind])) })
  ])
  watch(() => [state.from, state.rankingType], read)
  watchAccount(explore, "rankings", () => {
    if (state.from === "suggestions") {
      read()
    }
  })
  read()
  return { state, latest: latest.state, again: read }
}
