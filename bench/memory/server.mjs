// The embedded service with one long list, in its own process, so that its memory does not count.
import { animeListOf, generatedAnime, sample } from "@catalog-client/core/testing"
import { serve } from "@catalog-client/node/testing"

const anime = generatedAnime(Number(process.argv[2]))
const [owner, ...others] = sample().users
const service = await serve({
  dataset: { ...sample(), anime, users: [{ ...owner, animeList: animeListOf(anime, 1) }, ...others] }
})
process.send({ url: service.url, owner: owner.name })
