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

const bundle = async (contents: string) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    external: ["effect", "@effect/platform"]
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return {
    code: outputFiles.map(({ text }) => text).join(""),
    /** The policies that it holds, and how many bytes they and what they share take. */
    policies: inputs.flatMap(([path, { bytesInOutput }]) => {
      const [, name = "", part] = /core\/dist\/(resilience\/|Resilience)(\w*)/.exec(path) ?? []
      return name !== "" && bytesInOutput > 0 ? [{ name: part === "" ? "Resilience" : part, bytesInOutput }] : []
    })
  }
}

describe("a bundle of one operation", () => {
  it.each(operations)("holds no path of another: $group.$name", async ({ group, name }) => {
    const { code } = await bundle(`export { ${name} } from "@catalog-client/core/${group}"`)
    const paths = new Set(
      Array.from(code.matchAll(/["'`](\/(?:anime|manga|users?|forum)\b[^"'`]*)["'`]/g), ([, path]) => path)
    )
    expect([...paths]).toHaveLength(1)
  })
})

describe("a bundle holds the policies that it names", () => {
  const named = ["breaker", "cache", "dedupe", "rateLimit", "retry"]

  it.each([
    `export { createCatalog } from "@catalog-client/core"`,
    `export { createCatalog } from "@catalog-client/browser"`,
    `export { Catalog, CatalogPolicy, Credentials } from "@catalog-client/core"`,
    `export { get } from "@catalog-client/core/anime"`
  ])("and none where it names none: %s", async (contents) => {
    expect((await bundle(contents)).policies).toEqual([])
  })

  it.each(named)("and one where it names one: %s", async (name) => {
    const { policies } = await bundle(`export { ${name} } from "@catalog-client/core/resilience"`)
    expect(policies.map((policy) => policy.name).filter((held) => named.includes(held ?? ""))).toEqual([name])
    expect(policies.reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0)).toBeLessThan(4_000)
  })

  it("and all of them are small", async () => {
    const { policies } = await bundle(`export { Resilience } from "@catalog-client/core"`)
    expect(policies.map((policy) => policy.name)).toEqual(expect.arrayContaining(named))
    expect(policies.reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0)).toBeLessThan(9_000)
  })
})
