import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"

const { handler } = EmbeddedCatalog.toWebHandler()
const fetch = (input: URL, init: RequestInit) => handler(new Request(input, init))
export const catalog = createCatalog({ fetch, ...EmbeddedCatalog.credentials() })
