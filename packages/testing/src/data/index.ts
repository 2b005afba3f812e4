/**
 * The default data of the embedded service, and functions to make more.
 *
 * @since 0.2.0
 */
import type { Dataset } from "../Dataset.js"
import { sampleAnime } from "./anime.js"
import { sampleTopics, topicId } from "./forum.js"
import { firstGeneratedId, generatedAnime, generatedManga } from "./generated.js"
import { sampleManga } from "./manga.js"
import { forum } from "./sample.js"
import { sampleUsers, userId } from "./users.js"

export { dataset, type DatasetParts } from "./dataset.js"
export { animeListOf, generatedAnime, generatedManga, mangaListOf } from "./generated.js"

/** Builds the sample; several of its records share parts. */
const build = (): Dataset => {
  const anime = [...sampleAnime(), ...generatedAnime(320)]
  const manga = [...sampleManga(), ...generatedManga(240)]
  return { anime, manga, users: sampleUsers(anime, manga), categories: forum.categories, topics: sampleTopics() }
}

let built: Dataset | undefined

/** The sample that all services share, because they do not change it. Callers get a copy, because they might. */
export const sharedSample = (): Dataset => (built ??= build())

const copyOf = <A>(value: A): A => {
  if (typeof value !== "object" || value === null) {
    return value
  }
  if (Array.isArray(value)) {
    return value.map(copyOf) as A
  }
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    copy[name] = copyOf(member)
  }
  return copy as A
}

/** The sample's data, and the ids in it that a test can rely on. */
export interface Sample {
  (): Dataset
  /** The ids of the users, by their special property. */
  readonly userId: typeof userId
  /** The ids of topics, by their special property. */
  readonly topicId: typeof topicId
  /** The id of the first generated work; those of real works are below it. */
  readonly firstGeneratedId: number
}

/**
 * The sample: about 85 real anime and 60 real manga, a few hundred invented ones to fill the lists, seven users and a forum.
 * Each call gives a new object, which you can change.
 *
 * @example
 * ```ts
 * import { sample } from "@catalog-client/testing"
 *
 * console.log(sample().anime.find((anime) => anime.id === 30230)?.title)
 * console.log(sample().users.find((user) => user.id === sample.userId.quietShelf)?.private)
 * ```
 *
 * ```text
 * Diamond no Ace: Second Season
 * true
 * ```
 */
export const sample: Sample = /*#__PURE__*/ Object.assign(() => copyOf(sharedSample()), {
  userId,
  topicId,
  firstGeneratedId
})
