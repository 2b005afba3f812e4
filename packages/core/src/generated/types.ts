/**
 * What operations take and return. Written by the build.
 *
 * @since 0.2.0
 */
export type { Anime, Manga } from "../model/Item.js"
export type { AnimeListStatus, MangaListStatus } from "../model/ListStatus.js"
export type {
  AnimeListPage,
  AnimePage,
  AnimeRankingPage,
  MangaListPage,
  MangaPage,
  MangaRankingPage,
  SeasonalPage
} from "../model/Page.js"
export type { User } from "../model/User.js"
export type { AnimeListUpdateParams, MangaListUpdateParams } from "../listUpdates.js"
export type { AnimeParams, AnimeRankingParams, SearchParams, SeasonalParams } from "../anime.js"
export type { MangaParams, MangaRankingParams } from "../manga.js"
export type { AnimeListParams, MangaListParams, UserParams } from "../user.js"
export type { TopicParams, TopicsParams } from "../forum.js"
export type { ForumBoards, ForumTopicPage, ForumTopicsPage } from "../forum.js"
