/**
 * What an editor shows over the packages for Effect 4: its own types, by their own names.
 */
import { join } from "node:path"
import { expect, test } from "vitest"
import { openEditor } from "../../test/editor.js"
import { root } from "../../test/readme.js"

const { hover } = openEditor(
  join(root, "effect4/editor.ts"),
  `import { Anime, Catalog, CatalogClient, Credentials, Operation } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { layerClient } from "@catalog-client/node"
import { Effect } from "effect"
declare const client: CatalogClient["Service"]
`
)

const failures = "ClientRestError | ClientNetworkError"

test.each([
  [
    "const a¦nime = Catalog.anime.get({ id: 1 }, { fields: 'mean' })",
    `const anime: Effect.Effect<{ readonly id: number; readonly title: string; readonly mean?: number; }, ${failures}, HttpClient | Credentials>`
  ],
  [
    "client.user.g¦et({ username: '@me' }, { fields: 'gender' })",
    ` => Effect.Effect<{ readonly id: number; readonly name: string; readonly gender?: string; }, ${failures} | ClientValidationError | ClientAuthError, never>`
  ],
  [
    "const pro¦gram = Effect.gen(function* () { return yield* client.user.me() })",
    `, ${failures} | ClientAuthError, never>`
  ],
  ["Catalog.anime.ranking.ite¦ms({ rankingType: 'all' })", `) => Stream<{ readonly ranking: Ranking; readonly node: {`],
  [
    "const st¦udio = Operation.make({ name: 's', method: 'GET', path: '/s' })",
    `: Operation.Operation<{}, void, ${failures}>`
  ],
  ["EmbeddedCatalog.lay¦er()", "const layer: (options?: EmbeddedCatalogOptions) => Layer<HttpClient>"],
  ["layerCl¦ient({})", "?: CatalogConfigOptions & Credentials.Options): Layer<CatalogClient>"],
  ["Credentials.layerCon¦fig({})", "(options?: FromConfig<Credentials.Options>): Layer<Credentials, ConfigError>"],
  ["An¦ime", "const Anime: Codec<Anime, Anime, never, never>"]
])(
  "the hover of %s has the types of Effect 4",
  (text, shown) => {
    const { type } = hover(text)
    expect(type).toContain(shown)
    expect(type).not.toMatch(/import[(]|\bSchema<|@effect[/]/)
  },
  120_000
)
