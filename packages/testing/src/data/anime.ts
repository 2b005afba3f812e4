/**
 * The real anime of the sample, from their rows.
 *
 * @since 0.2.0
 */
import type { AnimeRecord, Named } from "../Dataset.js"
import { recommendationsOf, relationsOf } from "./links.js"
import { genresOf, named, pictureOf, seasonOf, stampsOf } from "./names.js"
import { anime, type AnimeRow, studios as studio } from "./sample.js"

const themes = (id: number, side: 0 | 1, texts: ReadonlyArray<string>) =>
  texts.map((text, i) => ({ id: id * 100 + side * 50 + i + 1, text: texts.length === 1 ? text : `#${i + 1}: ${text}` }))

const record = (row: AnimeRow, genre: Readonly<Record<string, Named>>): AnimeRecord => {
  const {
    airs,
    aired,
    en,
    endings,
    episodes,
    genres,
    ja,
    minutes,
    nsfw,
    openings,
    score,
    season,
    status,
    studios,
    synonyms,
    type,
    users,
    ...same
  } = row
  const [popularity, num_list_users, num_scoring_users, num_favorites] = users
  const start_season = season === undefined ? seasonOf(aired[0]) : { year: season[0], season: season[1] }
  const [day, time] = airs === undefined ? [] : airs.split(" ")
  return {
    ...same,
    main_picture: pictureOf("anime", row.id),
    alternative_titles: { synonyms: synonyms ?? [], en: en ?? "", ja },
    start_date: aired[0],
    ...(aired[1] === undefined ? {} : { end_date: aired[1] }),
    ...(score === undefined ? {} : { mean: score[0], rank: score[1] }),
    popularity,
    num_list_users,
    num_scoring_users,
    num_favorites,
    nsfw: nsfw ?? "white",
    genres: genres.map((name) => named(genre, name)),
    media_type: type ?? "tv",
    status: status ?? "finished_airing",
    num_episodes: episodes,
    ...(start_season === undefined ? {} : { start_season }),
    ...(day === undefined || time === undefined ? {} : { broadcast: { day_of_the_week: day, start_time: time } }),
    ...(minutes === undefined ? {} : { average_episode_duration: minutes * 60 }),
    studios: studios.map((name) => named(studio, name)),
    ...(openings === undefined ? {} : { opening_themes: themes(row.id, 0, openings) }),
    ...(endings === undefined ? {} : { ending_themes: themes(row.id, 1, endings) }),
    related: relationsOf("anime", row.id),
    recommendations: recommendationsOf("anime", row.id),
    ...stampsOf(row.id)
  }
}

/** Builds the records of the real anime, by id. */
export const sampleAnime = (): ReadonlyArray<AnimeRecord> => {
  const genre = genresOf("anime")
  return anime.map((row) => record(row, genre))
}
