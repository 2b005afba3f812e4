// What every contender asks for.
/** The selector of every contender's call. */
export const fields = [
  "alternative_titles",
  "start_date",
  "synopsis",
  "mean",
  "rank",
  "popularity",
  "num_list_users",
  "num_scoring_users",
  "media_type",
  "status",
  "genres",
  "num_episodes",
  "start_season",
  "source",
  "rating",
  "studios",
  "statistics"
]

export const id = 30230
