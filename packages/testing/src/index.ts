/**
 * The catalog service for tests and demonstrations, in the process or (with `@catalog-client/testing/node`) on a port; and a
 * recorder of requests to a real one.
 *
 * @since 0.2.0
 */
export { CatalogApi } from "./Api.js"
export type { AnimeRecord, Dataset, MangaRecord, UserRecord } from "./Dataset.js"
export {
  animeListOf,
  dataset,
  type DatasetParts,
  generatedAnime,
  generatedManga,
  mangaListOf,
  sample
} from "./data/index.js"
export * as EmbeddedCatalog from "./EmbeddedCatalog.js"
export type { EmbeddedCatalogOptions, Fault, OAuthOptions, ReceivedRequest } from "./Options.js"
export type { Quirks } from "./Quirks.js"
export { Recorder, type RecorderOptions, RecordingError, type RecordingStore } from "./Recorder.js"
export type { AnimeSeasonPage as SeasonalPageReply } from "./internal/service/items.js"
/** What the endpoints of `CatalogApi` return: declarations that are made from it name these types. */
export type {
  Anime as AnimeReply,
  AnimeListStatus as AnimeListStatusReply,
  Boards as ForumBoardsReply,
  Entry as EntryReply,
  ListEntry as ListEntryReply,
  Manga as MangaReply,
  MangaListStatus as MangaListStatusReply,
  Page as PageReply,
  RankingEntry as RankingEntryReply,
  TopicPage as ForumTopicPageReply,
  TopicSummary as ForumTopicReply,
  User as UserReply
} from "./internal/service/records.js"
export * as TestError from "./TestError.js"
