import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"

const { handler } = EmbeddedCatalog.toWebHandler()
const fetch = (input: URL, init: RequestInit) => handler(new Request(input, init))
const catalog = createCatalog({ fetch, ...EmbeddedCatalog.credentials() })

console.log((await catalog.user.me()).name)
