import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { read, root } from "./readme.js"

const folder = ".github/workflows"
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Record<string, string> }

// That they are valid YAML is checked by the formatter.
describe.each(readdirSync(join(root, folder)))("the workflow %s", (file) => {
  const workflow = read(`${folder}/${file}`)
  const all = (pattern: RegExp) => [...workflow.matchAll(pattern)].map(([, match]) => match)

  it("pins each action to a commit and says its version", () => {
    const used = all(/^\s+(?:- )?uses: (.+)$/gm)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+[.]\d+[.]\d+$/.test(action ?? ""))).toEqual([])
  })

  it("has only read permissions, unless a job says otherwise", () => {
    expect(all(/^permissions:\n((?: .*\n)*)/gm)).toEqual(["  contents: read\n"])
  })

  it("runs scripts of package.json", () => {
    const names = all(/^\s+(?:- )?run: npm (?:run )?(?!install)([\w:-]+)/gm)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name = "") => !(name in scripts))).toEqual([])
  })
})

it("the checks on GitHub are all steps of npm test", () => {
  // A step that does not exist is answered with the list of those that do.
  const { stderr } = spawnSync(process.execPath, ["scripts/test.mjs", "?"], { cwd: root, encoding: "utf8" })
  const steps = /The steps: ([\w, -]+)/.exec(stderr)?.[1]?.split(", ") ?? []
  expect(steps).toContain("node")
  const run = [...read(`${folder}/ci.yml`).matchAll(/^\s+steps: (.+)$/gm)].flatMap(([, names = ""]) => names.split(" "))
  // Each job builds first.
  expect(steps.filter((name) => name !== "build" && !run.includes(name))).toEqual([])
})
