/**
 * The records of replies and their sets of words. Written by the build.
 *
 * @since 0.2.0
 */
export { AlternativeTitles, AnimeSeason, Broadcast, Genre, Paging, Picture, Studio } from "../model/Common.js"
export {
  AnimeListSort,
  AnimeListStatusValue,
  AnimeMediaType,
  AnimeRankingType,
  AnimeStatus,
  DayOfTheWeek,
  MangaListSort,
  MangaListStatusValue,
  MangaMediaType,
  MangaRankingType,
  MangaStatus,
  Nsfw,
  Rating,
  RelationType,
  Season,
  SeasonalSort,
  Source,
  TopicSort
} from "../model/Enumeration.js"
export {
  Anime,
  AnimeNode,
  AnimeRecommendation,
  AnimeStatistics,
  AnimeStatusCounts,
  Author,
  Magazine,
  Manga,
  MangaNode,
  MangaRecommendation,
  Person,
  RelatedAnime,
  RelatedManga,
  Serialization,
  Theme,
  Video
} from "../model/Item.js"
export { AnimeListStatus, MangaListStatus } from "../model/ListStatus.js"
export {
  AnimeEntry,
  AnimeListEntry,
  AnimeListPage,
  AnimePage,
  AnimeRankingEntry,
  AnimeRankingPage,
  MangaEntry,
  MangaListEntry,
  MangaListPage,
  MangaPage,
  MangaRankingEntry,
  MangaRankingPage,
  Ranking,
  SeasonalPage
} from "../model/Page.js"
export { User, UserAnimeStatistics } from "../model/User.js"
export {
  ForumAuthor,
  ForumBoard,
  ForumBoards,
  ForumCategory,
  ForumPoll,
  ForumPollOption,
  ForumPost,
  ForumSubboard,
  ForumTopicDetail,
  ForumTopicPage,
  ForumTopicSummary,
  ForumTopicsPage
} from "../forum.js"
