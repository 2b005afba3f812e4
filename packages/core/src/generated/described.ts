/**
 * The Schemas of the subpath `schemas`. Written by the build.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import * as listUpdates from "../listUpdates.js"
import * as anime from "../anime.js"
import * as manga from "../manga.js"
import * as user from "../user.js"
import * as forum from "../forum.js"
import {
  type Described,
  operation,
  type DescribedOptions,
  params,
  record,
  updateParams,
  updating
} from "../internal/schemas/described.js"
import { kinds } from "../internal/schemas/inputSchemas.js"
import * as models from "./models.js"

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
} from "../generated/models.js"

export const AlternativeTitles: Described<models.AlternativeTitles> = /*#__PURE__*/ record(models.AlternativeTitles)
export type AlternativeTitles = models.AlternativeTitles

export const Anime: Described<models.Anime> = /*#__PURE__*/ record(models.Anime)
export type Anime = models.Anime

export const AnimeEntry: Described<models.AnimeEntry> = /*#__PURE__*/ record(models.AnimeEntry)
export type AnimeEntry = models.AnimeEntry

export const AnimeListEntry: Described<models.AnimeListEntry> = /*#__PURE__*/ record(models.AnimeListEntry)
export type AnimeListEntry = models.AnimeListEntry

export const AnimeListPage: Described<models.AnimeListPage> = /*#__PURE__*/ record(models.AnimeListPage)
export type AnimeListPage = models.AnimeListPage

export const AnimeListParams = /*#__PURE__*/ params<user.AnimeListParams>("AnimeListParams", user.animeListParams)
export type AnimeListParams = user.AnimeListParams

export const AnimeListStatus: Described<models.AnimeListStatus> = /*#__PURE__*/ record(models.AnimeListStatus)
export type AnimeListStatus = models.AnimeListStatus

export const AnimeListUpdateParams = /*#__PURE__*/ updateParams<listUpdates.AnimeListUpdateParams>(
  "AnimeListUpdateParams",
  listUpdates.animeListUpdateParams
)
export type AnimeListUpdateParams = listUpdates.AnimeListUpdateParams

export const AnimeNode: Described<models.AnimeNode> = /*#__PURE__*/ record(models.AnimeNode)
export type AnimeNode = models.AnimeNode

export const AnimePage: Described<models.AnimePage> = /*#__PURE__*/ record(models.AnimePage)
export type AnimePage = models.AnimePage

export const AnimeParams = /*#__PURE__*/ params<anime.AnimeParams>("AnimeParams", anime.animeParams)
export type AnimeParams = anime.AnimeParams

export const AnimeRankingEntry: Described<models.AnimeRankingEntry> = /*#__PURE__*/ record(models.AnimeRankingEntry)
export type AnimeRankingEntry = models.AnimeRankingEntry

export const AnimeRankingPage: Described<models.AnimeRankingPage> = /*#__PURE__*/ record(models.AnimeRankingPage)
export type AnimeRankingPage = models.AnimeRankingPage

export const AnimeRankingParams = /*#__PURE__*/ params<anime.AnimeRankingParams>(
  "AnimeRankingParams",
  anime.animeRankingParams
)
export type AnimeRankingParams = anime.AnimeRankingParams

export const AnimeRecommendation: Described<models.AnimeRecommendation> = /*#__PURE__*/ record(
  models.AnimeRecommendation
)
export type AnimeRecommendation = models.AnimeRecommendation

export const AnimeSeason: Described<models.AnimeSeason> = /*#__PURE__*/ record(models.AnimeSeason)
export type AnimeSeason = models.AnimeSeason

export const AnimeStatistics: Described<models.AnimeStatistics> = /*#__PURE__*/ record(models.AnimeStatistics)
export type AnimeStatistics = models.AnimeStatistics

export const AnimeStatusCounts: Described<models.AnimeStatusCounts> = /*#__PURE__*/ record(models.AnimeStatusCounts)
export type AnimeStatusCounts = models.AnimeStatusCounts

