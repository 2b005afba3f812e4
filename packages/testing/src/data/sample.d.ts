/**
 * The rows of `sample.json`, which the build writes as a module of this name. A test checks that the names in them exist.
 *
 * @since 0.2.0
 */
import type {
  AnimeListRecord,
  AnimeRecord,
  BoardRecord,
  Dataset,
  MangaListRecord,
  MangaRecord,
  Named
} from "../Dataset.js"
import type { TopicRecord, UserRecord } from "../Dataset.js"
import type { userId } from "./users.js"

type Names<A> = Readonly<Record<string, A>>
type Texts = ReadonlyArray<string>
type UserName = keyof typeof userId

/** Genres, themes and demographics, with the service's ids; some of those of manga differ from those of anime. */
export declare const genres: { readonly both: Names<Named>; readonly anime: Names<Named>; readonly manga: Names<Named> }

/** Animation studios. */
export declare const studios: Names<Named>

/** Magazines in which manga were serialized. */
export declare const magazines: Names<Named>

/** Writers and artists, by family name. A pen name of one word is the last name. */
export declare const people: Names<{ readonly id: number; readonly first_name: string; readonly last_name: string }>

/** What the rows of anime and manga share. */
interface Row extends Pick<AnimeRecord, "id" | "title" | "synopsis"> {
  readonly en?: string
  /** The title in the original language, which need not be Japanese. */
  readonly ja: string
  readonly synonyms?: Texts
  readonly type?: string
  readonly status?: string
  readonly nsfw?: "gray" | "black"
  /** Names of `genres`. */
  readonly genres: Texts
  readonly score?: readonly [mean: number, rank: number]
  readonly users: readonly [popularity: number, onLists: number, scoring: number, favorites: number]
}

/** A real anime; `tv` and `finished_airing` by default. */
export interface AnimeRow extends Row, Pick<AnimeRecord, "source" | "rating" | "background"> {
  /** First and last day. */
  readonly aired: readonly [from: string, to?: string]
  /** If it is not the season of the first day. */
  readonly season?: readonly [year: number, season: "winter" | "spring" | "summer" | "fall"]
  readonly episodes: number
  readonly minutes?: number
  /** Day and time in Japan, for example `saturday 01:00`. */
  readonly airs?: string
  /** Names of `studios`. */
  readonly studios: Texts
  readonly openings?: Texts
  readonly endings?: Texts
}

/** A real manga or novel; `manga` and `finished` by default. */
export interface MangaRow extends Row {
  /** First and last day. */
  readonly published: readonly [from: string, to?: string]
  readonly volumes: number
  readonly chapters: number
  /** Names of `people`; by default, of both story and art. */
  readonly authors: ReadonlyArray<readonly [person: string, role?: MangaRecord["authors"][number]["role"]]>
  /** A name of `magazines`. */
  readonly magazine?: string
}

/** Numbers of users and scores are from a day early in 2026. */
export declare const anime: ReadonlyArray<AnimeRow>
export declare const manga: ReadonlyArray<MangaRow>

type Kind = "anime" | "manga"

/** Relations and recommendations between the real works. Each edge is written once and read from both ends. */
export declare const links: {
  /** Within one kind: from the first, the second is its sequel; from the second, the first is its prequel; and so on. */
  readonly related: ReadonlyArray<{
    readonly kind: Kind
    readonly there: string
    readonly back: string
    readonly pairs: ReadonlyArray<readonly [from: number, to: number]>
  }>
  /** A manga and the anime that were adapted from it. */
  readonly adaptations: ReadonlyArray<readonly [manga: number, anime: ReadonlyArray<number>]>
  /** Two works, and the number of users who recommend one for the other. */
  readonly recommended: Readonly<Record<Kind, ReadonlyArray<readonly [one: number, other: number, people: number]>>>
}

export declare const users: {
  readonly profiles: Readonly<Record<UserName, Omit<UserRecord, "id" | "animeList" | "mangaList">>>
  /** Entries of the first user, which replace generated ones with the same id. */
  readonly animeList: ReadonlyArray<AnimeListRecord>
  readonly mangaList: ReadonlyArray<MangaListRecord>
}

export declare const forum: {
  readonly categories: Dataset["categories"]
  /** Oldest first. */
  readonly topics: ReadonlyArray<{
    readonly title: string
    readonly board: BoardRecord["id"]
    readonly subboard?: number
    readonly author: UserName
    /** How many posts it has. */
    readonly posts: number
    readonly first: string
  }>
  readonly signatures: Readonly<Partial<Record<UserName, string>>>
  readonly writers: ReadonlyArray<UserName>
  readonly poll: NonNullable<TopicRecord["poll"]>
  /** Parts of posts: as many as have no common divisor, so that a post rarely repeats another. */
  readonly openings: Texts
  readonly middles: Texts
  readonly endings: Texts
}

/** Words for invented works and lists. */
export declare const generated: {
  readonly first: ReadonlyArray<readonly [en: string, ja: string]>
  readonly second: ReadonlyArray<readonly [en: string, ja: string]>
  readonly third: Texts
  readonly studios: Texts
  readonly magazines: Texts
  readonly given: Texts
  readonly family: Texts
  readonly synopses: Texts
  readonly tags: Texts
  readonly remarks: Texts
}
