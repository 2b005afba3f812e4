import { ClientRestError } from "@catalog-client/core"
import { createCatalog } from "@catalog-client/node"
import { serve } from "@catalog-client/node/testing"

// For the real service: createCatalog({ clientId: "…" }), and no service of your own.
const service = await serve()
const catalog = createCatalog({ baseUrl: service.url, accessToken: service.accessToken })

const anime = await catalog.anime.get({ id: 30230 }, { fields: ["mean", "num_episodes"] })
console.log(`${anime.title}: ${anime.num_episodes} episodes, ${anime.mean} of 10`)

const entry = await catalog.anime.updateMyListStatus({ id: 30230, status: "completed", num_watched_episodes: 51 })
console.log(`${entry.status}, ${entry.num_episodes_watched} episodes`)

try {
  await catalog.manga.get({ id: 999_999 })
} catch (error) {
  if (error instanceof ClientRestError) console.log(`${error.status} ${error.code}`)
}

await catalog.close()
await service.close()
