/** The records of the service, for its declaration: every member is optional, every word a text. */
import * as Schema from "effect/Schema"

const optional = Schema.optional
const text = optional(Schema.String)
const number = optional(Schema.Number)
const flag = optional(Schema.Boolean)
const list = <A, I>(item: Schema.Schema<A, I>) => optional(Schema.Array(item))

const named = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotations({ identifier })

const Picture = named("Picture", { medium: text, large: text })
const Named = named("Named", { id: number, name: text })
const Theme = named("Theme", { id: number, anime_id: number, text })
const Video = named("Video", {
  id: number,
  title: text,
  url: text,
  thumbnail: text,
  created_at: number,
  updated_at: number
})

export const AnimeListStatus = named("AnimeListStatus", {
  status: text,
  score: number,
  num_episodes_watched: number,
  is_rewatching: flag,
  start_date: text,
  finish_date: text,
  priority: number,
  num_times_rewatched: number,
  rewatch_value: number,
  tags: list(Schema.String),
  comments: text,
  updated_at: text
})

export const MangaListStatus = named("MangaListStatus", {
  status: text,
  score: number,
  num_volumes_read: number,
  num_chapters_read: number,
  is_rereading: flag,
  start_date: text,
  finish_date: text,
  priority: number,
  num_times_reread: number,
  reread_value: number,
  tags: list(Schema.String),
  comments: text,
  updated_at: text
})

/** A related item: a separate record, with the members that every item has. */
const Neighbour = named("Neighbour", { id: number, title: text, main_picture: optional(Picture) })
const Related = named("Related", { node: optional(Neighbour), relation_type: text, relation_type_formatted: text })
const Recommended = named("Recommended", { node: optional(Neighbour), num_recommendations: number })

const item = {
  id: number,
  title: text,
  main_picture: optional(Picture),
  alternative_titles: optional(named("AlternativeTitles", { synonyms: list(Schema.String), en: text, ja: text })),
  start_date: text,
  end_date: text,
  synopsis: text,
  mean: number,
  rank: number,
  popularity: number,
  num_list_users: number,
  num_scoring_users: number,
  num_favorites: number,
  nsfw: text,
  genres: list(Named),
  created_at: text,
  updated_at: text,
  media_type: text,
  status: text,
  pictures: list(Picture),
  background: text,
  related_anime: list(Related),
  related_manga: list(Related),
  recommendations: list(Recommended)
} as const

export const Anime = named("Anime", {
  ...item,
  my_list_status: optional(AnimeListStatus),
  num_episodes: number,
  start_season: optional(named("Season", { year: number, season: text })),
  broadcast: optional(named("Broadcast", { day_of_the_week: text, start_time: text })),
  source: text,
  average_episode_duration: number,
  rating: text,
  studios: list(Named),
  statistics: optional(
    named("Statistics", {
      num_list_users: number,
      status: optional(
        Schema.Struct({ watching: text, completed: text, on_hold: text, dropped: text, plan_to_watch: text })
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
  num_volumes: number,
  num_chapters: number,
  authors: list(
    named("Author", {
      node: optional(Schema.Struct({ id: number, first_name: text, last_name: text })),
      role: text
    })
  ),
  serialization: list(named("Serialization", { node: optional(Named), role: text }))
})

const Paging = named("Paging", { next: text, previous: text })

const page = <A, I, F extends Schema.Struct.Fields>(entry: Schema.Schema<A, I>, beside: F) =>
  Schema.Struct({ data: list(entry), paging: optional(Paging), ...beside })

const Ranking = named("Ranking", { rank: number, previous_rank: number })

export const AnimePage = page(Schema.Struct({ node: optional(Anime) }), {})
export const MangaPage = page(Schema.Struct({ node: optional(Manga) }), {})
export const AnimeSeasonPage = page(Schema.Struct({ node: optional(Anime) }), {
  season: optional(Schema.Struct({ year: number, season: text }))
})
export const AnimeRankingPage = page(Schema.Struct({ node: optional(Anime), ranking: optional(Ranking) }), {})
export const MangaRankingPage = page(Schema.Struct({ node: optional(Manga), ranking: optional(Ranking) }), {})
export const AnimeListPage = page(Schema.Struct({ node: optional(Anime), list_status: optional(AnimeListStatus) }), {})
export const MangaListPage = page(Schema.Struct({ node: optional(Manga), list_status: optional(MangaListStatus) }), {})

export const User = named("User", {
  id: number,
  name: text,
  location: text,
  joined_at: text,
  picture: text,
  gender: text,
  birthday: text,
  time_zone: text,
  is_supporter: flag,
  anime_statistics: optional(
    named("AnimeStatistics", {
      num_items_watching: number,
      num_items_completed: number,
      num_items_on_hold: number,
      num_items_dropped: number,
      num_items_plan_to_watch: number,
      num_items: number,
      num_days_watched: number,
      num_days_watching: number,
      num_days_completed: number,
      num_days_on_hold: number,
      num_days_dropped: number,
      num_days: number,
      num_episodes: number,
      num_times_rewatched: number,
      mean_score: number
    })
  )
})

export const Boards = named("Boards", {
  categories: list(
    Schema.Struct({
      title: text,
      boards: list(
        Schema.Struct({
          id: number,
          title: text,
          description: text,
          subboards: list(Schema.Struct({ id: number, title: text }))
        })
      )
    })
  )
})

export const TopicsPage = page(
  named("TopicSummary", {
    id: number,
    title: text,
    created_at: text,
    created_by: optional(Named),
    number_of_posts: number,
    last_post_created_at: text,
    last_post_created_by: optional(Named),
    is_locked: flag
  }),
  {}
)

const pollOptions = list(Schema.Struct({ id: number, text, votes: number }))

export const TopicPage = Schema.Struct({
  data: optional(
    named("Topic", {
      title: text,
      posts: list(
        named("Post", {
          id: number,
          number,
          created_at: text,
          created_by: optional(Schema.Struct({ id: number, name: text, forum_avator: text })),
          body: text,
          signature: text
        })
      ),
      poll: optional(
        Schema.Union(
          Schema.Struct({ id: number, question: text, closed: flag, options: pollOptions }),
          Schema.Array(Schema.Struct({ id: number, question: text, close: flag, options: pollOptions }))
        )
      )
    })
  ),
  paging: optional(Paging)
})
