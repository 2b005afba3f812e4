/**
 * What every platform exports for tests.
 */
export * as EmbeddedCatalog from "./EmbeddedCatalog.js"
export type { AnimeRecord, Dataset, MangaRecord, UserRecord } from "#testing/Dataset.js"
export {
  animeListOf,
  dataset,
  type DatasetParts,
  generatedAnime,
  generatedManga,
  mangaListOf,
  sample
} from "#testing/data/index.js"
export type { EmbeddedCatalogOptions, Fault, OAuthOptions, ReceivedRequest } from "#testing/Options.js"
export type { Quirks } from "#testing/Quirks.js"
export {
  createRecorder,
  type PromiseRecorder,
  type RecorderOptions,
  RecordingError,
  type RecordingStore
} from "#testing/Recorder.js"
export * as TestError from "#testing/TestError.js"