export const Author: Described<models.Author> = /*#__PURE__*/ record(models.Author)
export type Author = models.Author

export const Broadcast: Described<models.Broadcast> = /*#__PURE__*/ record(models.Broadcast)
export type Broadcast = models.Broadcast

export const ForumAuthor: Described<models.ForumAuthor> = /*#__PURE__*/ record(models.ForumAuthor)
export type ForumAuthor = models.ForumAuthor

export const ForumBoard: Described<models.ForumBoard> = /*#__PURE__*/ record(models.ForumBoard)
export type ForumBoard = models.ForumBoard

export const ForumBoards: Described<models.ForumBoards> = /*#__PURE__*/ record(models.ForumBoards)
export type ForumBoards = models.ForumBoards

export const ForumCategory: Described<models.ForumCategory> = /*#__PURE__*/ record(models.ForumCategory)
export type ForumCategory = models.ForumCategory

export const ForumPoll: Described<models.ForumPoll> = /*#__PURE__*/ record(models.ForumPoll)
export type ForumPoll = models.ForumPoll

export const ForumPollOption: Described<models.ForumPollOption> = /*#__PURE__*/ record(models.ForumPollOption)
export type ForumPollOption = models.ForumPollOption

export const ForumPost: Described<models.ForumPost> = /*#__PURE__*/ record(models.ForumPost)
export type ForumPost = models.ForumPost

export const ForumSubboard: Described<models.ForumSubboard> = /*#__PURE__*/ record(models.ForumSubboard)
export type ForumSubboard = models.ForumSubboard

export const ForumTopicDetail: Described<models.ForumTopicDetail> = /*#__PURE__*/ record(models.ForumTopicDetail)
export type ForumTopicDetail = models.ForumTopicDetail

export const ForumTopicPage: Described<models.ForumTopicPage> = /*#__PURE__*/ record(models.ForumTopicPage)
export type ForumTopicPage = models.ForumTopicPage

export const ForumTopicSummary: Described<models.ForumTopicSummary> = /*#__PURE__*/ record(models.ForumTopicSummary)
export type ForumTopicSummary = models.ForumTopicSummary

export const ForumTopicsPage: Described<models.ForumTopicsPage> = /*#__PURE__*/ record(models.ForumTopicsPage)
export type ForumTopicsPage = models.ForumTopicsPage

export const Genre: Described<models.Genre> = /*#__PURE__*/ record(models.Genre)
export type Genre = models.Genre

export const Magazine: Described<models.Magazine> = /*#__PURE__*/ record(models.Magazine)
export type Magazine = models.Magazine

export const Manga: Described<models.Manga> = /*#__PURE__*/ record(models.Manga)
export type Manga = models.Manga

export const MangaEntry: Described<models.MangaEntry> = /*#__PURE__*/ record(models.MangaEntry)
export type MangaEntry = models.MangaEntry

export const MangaListEntry: Described<models.MangaListEntry> = /*#__PURE__*/ record(models.MangaListEntry)
export type MangaListEntry = models.MangaListEntry

export const MangaListPage: Described<models.MangaListPage> = /*#__PURE__*/ record(models.MangaListPage)
export type MangaListPage = models.MangaListPage

export const MangaListParams = /*#__PURE__*/ params<user.MangaListParams>("MangaListParams", user.mangaListParams)
export type MangaListParams = user.MangaListParams

export const MangaListStatus: Described<models.MangaListStatus> = /*#__PURE__*/ record(models.MangaListStatus)
export type MangaListStatus = models.MangaListStatus

export const MangaListUpdateParams = /*#__PURE__*/ updateParams<listUpdates.MangaListUpdateParams>(
  "MangaListUpdateParams",
  listUpdates.mangaListUpdateParams
)
export type MangaListUpdateParams = listUpdates.MangaListUpdateParams

export const MangaNode: Described<models.MangaNode> = /*#__PURE__*/ record(models.MangaNode)
export type MangaNode = models.MangaNode

export const MangaPage: Described<models.MangaPage> = /*#__PURE__*/ record(models.MangaPage)
export type MangaPage = models.MangaPage

