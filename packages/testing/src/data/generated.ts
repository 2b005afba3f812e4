/**
 * Any number of invented works, and lists of them. Everything follows from the position of a work or from
 * a seed: the same call always gives the same records, and more works never change the earlier ones.
 *
 * @since 0.2.0
 */
import type { AnimeListRecord, AnimeRecord, MangaListRecord, MangaRecord, Named } from "../Dataset.js"
import { genresOf, seasonOf } from "./names.js"
import { generated } from "./sample.js"

/** The id of the first generated work; those of real works are below it. */
export const firstGeneratedId = 900_001

const at = <A>(list: ReadonlyArray<A>, i: number): A => {
  const element = list[i % list.length]
  if (element === undefined) {
    throw new RangeError("nothing to choose from")
  }
  return element
}

/** A pseudo-random number from 0 to 4 294 967 295. */
const mix = (seed: number, i: number): number => {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(i + 1, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

/** The title at a position. Its three words are the digits of the position, each shifted by the next, so no two positions share it. */
const titleOf = (i: number): { readonly title: string; readonly ja: string } => {
  const { first, second, third } = generated
  const a = i % first.length
  const rest = Math.floor(i / first.length)
  const b = (rest + 7 * a) % second.length
  const turn = Math.floor(rest / second.length)
  const c = (turn + 5 * a + 3 * b) % third.length
  const volume = Math.floor(turn / third.length) + 1
  const [en1, ja1] = at(first, a)
  const [en2, ja2] = at(second, b)
  const number = volume === 1 ? "" : ` ${volume}`
  return { title: `${en1} ${en2}${at(third, c)}${number}`, ja: `${ja1}${ja2}${number}` }
}

/** The place of a work in a mixed order, in which each place is used once. */
const placeOf = (i: number, step: number): number => i - (i % 64) + (((i % 64) * step + 11) % 64)

/** A record under construction. Optional members are set afterwards, because spreading them in takes much longer. */
type Draft<A> = { -readonly [K in keyof A]: A[K] }

/** Days since 1970 of the n-th day of a year. */
const dayOf = (year: number, n: number): number => Date.UTC(year, 0, 1 + n) / 86_400_000

const dates: Array<string | undefined> = []
const seasons = new Map<string, AnimeRecord["start_season"]>()

/** Days since 1970 as a date; there are far fewer days than works. */
const dateOf = (day: number): string => (dates[day] ??= new Date(day * 86_400_000).toISOString().slice(0, 10))

const knownSeasonOf = (date: string): AnimeRecord["start_season"] => {
  const month = date.slice(0, 7)
  if (!seasons.has(month)) {
    seasons.set(month, seasonOf(month))
  }
  return seasons.get(month)
}

const moments: Array<string | undefined> = []

/** The hour of a record is the same every day, so that there is only one string per day. */
const momentOf = (day: number): string => (moments[day] ??= `${dateOf(day)}T12:34:56+00:00`)

const nothing: ReadonlyArray<never> = []

const pick = (from: ReadonlyArray<Named>, h: number): ReadonlyArray<Named> => {
  const one = at(from, h)
  const two = at(from, h >>> 8)
  const three = at(from, h >>> 16)
  if (one === two) {
    return one === three ? [one] : [one, three]
  }
  return three === one || three === two ? [one, two] : [one, two, three]
}

/** Each name as a list of one, as a work holds it. */
const numbered = (names: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Named>> =>
  names.map((name, n) => [{ id: firstGeneratedId + n, name }])

/** Ninety-nine people, one for each pair of names. */
const personOf = (n: number, role: string) => ({
  id: firstGeneratedId + n,
  first_name: at(generated.given, n),
  last_name: at(generated.family, n),
  role
})

/** The members that anime and manga share and that need computing. */
const common = (i: number, h: number) => {
  const { ja, title } = titleOf(i)
  const place = placeOf(i, 29)
  const fans = Math.floor(9_000 / (1 + place / 400)) + 12
  return {
    title,
    titles: {
      synonyms: i % 3 !== 0 && i % 5 === 0 ? [ja] : nothing,
      en: i % 3 === 0 ? title : "",
      ja
    },
    synopsis: at(generated.synopses, h % 2) + title,
    popularity: 20_001 + place,
    fans,
    scored: i % 13 !== 12,
    nsfw: i % 211 === 5 ? "black" : i % 23 === 7 ? "gray" : "white"
  } as const
}

/** Adds the members that not every work has, such as a cover, or a mean, which needs enough votes. */
const addRarer = (record: Draft<AnimeRecord> | Draft<MangaRecord>, i: number, picture: string): void => {
  if (i % 29 !== 3) {
    record.main_picture = { medium: `${picture + record.id}.jpg`, large: `${picture + record.id}l.jpg` }
  }
  if (i % 13 === 12) {
    return
  }
  const rank = placeOf(i, 37)
  record.mean = Math.round((4 + 3 / (1 + rank / 900)) * 100) / 100
  record.rank = 20_001 + rank
}

const animeTypes = [
  "tv",
  "tv",
  "movie",
  "tv",
  "ova",
  "ona",
  "tv",
  "special",
  "tv",
  "music",
  "tv",
  "tv_special"
] as const
const animeSources = [
  "original",
  "manga",
  "light_novel",
  "game",
  "visual_novel",
  "web_manga",
  "4_koma_manga",
  "novel",
  "other"
] as const
const slots = [24, 23, 24, 12, 4]
const lengths = [12, 13, 24, 12, 26, 11, 52, 10]
const someday = ["2027", "2027-04", "2026-10"]
const times = ["00:30", "17:00", "22:30", "23:00", "01:05"]
const ratings = ["g", "pg", "pg_13", "pg_13", "r", "r+"] as const
const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/**
 * Invented anime, with ids from `firstGeneratedId` upwards.
 *
 * @example
 * ```ts
 * import { dataset, EmbeddedCatalog, generatedAnime } from "@catalog-client/testing"
 *
 * const fetch = EmbeddedCatalog.fetch({ dataset: dataset({ anime: generatedAnime(500) }) })
 * const response = await fetch("https://api.myanimelist.net/v2/anime/900001?fields=num_episodes")
 * const { num_episodes, title } = await response.json()
 * console.log(title, num_episodes)
 * ```
 *
 * ```text
 * Lantern Armada 52
 * ```
 */
export const generatedAnime = (count: number): Array<AnimeRecord> => {
  const makers = numbered(generated.studios)
  const genres = Object.values(genresOf("anime")).filter(({ name }) => name !== "Hentai")
  return Array.from({ length: count }, (_, i): AnimeRecord => {
    const h = mix(1, i)
    const { fans, nsfw, popularity, scored, synopsis, title, titles } = common(i, h)
    const media_type = at(animeTypes, i)
    const status = i % 97 === 60 ? "not_yet_aired" : i % 61 === 20 ? "currently_airing" : "finished_airing"
    const single = media_type === "movie" || media_type === "music" || media_type === "tv_special"
    const episodes = single ? 1 : media_type === "tv" ? at(lengths, h >>> 3) : 1 + (h % 8)
    const minutes =
      media_type === "movie"
        ? 70 + (h % 60)
        : media_type === "music"
          ? 4
          : media_type === "tv"
            ? at(slots, h >>> 5)
            : 28
    const start = status === "currently_airing" ? dayOf(2026, h % 40) : dayOf(1975 + (h % 48), (h >>> 7) % 365)
    const full = dateOf(start)
    const vague = status === "finished_airing" && i % 19 === 4
    const start_date = status === "not_yet_aired" ? at(someday, h) : vague ? full.slice(0, i % 2 === 0 ? 7 : 4) : full
    const record: Draft<AnimeRecord> = {
      id: firstGeneratedId + i,
      title,
      alternative_titles: titles,
      synopsis,
      popularity,
      num_list_users: fans,
      num_scoring_users: scored ? fans >> 1 : fans >> 5,
      num_favorites: fans >> 7,
      nsfw,
      related: nothing,
      recommendations: nothing,
      created_at: momentOf(13_900 + (i % 6_000)),
      updated_at: momentOf(20_100 + (h % 400)),
      start_date,
      genres: pick(genres, h),
      media_type,
      status,
      num_episodes: status === "finished_airing" ? episodes : 0,
      source: at(animeSources, h >>> 4),
      rating: nsfw === "black" ? "rx" : nsfw === "gray" ? "r+" : at(ratings, h >>> 6),
      studios: i % 31 === 9 ? nothing : at(makers, h >>> 10)
    }
    if (status === "finished_airing") {
      record.end_date = vague ? start_date : dateOf(start + (episodes - 1) * 7)
    }
    addRarer(record, i, "https://images.example/anime/")
    const season = knownSeasonOf(start_date)
    if (season !== undefined) {
      record.start_season = season
    }
    if (status !== "not_yet_aired") {
      record.average_episode_duration = minutes * 60
      // The first day of 1970 was a Thursday.
      if (media_type === "tv") {
        record.broadcast = { day_of_the_week: at(days, start + 3), start_time: at(times, h >>> 9) }
      }
    }
    return record
  })
}

const mangaTypes = [
  "manga",
  "manga",
  "light_novel",
  "manga",
  "one_shot",
  "manhwa",
  "manga",
  "novel",
  "manga",
  "manhua",
  "manga",
  "doujinshi",
  "oel"
] as const
const roles = ["Story & Art", "Story", "Art"] as const

/**
 * Invented manga, with ids from `firstGeneratedId` upwards.
 *
 * @example
 * ```ts
 * import { dataset, EmbeddedCatalog, generatedManga } from "@catalog-client/testing"
 *
 * const fetch = EmbeddedCatalog.fetch({ dataset: dataset({ manga: generatedManga(500) }) })
 * const response = await fetch("https://api.myanimelist.net/v2/manga/900001?fields=num_chapters")
 * const { num_chapters, title } = await response.json()
 * console.log(title, num_chapters)
 * ```
 *
 * ```text
 * Lantern Armada 309
 * ```
 */
export const generatedManga = (count: number): Array<MangaRecord> => {
  const genres = Object.values(genresOf("manga"))
  const publishers = numbered(generated.magazines)
  return Array.from({ length: count }, (_, i): MangaRecord => {
    const h = mix(2, i)
    const media_type = at(mangaTypes, i)
    const short = media_type === "one_shot" || media_type === "doujinshi"
    const status =
      i % 89 === 70
        ? "not_yet_published"
        : short
          ? "finished"
          : i % 7 === 2
            ? "currently_publishing"
            : i % 41 === 9
              ? "on_hiatus"
              : i % 67 === 12
                ? "discontinued"
                : "finished"
    const over = status === "finished" || status === "discontinued"
    const volumes = short ? 0 : 1 + ((h >>> 3) % 40)
    const chapters = short ? 1 : volumes * (media_type === "manga" ? 9 : 6) + (h % 5)
    const start = dayOf(1975 + (h % 48), (h >>> 7) % 365)
    const full = dateOf(start)
    const vague = i % 17 === 5
    const start_date = status === "not_yet_published" ? "2027" : vague ? full.slice(0, i % 2 === 0 ? 7 : 4) : full
    const { fans, nsfw, popularity, scored, synopsis, title, titles } = common(i, h)
    const record: Draft<MangaRecord> = {
      id: firstGeneratedId + i,
      title,
      alternative_titles: titles,
      synopsis,
      popularity,
      num_list_users: fans,
      num_scoring_users: scored ? fans >> 1 : fans >> 5,
      num_favorites: fans >> 7,
      nsfw,
      related: nothing,
      recommendations: nothing,
      created_at: "1970-01-01T00:00:00+00:00",
      updated_at: momentOf(20_100 + (h % 400)),
      start_date,
      genres: pick(genres, h),
      media_type,
      status,
      num_volumes: over ? volumes : 0,
      num_chapters: over ? chapters : 0,
      authors: [personOf((h >>> 5) % 99, at(roles, h >>> 11))],
      serialization: short || i % 11 === 6 ? nothing : at(publishers, h >>> 9)
    }
    addRarer(record, i, "https://images.example/manga/")
    if (over) {
      record.end_date = vague ? start_date : dateOf(start + Math.min(volumes * 30, 1_000))
    }
    return record
  })
}

type Progress = "in_progress" | "completed" | "on_hold" | "dropped" | "planned"

/** The progress of a user, if the work is out and its length is known. */
const progressOf = (h: number, out: boolean, over: boolean, total: number): Progress => {
  if (!out) {
    return "planned"
  }
  const roll = h % 100
  if (roll < 18) {
    return "planned"
  }
  if (over && total > 0 && (roll < 74 || total === 1)) {
    return "completed"
  }
  return roll < 88 ? "in_progress" : roll < 94 ? "on_hold" : "dropped"
}

/** Progress between the beginning and the end; a small number if the length is unknown. */
const partOf = (h: number, total: number): number =>
  total === 0 ? 1 + (h % 40) : total === 1 ? 0 : 1 + (h % (total - 1))

const scoreOf = (h: number, progress: Progress): number =>
  progress === "planned" || h % 9 === 3 ? 0 : progress === "dropped" ? 2 + (h % 4) : 5 + ((h >>> 4) % 6)

const tagLists: ReadonlyArray<ReadonlyArray<string>> = /*#__PURE__*/ generated.tags.flatMap((tag, i, tags) => [
  [tag],
  [tag, at(tags, i + 3)]
])

const tagsOf = (h: number): ReadonlyArray<string> => (h % 4 === 1 ? at(tagLists, h >>> 5) : nothing)

const begunOn = (h: number): number => 16_801 + (h % 3_300)
const doneOn = (h: number): number => begunOn(h) + 1 + ((h >>> 12) % 200)
const touchedAt = (h: number, progress: Progress): string => momentOf(progress === "planned" ? begunOn(h) : doneOn(h))

/** A day, a month or a year, or no date. */
const addDates = (entry: Draft<AnimeListRecord> | Draft<MangaListRecord>, h: number, progress: Progress): void => {
  if (progress === "planned" || h % 5 === 4) {
    return
  }
  const written = (day: number): string =>
    h % 10 === 0 ? dateOf(day).slice(0, 4) : h % 10 === 1 ? dateOf(day).slice(0, 7) : dateOf(day)
  entry.start_date = written(begunOn(h))
  if (progress === "completed") {
    entry.finish_date = written(doneOn(h))
  }
}

const isAgain = (h: number, progress: Progress): boolean => progress === "completed" && h % 37 === 5
const timesOf = (h: number, progress: Progress): number =>
  progress === "completed" && h % 6 === 0 ? 1 + ((h >>> 6) % 3) : 0
const valueOf = (h: number, progress: Progress): number =>
  progress === "completed" && h % 6 === 0 ? 1 + ((h >>> 8) % 5) : 0

/**
 * A user's list of exactly these anime, in this order; another seed returns another user's list.
 *
 * @example
 * ```ts
 * import { dataset, EmbeddedCatalog, generatedAnime, animeListOf } from "@catalog-client/testing"
 *
 * const anime = generatedAnime(500)
 * const users = [{ name: "reader", animeList: animeListOf(anime, 1) }]
 * const options = { dataset: dataset({ anime, users }) }
 * const headers = { authorization: `Bearer ${EmbeddedCatalog.credentials(options).accessToken}` }
 * const fetch = EmbeddedCatalog.fetch(options)
 * const url = "https://api.myanimelist.net/v2/users/@me/animelist?limit=1000&nsfw=true"
 * const { data } = await (await fetch(url, { headers })).json()
 * console.log(data.length)
 * ```
 *
 * ```text
 * 500
 * ```
 */
export const animeListOf = (items: ReadonlyArray<AnimeRecord>, seed: number): Array<AnimeListRecord> =>
  items.map((item) => {
    const h = mix(seed, item.id)
    const total = item.num_episodes
    const progress = progressOf(h >>> 2, item.status !== "not_yet_aired", item.status === "finished_airing", total)
    const entry: Draft<AnimeListRecord> = {
      id: item.id,
      status: progress === "in_progress" ? "watching" : progress === "planned" ? "plan_to_watch" : progress,
      score: scoreOf(h, progress),
      num_episodes_watched: progress === "planned" ? 0 : progress === "completed" ? total : partOf(h >>> 9, total),
      is_rewatching: isAgain(h, progress),
      num_times_rewatched: timesOf(h, progress),
      rewatch_value: valueOf(h, progress),
      priority: h % 3,
      tags: tagsOf(h),
      comments: h % 12 === 4 ? at(generated.remarks, h >>> 6) : "",
      updated_at: touchedAt(h, progress)
    }
    addDates(entry, h, progress)
    return entry
  })

/**
 * A user's list of exactly these manga, in this order; another seed returns another user's list.
 *
 * @example
 * ```ts
 * import { dataset, EmbeddedCatalog, generatedManga, mangaListOf } from "@catalog-client/testing"
 *
 * const manga = generatedManga(500)
 * const users = [{ name: "reader", mangaList: mangaListOf(manga, 1) }]
 * const options = { dataset: dataset({ manga, users }) }
 * const headers = { authorization: `Bearer ${EmbeddedCatalog.credentials(options).accessToken}` }
 * const fetch = EmbeddedCatalog.fetch(options)
 * const url = "https://api.myanimelist.net/v2/users/@me/mangalist?limit=1000&nsfw=true"
 * const { data } = await (await fetch(url, { headers })).json()
 * console.log(data.length)
 * ```
 *
 * ```text
 * 500
 * ```
 */
export const mangaListOf = (items: ReadonlyArray<MangaRecord>, seed: number): Array<MangaListRecord> =>
  items.map((item) => {
    const h = mix(seed, item.id)
    const { num_chapters: total, num_volumes: volumes, status } = item
    const over = status === "finished" || status === "discontinued"
    const progress = progressOf(h >>> 2, status !== "not_yet_published", over, total)
    const chapters = progress === "planned" ? 0 : progress === "completed" ? total : partOf(h >>> 9, total)
    const entry: Draft<MangaListRecord> = {
      id: item.id,
      status: progress === "in_progress" ? "reading" : progress === "planned" ? "plan_to_read" : progress,
      score: scoreOf(h, progress),
      num_chapters_read: chapters,
      num_volumes_read: total === 0 ? Math.floor(chapters / 9) : Math.floor((chapters / total) * volumes),
      is_rereading: isAgain(h, progress),
      num_times_reread: timesOf(h, progress),
      reread_value: valueOf(h, progress),
      priority: h % 3,
      tags: tagsOf(h),
      comments: h % 12 === 4 ? at(generated.remarks, h >>> 6) : "",
      updated_at: touchedAt(h, progress)
    }
    addDates(entry, h, progress)
    return entry
  })
