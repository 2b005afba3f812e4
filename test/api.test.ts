import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { folder, readme, reports } from "../scripts/api.mjs"
import { read } from "./readme.js"

describe("the public API", () => {
  let current: ReadonlyMap<string, string>

  beforeAll(async () => {
    current = await reports()
  }, 120_000)

  it("has a report of each entry point in api/", () => {
    expect(readdirSync(folder).toSorted()).toEqual([...current.keys()].toSorted())
  })

  it("equals api/; `npm run api` accepts a change", () => {
    for (const [file, report] of current) {
      const path = join(folder, file)
      const accepted = existsSync(path) ? readFileSync(path, "utf8") : ""
      expect.soft(report, `api/${file}: the public API has changed. To accept the change: npm run api`).toBe(accepted)
    }
  })

  it("equals the README's table of operations; `npm run api` writes it", () => {
    expect(read("README.md")).toBe(readme())
  })

  it("declares all names that its modules have at run time", () => {
    const undeclared = [...current].flatMap(([file, report]) =>
      [...report.matchAll(/^- `(.+)` \(not declared\)$/gm)].map(([, name]) => `${file}: ${name}`)
    )
    expect(undeclared).toEqual([])
  })
})
