// The call that every contender makes.
/** The selector of the call: more than most programs select. */
export const fields = (
  "alternative_titles,start_date,end_date,synopsis,mean,rank,popularity,num_list_users,num_scoring_users,nsfw,created_at,updated_at," +
  "media_type,status,genres,my_list_status,num_episodes,start_season,source,rating,broadcast,studios,related_anime,statistics"
).split(",")

export const id = 30230
export const clientId = "my-client-id"
export const headers = { accept: "application/json", "x-mal-client-id": clientId }
export const timeout = 30_000

/** A short reply, for calls from memory. */
export const anime = JSON.stringify({ id, title: "A title", mean: 8.1, genres: [{ id: 1, name: "Sports" }] })
