/**
 * The catalog that the embedded service knows unless it is told another one, and the means to make a bigger one.
 *
 * @since 0.1.0
 */
import type { Dataset } from "../Dataset.js"
import { sampleAnime } from "./anime.js"
import { sampleCategories, sampleTopics } from "./forum.js"
import { generatedAnime, generatedManga } from "./generated.js"
import { sampleManga } from "./manga.js"
import { sampleUsers } from "./users.js"

export { lockedTopicId, longTopicId, pollTopicId } from "./forum.js"
export { animeListOf, firstGeneratedId, generatedAnime, generatedManga, mangaListOf } from "./generated.js"
export { userId } from "./users.js"

const build = (): Dataset => {
  const anime = [...sampleAnime(), ...generatedAnime(320)]
  const manga = [...sampleManga(), ...generatedManga(240)]
  return { anime, manga, users: sampleUsers(anime, manga), categories: sampleCategories(), topics: sampleTopics() }
}

let built: Dataset | undefined

/**
 * The sample: some 85 real anime and 60 real manga, a few hundred invented ones to fill the lists, seven people and a forum.
 * Built at the first call, the same value ever after.
 *
 * @example
 * ```ts
 * import { sample } from "@catalog-client/core/testing"
 *
 * sample().anime.find((anime) => anime.id === 30230)?.title // "Diamond no Ace: Second Season"
 * ```
 */
export const sample = (): Dataset => (built ??= build())
