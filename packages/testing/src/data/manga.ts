/**
 * The real manga and novels of the sample, from their rows.
 *
 * @since 0.2.0
 */
import type { MangaRecord, Named } from "../Dataset.js"
import { recommendationsOf, relationsOf } from "./links.js"
import { genresOf, named, pictureOf, stampsOf } from "./names.js"
import { magazines, manga, type MangaRow, people } from "./sample.js"

const record = (row: MangaRow, genre: Readonly<Record<string, Named>>): MangaRecord => {
  const [popularity, num_list_users, num_scoring_users, num_favorites] = row.users
  return {
    id: row.id,
    title: row.title,
    main_picture: pictureOf("manga", row.id),
    alternative_titles: { synonyms: row.synonyms ?? [], en: row.en ?? "", ja: row.ja },
    start_date: row.published[0],
    ...(row.published[1] === undefined ? {} : { end_date: row.published[1] }),
    ...(row.synopsis === undefined ? {} : { synopsis: row.synopsis }),
    ...(row.score === undefined ? {} : { mean: row.score[0], rank: row.score[1] }),
    popularity,
    num_list_users,
    num_scoring_users,
    num_favorites,
    nsfw: row.nsfw ?? "white",
    genres: row.genres.map((name) => named(genre, name)),
    media_type: row.type ?? "manga",
    status: row.status ?? "finished",
    num_volumes: row.volumes,
    num_chapters: row.chapters,
    authors: row.authors.map(([name, role]) => ({ ...named(people, name), role: role ?? "Story & Art" })),
    serialization: row.magazine === undefined ? [] : [named(magazines, row.magazine)],
    related: relationsOf("manga", row.id),
    recommendations: recommendationsOf("manga", row.id),
    ...stampsOf(row.id),
    created_at: "1970-01-01T00:00:00+00:00"
  }
}

/** Builds the records of the real manga, by id. */
export const sampleManga = (): ReadonlyArray<MangaRecord> => {
  const genre = genresOf("manga")
  return manga.map((row) => record(row, genre))
}
