import { plan } from "catalog-client/sync"

const { changes } = plan({
  kind: "anime",
  current: new Map([[30230, { id: 30230, status: "watching", num_episodes_watched: 5, num_episodes: 25 }]]),
  wanted: [{ id: 30230, status: "completed" }]
})

for (const { before, id, set } of changes) {
  console.log(id, before.status, set.status, set.num_episodes_watched)
}
