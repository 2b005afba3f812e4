/**
 * What operations take and return. Written by the build.
 *
 * @since 0.2.0
 */
export type {
  Anime,
  AnimeListPage,
  AnimeListStatus,
  AnimePage,
  AnimeRankingPage,
  ForumBoards,
  ForumTopicPage,
  ForumTopicsPage,
  Manga,
  MangaListPage,
  MangaListStatus,
  MangaPage,
  MangaRankingPage,
  SeasonalPage,
  User
} from "../models.js"
export type { AnimeListUpdateParams, MangaListUpdateParams } from "../listUpdates.js"
export type { AnimeParams, AnimeRankingParams, SearchParams, SeasonalParams } from "../anime.js"
export type { MangaParams, MangaRankingParams } from "../manga.js"
export type { AnimeListParams, MangaListParams, UserParams } from "../user.js"
export type { TopicParams, TopicsParams } from "../forum.js"
