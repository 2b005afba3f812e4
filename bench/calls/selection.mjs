// The fields that every client requests.
/** The selector of every client's call. */
export const fields = [
  "alternative_titles",
  "start_date",
  "end_date",
  "synopsis",
  "mean",
  "rank",
  "popularity",
  "num_list_users",
  "num_scoring_users",
  "nsfw",
  "created_at",
  "updated_at",
  "media_type",
  "status",
  "genres",
  "my_list_status",
  "num_episodes",
  "start_season",
  "source",
  "rating",
  "broadcast",
  "studios",
  "related_anime",
  "statistics"
]

export const id = 30230
