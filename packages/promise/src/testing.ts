/**
 * What every platform exports for tests.
 */
export * as EmbeddedCatalog from "./EmbeddedCatalog.js"
export type * from "#core/testing/Dataset.js"
export {
  animeListOf,
  generatedAnime,
  generatedManga,
  mangaListOf,
  type Sample,
  sample
} from "#core/testing/data/index.js"
export type * from "#core/testing/Options.js"
export type * from "#core/testing/Quirks.js"
export {
  createRecorder,
  type CreateRecorderOptions,
  type PromiseRecorder,
  type RecorderMode,
  type RecorderOptions,
  RecordingError,
  type RecordingStore
} from "#core/testing/Recorder.js"
export * as TestError from "#core/testing/TestError.js"
