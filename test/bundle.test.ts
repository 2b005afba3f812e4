import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import * as anime from "@catalog-client/core/anime"
import * as forum from "@catalog-client/core/forum"
import * as manga from "@catalog-client/core/manga"
import * as user from "@catalog-client/core/user"

const groups = { anime, forum, manga, user }

const operations = Object.entries(groups).flatMap(([group, module]) =>
  Object.keys(module).map((name) => ({ group, name }))
)

describe("a bundle of one operation", () => {
  it.each(operations)("holds no path of another: $group.$name", async ({ group, name }) => {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${name} } from "@catalog-client/core/${group}"`, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: "esm",
      external: ["effect", "@effect/platform"]
    })
    const code = outputFiles.map(({ text }) => text).join("")
    const paths = new Set(
      Array.from(code.matchAll(/["'`](\/(?:anime|manga|users?|forum)\b[^"'`]*)["'`]/g), ([, path]) => path)
    )
    expect([...paths]).toHaveLength(1)
  })
})
