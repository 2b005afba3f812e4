/**
 * `@catalog-client/testing` for the tests that run against `catalog-client`.
 */
import * as core from "@catalog-client/testing"
import * as own from "catalog-client/testing"
import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import { over } from "./adapt.js"

export * from "@catalog-client/testing"
export {
  animeListOf,
  dataset,
  generatedAnime,
  generatedManga,
  mangaListOf,
  RecordingError,
  sample,
  TestError
} from "catalog-client/testing"

export const EmbeddedCatalog = {
  ...core.EmbeddedCatalog,
  ...own.EmbeddedCatalog,
  layer: (options: core.EmbeddedCatalogOptions = {}) =>
    Layer.provide(
      FetchHttpClient.layer,
      Layer.sync(FetchHttpClient.Fetch, () => own.EmbeddedCatalog.fetch(options as never))
    )
}

export const createRecorder = ((options: unknown) =>
  over(own.createRecorder as never, options)) as never as typeof core.createRecorder
