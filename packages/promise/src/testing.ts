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
export { RecordingError } from "#testing/internal/recording/recording.js"
export type { RecorderOptions, RecordingStore } from "#testing/internal/recorder/tape.js"
export { createRecorder, type PromiseRecorder } from "./Recorder.js"
export * as TestError from "#testing/TestError.js"
