/**
 * Pages of items and their entries.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { AnimeSeason, Paging } from "./Common.js"
import { AnimeNode, MangaNode } from "./Item.js"
import { AnimeListStatus, MangaListStatus } from "./ListStatus.js"
import { array, optionalNumber, optional, record, requiredNumber } from "../internal/model/schema.js"

// Interfaces name their records, so that an editor shows the name and not all members.

/** A place in a ranking. */
export const Ranking = /*#__PURE__*/ record("Ranking", {
  /** From 1. */
  rank: requiredNumber,
  /** The place before, from 1. The live service has never sent it. */
  previous_rank: optionalNumber
})
export interface Ranking extends Schema.Schema.Type<typeof Ranking> {}

/** An anime as an entry of a search, of a season or of the suggestions. */
export const AnimeEntry = /*#__PURE__*/ record("AnimeEntry", {
  /** The anime. */
  node: AnimeNode
})
export interface AnimeEntry extends Schema.Schema.Type<typeof AnimeEntry> {}

/** A manga as an entry of a search. */
export const MangaEntry = /*#__PURE__*/ record("MangaEntry", {
  /** The manga. */
  node: MangaNode
})
export interface MangaEntry extends Schema.Schema.Type<typeof MangaEntry> {}

/** An anime with its place in a ranking. */
export const AnimeRankingEntry = /*#__PURE__*/ record("AnimeRankingEntry", {
  /** The anime. */
  node: AnimeNode,
  ranking: Ranking
})
export interface AnimeRankingEntry extends Schema.Schema.Type<typeof AnimeRankingEntry> {
  /** Its place in the ranking. */
  readonly ranking: Ranking
}

/** A manga with its place in a ranking. */
export const MangaRankingEntry = /*#__PURE__*/ record("MangaRankingEntry", {
  /** The manga. */
  node: MangaNode,
  ranking: Ranking
})
export interface MangaRankingEntry extends Schema.Schema.Type<typeof MangaRankingEntry> {
  /** Its place in the ranking. */
  readonly ranking: Ranking
}

/** An entry of a user's anime list, with `list_status` if requested. */
export const AnimeListEntry = /*#__PURE__*/ record("AnimeListEntry", {
  /** The anime. */
  node: AnimeNode,
  /** The user's status, score and progress. */
  list_status: /*#__PURE__*/ optional<AnimeListStatus>(AnimeListStatus)
})
export interface AnimeListEntry extends Schema.Schema.Type<typeof AnimeListEntry> {}

/** An entry of a user's manga list, with `list_status` if requested. */
export const MangaListEntry = /*#__PURE__*/ record("MangaListEntry", {
  /** The manga. */
  node: MangaNode,
  /** The user's status, score and progress. */
  list_status: /*#__PURE__*/ optional<MangaListStatus>(MangaListStatus)
})
export interface MangaListEntry extends Schema.Schema.Type<typeof MangaListEntry> {}

/** A page of entries, with any other properties. */
const page = <Entry extends Schema.Schema.AnyNoContext>(identifier: string, entry: Entry) =>
  record(identifier, {
    data: /*#__PURE__*/ array(entry),
    /** Links to other pages. */
    paging: /*#__PURE__*/ optional<Paging>(Paging)
  })

/** A page of anime: the reply of a search and of the suggestions. */
export const AnimePage = /*#__PURE__*/ page("AnimePage", AnimeEntry)
export interface AnimePage extends Schema.Schema.Type<typeof AnimePage> {
  /** The page's entries. */
  readonly data: ReadonlyArray<AnimeEntry>
}

/** A page of a season's anime. */
export const SeasonalPage = /*#__PURE__*/ record("SeasonalPage", {
  data: /*#__PURE__*/ array(AnimeEntry),
  /** Links to other pages. */
  paging: /*#__PURE__*/ optional<Paging>(Paging),
  /** The season of the page. */
  season: /*#__PURE__*/ optional<AnimeSeason>(AnimeSeason)
})
export interface SeasonalPage extends Schema.Schema.Type<typeof SeasonalPage> {
  /** The page's entries. */
  readonly data: ReadonlyArray<AnimeEntry>
}

/** A page of a ranking of anime. */
export const AnimeRankingPage = /*#__PURE__*/ page("AnimeRankingPage", AnimeRankingEntry)
export interface AnimeRankingPage extends Schema.Schema.Type<typeof AnimeRankingPage> {
  /** The page's entries. */
  readonly data: ReadonlyArray<AnimeRankingEntry>
}

/** A page of a user's anime list. */
export const AnimeListPage = /*#__PURE__*/ page("AnimeListPage", AnimeListEntry)
export interface AnimeListPage extends Schema.Schema.Type<typeof AnimeListPage> {
  /** The page's entries. */
  readonly data: ReadonlyArray<AnimeListEntry>
}

/** A page of manga: the reply of a search. */
export const MangaPage = /*#__PURE__*/ page("MangaPage", MangaEntry)
export interface MangaPage extends Schema.Schema.Type<typeof MangaPage> {
  /** The page's entries. */
  readonly data: ReadonlyArray<MangaEntry>
}

/** A page of a ranking of manga. */
export const MangaRankingPage = /*#__PURE__*/ page("MangaRankingPage", MangaRankingEntry)
export interface MangaRankingPage extends Schema.Schema.Type<typeof MangaRankingPage> {
  /** The page's entries. */
  readonly data: ReadonlyArray<MangaRankingEntry>
}

/** A page of a user's manga list. */
export const MangaListPage = /*#__PURE__*/ page("MangaListPage", MangaListEntry)
export interface MangaListPage extends Schema.Schema.Type<typeof MangaListPage> {
  /** The page's entries. */
  readonly data: ReadonlyArray<MangaListEntry>
}
