import { createCatalog, fromEnvironment, Resilience } from "catalog-client"
import { shelfOf } from "./shelf.js"

const catalog = createCatalog({ ...fromEnvironment(), policies: [Resilience.retry()] })
const { id } = await catalog.user.me()
const shelf = shelfOf(catalog, String(id))
console.log((await shelf.best(2)).join("\n"))
for (const { list_status, node } of (await shelf.watching()).data) {
  console.log(`${node.title}: ${list_status?.num_episodes_watched} watched`)
}
await catalog.close()
