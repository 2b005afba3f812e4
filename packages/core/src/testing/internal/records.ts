/** The records of the service, for its declaration: every member is optional, every word is one of an open set. */
import * as Schema from "effect/Schema"
import { anime } from "./anime.js"
import { word } from "./jsonType.js"
import { manga } from "./manga.js"

const optional = Schema.optional
const text = optional(Schema.String)
const decimal = optional(Schema.Number)
const integer = optional(Schema.Number.annotations({ jsonSchema: { type: "integer" } }))
/** A text of a form: `date-time`, `uri`. */
const formatted = (format: string) => optional(Schema.String.annotations({ jsonSchema: { type: "string", format } }))
const time = formatted("date-time")
const url = formatted("uri")
const words = (...examples: ReadonlyArray<string>) =>
  optional(Schema.String.annotations({ jsonSchema: word(...examples) }))
const date = words("2017-04-01", "2017-04", "2017")
const flag = optional(Schema.Boolean)
const list = <A, I>(item: Schema.Schema<A, I>) => optional(Schema.Array(item))

const named = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotations({ identifier })

const Picture = named("Picture", { medium: url, large: url })
const Named = named("Named", { id: integer, name: text })
const Theme = named("Theme", { id: integer, anime_id: integer, text })
const Video = named("Video", {
  id: integer,
  title: text,
  url,
  thumbnail: url,
  created_at: integer,
  updated_at: integer
})

export const AnimeListStatus = named("AnimeListStatus", {
  status: words(...anime.statuses),
  score: decimal,
  num_episodes_watched: integer,
  is_rewatching: flag,
  start_date: date,
  finish_date: date,
  priority: integer,
  num_times_rewatched: integer,
  rewatch_value: integer,
  tags: list(Schema.String),
  comments: text,
  updated_at: time
})

export const MangaListStatus = named("MangaListStatus", {
  status: words(...manga.statuses),
  score: decimal,
  num_volumes_read: integer,
  num_chapters_read: integer,
  is_rereading: flag,
  start_date: date,
  finish_date: date,
  priority: integer,
  num_times_reread: integer,
  reread_value: integer,
  tags: list(Schema.String),
  comments: text,
  updated_at: time
})

const Season = named("Season", { year: integer, season: words("winter", "spring", "summer", "fall") })

/** A related item: a separate record, with the members that every item has. */
const Neighbour = named("Neighbour", { id: integer, title: text, main_picture: optional(Picture) })
const Related = named("Related", {
  node: optional(Neighbour),
  relation_type: words("sequel", "prequel", "side_story", "adaptation", "other"),
  relation_type_formatted: text
})
const Recommended = named("Recommended", { node: optional(Neighbour), num_recommendations: integer })

const item = {
  id: integer,
  title: text,
  main_picture: optional(Picture),
  alternative_titles: optional(named("AlternativeTitles", { synonyms: list(Schema.String), en: text, ja: text })),
  start_date: date,
  end_date: date,
  synopsis: text,
  mean: decimal,
  rank: integer,
  popularity: integer,
  num_list_users: integer,
  num_scoring_users: integer,
  num_favorites: integer,
  nsfw: words("white", "gray", "black"),
  genres: list(Named),
  created_at: time,
  updated_at: time,
  pictures: list(Picture),
  background: text,
  related_anime: list(Related),
  related_manga: list(Related),
  recommendations: list(Recommended)
} as const

export const Anime = named("Anime", {
  ...item,
  my_list_status: optional(AnimeListStatus),
  media_type: words("tv", "ova", "movie", "special"),
  status: words("finished_airing", "currently_airing", "not_yet_aired"),
  num_episodes: integer,
  start_season: optional(Season),
  broadcast: optional(
    named("Broadcast", { day_of_the_week: words("monday", "saturday", "other"), start_time: words("18:30") })
  ),
  source: words("original", "manga", "light_novel", "game", "other"),
  average_episode_duration: integer,
  rating: words("g", "pg", "pg_13", "r", "r+", "rx"),
  studios: list(Named),
  statistics: optional(
    named("Statistics", {
      num_list_users: integer,
      status: optional(
        named("StatusCounts", { watching: text, completed: text, on_hold: text, dropped: text, plan_to_watch: text })
      )
    })
  ),
  opening_themes: list(Theme),
  ending_themes: list(Theme),
  videos: list(Video)
})

