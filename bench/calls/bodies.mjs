// What the server answers with: the embedded service's replies, and members that the models do not know.
import { animeListOf, generatedAnime, sample } from "@catalog-client/core/testing"
import { serve } from "@catalog-client/node/testing"

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

const read = async (url) => (await fetch(url, { headers: { authorization: "Bearer embedded-token" } })).json()

/** One anime of some 1.2 kB, and a page of 1 000 entries of a list, as texts. */
export const bodies = async () => {
  const [owner, ...others] = sample().users
  const generated = generatedAnime(1000)
  const service = await serve({
    dataset: {
      ...sample(),
      anime: [...sample().anime, ...generated],
      users: [{ ...owner, animeList: animeListOf(generated, 1) }, ...others]
    }
  })
  const anime = await read(`${service.url}/anime/${id}?fields=${fields.join(",")}`)
  const page = await read(
    `${service.url}/users/@me/animelist?limit=1000&nsfw=true&fields=list_status,genres,mean,num_episodes,start_season,studios`
  )
  await service.close()
  return {
    anime: JSON.stringify({ ...anime, approximate_age: { low: 13, high: 17 } }),
    page: JSON.stringify({
      ...page,
      data: page.data.map(({ node, list_status }, index) => ({
        node: { ...node, blurhash: "LEHV6nWB2yk8", streams: [{ site: "example", since: 2015 + (index % 9) }] },
        list_status: { ...list_status, mood: "calm" }
      }))
    })
  }
}
