/**
 * The pages that are bundled: what they read stands in their title then. The address of the service comes after the `#` of theirs.
 */
const read = `const shown = ({ title, mean }) => { document.title = title + ": " + mean }
const failed = (error) => { document.title = String(error) }`

const effect = (imports: string) => `${imports}
import { CatalogConfig, Credentials } from "@catalog-client/core"
import { get } from "@catalog-client/core/anime"
import { layer } from "@catalog-client/browser"
${read}
const config = CatalogConfig.layer({ baseUrl: location.hash.slice(1) })
const program = get({ id: 30230 }, { fields: ["mean"] })
Effect.runPromise(Effect.provide(program, [layer, config, Credentials.layerNone])).then(shown, failed)
`

export const programs = {
  promises: `
import { createCatalog } from "catalog-client"
${read}
const catalog = createCatalog({ baseUrl: location.hash.slice(1) })
catalog.anime.get({ id: 30230 }, { fields: ["mean"] }).then(shown, failed)
`,
  effect: effect(`import * as Effect from "effect/Effect"`),
  "effect-whole": effect(`import { Effect } from "effect"`)
}

/** What the title is then. */
export const title = "Diamond no Ace: Second Season: 8.3"
