/**
 * Services with lists of many sizes, one for each way in which the service pages.
 */
import { animeListOf, type EmbeddedCatalogOptions, generatedAnime, type Quirks, sample } from "@catalog-client/testing"

export const sizes = [0, 1, 99, 100, 101, 1000, 12_345] as const

const works = generatedAnime(Math.max(...sizes))

/** The numbers in a list of that size, in the list's order. */
export const idsOf = (size: number): ReadonlyArray<number> => works.slice(0, size).map(({ id }) => id)

export const ownerOf = (size: number): string => `owner_of_${size}`

const dataset = {
  ...sample(),
  anime: works,
  users: [
    ...sizes.map((size, index) => ({
      id: 3_000_001 + index,
      name: ownerOf(size),
      location: "",
      joined_at: "2020-01-01T00:00:00+00:00",
      animeList: animeListOf(works.slice(0, size), 7),
      mangaList: []
    })),
    ...sample().users
  ]
}

export const topic = {
  id: sample.topicId.long,
  posts: sample().topics.find(({ id }) => id === sample.topicId.long)?.posts.length ?? 0
}

/** Habits with which a walk along `next` still meets each entry once. */
export const habits = {
  plain: {},
  "short pages": { shortPages: true },
  "long pages": { longPages: true },
  "an empty page": { emptyPage: true },
  "links that forget": { nextWithout: ["fields", "nsfw", "limit"] },
  "links to another origin": { nextOrigin: "http://elsewhere.invalid" },
  "all at once": {
    shortPages: true,
    emptyPage: true,
    nextWithout: ["fields", "nsfw"],
    nextOrigin: "http://elsewhere.invalid"
  }
} satisfies Record<string, Quirks>

/** Habits that would lead round and round. */
export const circles = {
  itself: { nextLeadsTo: "itself" },
  "the first page": { nextLeadsTo: "first" },
  "the same page by another name": { nextLeadsTo: "same-page" }
} satisfies Record<string, Quirks>

/** The options of a service with a habit. */
export const withQuirks = (quirks: Quirks): EmbeddedCatalogOptions => ({ dataset, quirks, cors: true })