export const Manga = named("Manga", {
  ...item,
  my_list_status: optional(MangaListStatus),
  media_type: words("manga", "novel", "one_shot", "manhwa"),
  status: words("finished", "currently_publishing", "not_yet_published", "on_hiatus"),
  num_volumes: integer,
  num_chapters: integer,
  authors: list(
    named("Author", {
      node: optional(named("Person", { id: integer, first_name: text, last_name: text })),
      role: text
    })
  ),
  serialization: list(named("Serialization", { node: optional(Named), role: text }))
})

const Paging = named("Paging", { next: url, previous: url })

const page = <A, I, F extends Schema.Struct.Fields>(identifier: string, entry: Schema.Schema<A, I>, beside?: F) =>
  named(identifier, { data: list(entry), paging: optional(Paging), ...beside })

const ranking = optional(named("Ranking", { rank: integer, previous_rank: integer }))

const AnimeEntry = named("AnimeEntry", { node: optional(Anime) })
const MangaEntry = named("MangaEntry", { node: optional(Manga) })

export const AnimePage = page("AnimePage", AnimeEntry)
export const MangaPage = page("MangaPage", MangaEntry)
export const AnimeSeasonPage = page("AnimeSeasonPage", AnimeEntry, { season: optional(Season) })
export const AnimeRankingPage = page("AnimeRankingPage", named("AnimeRankingEntry", { node: optional(Anime), ranking }))
export const MangaRankingPage = page("MangaRankingPage", named("MangaRankingEntry", { node: optional(Manga), ranking }))
export const AnimeListPage = page(
  "AnimeListPage",
  named("AnimeListEntry", { node: optional(Anime), list_status: optional(AnimeListStatus) })
)
export const MangaListPage = page(
  "MangaListPage",
  named("MangaListEntry", { node: optional(Manga), list_status: optional(MangaListStatus) })
)

export const User = named("User", {
  id: integer,
  name: text,
  location: text,
  joined_at: time,
  picture: url,
  gender: text,
  birthday: date,
  time_zone: words("Asia/Tokyo"),
  is_supporter: flag,
  anime_statistics: optional(
    named("AnimeStatistics", {
      num_items_watching: integer,
      num_items_completed: integer,
      num_items_on_hold: integer,
      num_items_dropped: integer,
      num_items_plan_to_watch: integer,
      num_items: integer,
      num_days_watched: decimal,
      num_days_watching: decimal,
      num_days_completed: decimal,
      num_days_on_hold: decimal,
      num_days_dropped: decimal,
      num_days: decimal,
      num_episodes: integer,
      num_times_rewatched: integer,
      mean_score: decimal
    })
  )
})

export const Boards = named("Boards", {
  categories: list(
    named("Category", {
      title: text,
      boards: list(
        named("Board", {
          id: integer,
          title: text,
          description: text,
          subboards: list(named("Subboard", { id: integer, title: text }))
        })
      )
    })
  )
})

export const TopicsPage = page(
  "TopicsPage",
  named("TopicSummary", {
    id: integer,
    title: text,
    created_at: time,
    created_by: optional(Named),
    number_of_posts: integer,
    last_post_created_at: time,
    last_post_created_by: optional(Named),
    is_locked: flag
  })
)

const pollOptions = list(named("PollOption", { id: integer, text, votes: integer }))

export const TopicPage = named("TopicPage", {
  data: optional(
    named("Topic", {
      title: text,
      posts: list(
        named("Post", {
          id: integer,
          number: integer,
          created_at: time,
          created_by: optional(named("Poster", { id: integer, name: text, forum_avator: text })),
          body: text,
          signature: text
        })
      ),
      poll: optional(
        Schema.Union(
          named("Poll", { id: integer, question: text, closed: flag, options: pollOptions }),
          Schema.Array(named("PollOfList", { id: integer, question: text, close: flag, options: pollOptions }))
        )
      )
    })
  ),
  paging: optional(Paging)
})
