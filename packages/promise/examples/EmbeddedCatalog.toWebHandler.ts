import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"

const { dispose, handler } = EmbeddedCatalog.toWebHandler()
const catalog = createCatalog({ fetch: (input, init) => handler(new Request(input, init)) })
console.log((await catalog.anime.get({ id: 30230 })).title)
await dispose()