export const MangaParams = /*#__PURE__*/ params<manga.MangaParams>("MangaParams", manga.mangaParams)
export type MangaParams = manga.MangaParams

export const MangaRankingEntry: Described<models.MangaRankingEntry> = /*#__PURE__*/ record(models.MangaRankingEntry)
export type MangaRankingEntry = models.MangaRankingEntry

export const MangaRankingPage: Described<models.MangaRankingPage> = /*#__PURE__*/ record(models.MangaRankingPage)
export type MangaRankingPage = models.MangaRankingPage

export const MangaRankingParams = /*#__PURE__*/ params<manga.MangaRankingParams>(
  "MangaRankingParams",
  manga.mangaRankingParams
)
export type MangaRankingParams = manga.MangaRankingParams

export const MangaRecommendation: Described<models.MangaRecommendation> = /*#__PURE__*/ record(
  models.MangaRecommendation
)
export type MangaRecommendation = models.MangaRecommendation

export const Paging: Described<models.Paging> = /*#__PURE__*/ record(models.Paging)
export type Paging = models.Paging

export const Person: Described<models.Person> = /*#__PURE__*/ record(models.Person)
export type Person = models.Person

export const Picture: Described<models.Picture> = /*#__PURE__*/ record(models.Picture)
export type Picture = models.Picture

export const Ranking: Described<models.Ranking> = /*#__PURE__*/ record(models.Ranking)
export type Ranking = models.Ranking

export const RelatedAnime: Described<models.RelatedAnime> = /*#__PURE__*/ record(models.RelatedAnime)
export type RelatedAnime = models.RelatedAnime

export const RelatedManga: Described<models.RelatedManga> = /*#__PURE__*/ record(models.RelatedManga)
export type RelatedManga = models.RelatedManga

export const SearchParams = /*#__PURE__*/ params<anime.SearchParams>("SearchParams", anime.searchParams)
export type SearchParams = anime.SearchParams

export const SeasonalPage: Described<models.SeasonalPage> = /*#__PURE__*/ record(models.SeasonalPage)
export type SeasonalPage = models.SeasonalPage

export const SeasonalParams = /*#__PURE__*/ params<anime.SeasonalParams>("SeasonalParams", anime.seasonalParams)
export type SeasonalParams = anime.SeasonalParams

export const Serialization: Described<models.Serialization> = /*#__PURE__*/ record(models.Serialization)
export type Serialization = models.Serialization

export const Studio: Described<models.Studio> = /*#__PURE__*/ record(models.Studio)
export type Studio = models.Studio

export const Theme: Described<models.Theme> = /*#__PURE__*/ record(models.Theme)
export type Theme = models.Theme

export const TopicParams = /*#__PURE__*/ params<forum.TopicParams>("TopicParams", forum.topicParams)
export type TopicParams = forum.TopicParams

export const TopicsParams = /*#__PURE__*/ params<forum.TopicsParams>("TopicsParams", forum.topicsParams)
export type TopicsParams = forum.TopicsParams

export const User: Described<models.User> = /*#__PURE__*/ record(models.User)
export type User = models.User

export const UserAnimeStatistics: Described<models.UserAnimeStatistics> = /*#__PURE__*/ record(
  models.UserAnimeStatistics
)
export type UserAnimeStatistics = models.UserAnimeStatistics

export const UserParams = /*#__PURE__*/ params<user.UserParams>("UserParams", user.userParams)
export type UserParams = user.UserParams

export const Video: Described<models.Video> = /*#__PURE__*/ record(models.Video)
export type Video = models.Video

