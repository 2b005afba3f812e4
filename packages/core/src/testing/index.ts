/**
 * The catalog service for tests and demonstrations, in the process or (with `@catalog-client/node/testing`) on a port; and a
 * recorder of exchanges with a real one.
 *
 * @since 0.2.0
 */
export { CatalogApi } from "./Api.js"
export * as EmbeddedCatalog from "./EmbeddedCatalog.js"
export type * from "./Dataset.js"
export { animeListOf, generatedAnime, generatedManga, mangaListOf, type Sample, sample } from "./data/index.js"
export type * from "./Options.js"
export * as TestError from "./TestError.js"
export type * from "./Quirks.js"
export {
  createRecorder,
  type CreateRecorderOptions,
  type PromiseRecorder,
  Recorder,
  type RecorderMode,
  type RecorderOptions,
  type RecorderService,
  RecordingError,
  type RecordingStore
} from "./Recorder.js"
