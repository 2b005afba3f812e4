/**
 * What every platform exports for tests.
 */
export * as EmbeddedCatalog from "./EmbeddedCatalog.js"
export type { AnimeRecord, Dataset, MangaRecord, UserRecord } from "#core/testing/Dataset.js"
export {
  animeListOf,
  dataset,
  type DatasetParts,
  generatedAnime,
  generatedManga,
  mangaListOf,
  sample
} from "#core/testing/data/index.js"
export type { EmbeddedCatalogOptions, Fault, OAuthOptions, ReceivedRequest } from "#core/testing/Options.js"
export type { Quirks } from "#core/testing/Quirks.js"
export {
  createRecorder,
  type PromiseRecorder,
  type RecorderOptions,
  RecordingError,
  type RecordingStore
} from "#core/testing/Recorder.js"
export * as TestError from "#core/testing/TestError.js"