export const operations = /*#__PURE__*/ (() => ({
  anime: {
    get: operation<AnimeParams & DescribedOptions<"fields">, Described<Anime>>(
      "anime.get",
      { ...AnimeParams.fields, fields: kinds.fields },
      Anime
    ),
    search: operation<SearchParams & DescribedOptions<"fields" | "nsfw">, Described<AnimePage>>(
      "anime.search",
      { ...SearchParams.fields, fields: kinds.fields, nsfw: kinds.nsfw },
      AnimePage
    ),
    seasonal: operation<SeasonalParams & DescribedOptions<"fields" | "nsfw">, Described<SeasonalPage>>(
      "anime.seasonal",
      { ...SeasonalParams.fields, fields: kinds.fields, nsfw: kinds.nsfw },
      SeasonalPage
    ),
    ranking: operation<AnimeRankingParams & DescribedOptions<"fields" | "nsfw">, Described<AnimeRankingPage>>(
      "anime.ranking",
      { ...AnimeRankingParams.fields, fields: kinds.fields, nsfw: kinds.nsfw },
      AnimeRankingPage
    ),
    suggestions: operation<DescribedOptions<"limit" | "offset" | "fields" | "nsfw">, Described<AnimePage>>(
      "anime.suggestions",
      { limit: kinds.limit(100), offset: kinds.offset, fields: kinds.fields, nsfw: kinds.nsfw },
      AnimePage
    ),
    updateMyListStatus: updating(
      operation<AnimeListUpdateParams & DescribedOptions<"fields">, Described<AnimeListStatus>>(
        "anime.updateMyListStatus",
        { ...AnimeListUpdateParams.fields, fields: kinds.fields },
        AnimeListStatus
      )
    ),
    deleteFromList: operation<AnimeParams, typeof Schema.Void>(
      "anime.deleteFromList",
      { ...AnimeParams.fields },
      Schema.Void
    )
  },
  manga: {
    get: operation<MangaParams & DescribedOptions<"fields">, Described<Manga>>(
      "manga.get",
      { ...MangaParams.fields, fields: kinds.fields },
      Manga
    ),
    search: operation<SearchParams & DescribedOptions<"fields" | "nsfw">, Described<MangaPage>>(
      "manga.search",
      { ...SearchParams.fields, fields: kinds.fields, nsfw: kinds.nsfw },
      MangaPage
    ),
    ranking: operation<MangaRankingParams & DescribedOptions<"fields" | "nsfw">, Described<MangaRankingPage>>(
      "manga.ranking",
      { ...MangaRankingParams.fields, fields: kinds.fields, nsfw: kinds.nsfw },
      MangaRankingPage
    ),
    updateMyListStatus: updating(
      operation<MangaListUpdateParams & DescribedOptions<"fields">, Described<MangaListStatus>>(
        "manga.updateMyListStatus",
        { ...MangaListUpdateParams.fields, fields: kinds.fields },
        MangaListStatus
      )
    ),
    deleteFromList: operation<MangaParams, typeof Schema.Void>(
      "manga.deleteFromList",
      { ...MangaParams.fields },
      Schema.Void
    )
  },
  user: {
    me: operation<DescribedOptions<"fields">, Described<User>>("user.me", { fields: kinds.fields }, User),
    get: operation<UserParams & DescribedOptions<"fields">, Described<User>>(
      "user.get",
      { ...UserParams.fields, fields: kinds.fields },
      User
    ),
    animeList: operation<AnimeListParams & DescribedOptions<"fields" | "nsfw">, Described<AnimeListPage>>(
      "user.animeList",
      { ...AnimeListParams.fields, fields: kinds.fields, nsfw: kinds.nsfw },
      AnimeListPage
    ),
    mangaList: operation<MangaListParams & DescribedOptions<"fields" | "nsfw">, Described<MangaListPage>>(
      "user.mangaList",
      { ...MangaListParams.fields, fields: kinds.fields, nsfw: kinds.nsfw },
      MangaListPage
    )
  },
  forum: {
    boards: operation<{}, Described<ForumBoards>>("forum.boards", {}, ForumBoards),
    topics: operation<TopicsParams, Described<ForumTopicsPage>>(
      "forum.topics",
      { ...TopicsParams.fields },
      ForumTopicsPage
    ),
    topic: operation<TopicParams, Described<ForumTopicPage>>("forum.topic", { ...TopicParams.fields }, ForumTopicPage)
  }
}))()
