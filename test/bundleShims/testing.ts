/**
 * `@catalog-client/testing` for the tests that run against `catalog-client`.
 */
import * as core from "@catalog-client/testing"
import * as own from "catalog-client/testing"

export * from "@catalog-client/testing"
export {
  animeListOf,
  createRecorder,
  dataset,
  generatedAnime,
  generatedManga,
  mangaListOf,
  RecordingError,
  sample,
  TestError
} from "catalog-client/testing"

export const EmbeddedCatalog = { ...core.EmbeddedCatalog, ...own.EmbeddedCatalog }
