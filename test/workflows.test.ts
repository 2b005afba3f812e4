import { spawnSync } from "node:child_process"
import { readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, test } from "vitest"
import { newFolder } from "../packages/core/test/support/newFolder.js"
import { noted, withoutNotes } from "../scripts/release/notes.mjs"
import { installLines, packAll } from "../scripts/release/pack.mjs"
import { allFolders, effectFolders, manifestOf } from "../scripts/workspace.mjs"
import { read, root } from "./readme.js"

const folder = ".github/workflows"
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Record<string, string> }

/** The jobs of a workflow, each as its text. */
const jobs = (workflow: string) =>
  workflow
    .slice(workflow.indexOf("\njobs:\n"))
    .split(/^(?=  [\w-]+:$)/m)
    .slice(1)
    .map((text) => ({ name: /[\w-]+/.exec(text)?.[0], text }))

// The formatter checks that workflows are valid YAML.
describe.each(readdirSync(join(root, folder)))("the workflow %s", (file) => {
  const workflow = read(`${folder}/${file}`)
  const all = (pattern: RegExp) => [...workflow.matchAll(pattern)].map(([, match]) => match)

  test("pins each action to a commit and says its version", () => {
    const used = all(/^\s+(?:- )?uses: (.+)$/gm)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+[.]\d+[.]\d+$/.test(action ?? ""))).toEqual([])
  })

  test("has only read permissions, unless a job says otherwise", () => {
    expect(all(/^permissions:\n((?: .*\n)*)/gm)).toEqual(["  contents: read\n"])
  })

  test("grants write permissions only to jobs that install nothing and run nothing that was installed", () => {
    const able = jobs(workflow).filter(({ text }) => /^\s+[\w-]+: write\b/m.test(text))
    const words = able.map(({ text }) => text.replaceAll(/#.*$|environment: npm$/gm, ""))
    expect(words.filter((text) => /\b(?:npm|npx|pnpm|yarn|corepack)\b/.test(text))).toEqual([])
    // A token that a checkout leaves behind is a permission as well.
    const checkouts = workflow.split(/^\s+- /m).filter((step) => step.includes("actions/checkout@"))
    expect(checkouts.filter((step) => !step.includes("persist-credentials: false"))).toEqual([])
  })

  test("runs scripts of package.json", () => {
    const names = all(/^\s+(?:- )?run: npm (?:run )?(?!install)([\w:-]+)/gm)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name = "") => !(name in scripts))).toEqual([])
  })
})

describe("a release", () => {
  const release = jobs(read(`${folder}/release.yml`))
  const site = jobs(read(`${folder}/site.yml`))

  test.each([
    ["release", release],
    ["site", site]
  ])("of the %s is built without write permissions, and then published by another job", (_, found) => {
    const able = found.filter(({ text }) => text.includes("id-token: write"))
    expect(able).toHaveLength(1)
    expect(able[0]?.text).toMatch(/needs: build\n/)
    expect(found.find(({ name }) => name === "build")?.text).not.toMatch(/: write\b|environment:|secrets[.]/)
  })

  test("is published only from a commit that CI has passed", () => {
    const [gate] = release.find(({ name }) => name === "build")?.text.split(/^ +- uses: /m) ?? []
    expect(gate).toContain("if: inputs.publish")
    expect(gate).toMatch(/gh run list --workflow ci[.]yml --event push --commit "[$]GITHUB_SHA"/)
    expect(gate).toMatch(/= success \]/)
  })

  test("removes the notes that apply until the first release, from every file", () => {
    const tracked = spawnSync("git", ["ls-files", "*.md", "*.ts", "*.mjs", "*.vue"], {
      cwd: root,
      encoding: "utf8"
    }).stdout.split("\n")
    const said = /until the first release|before-the-first-release/i
    const saying = tracked.filter(
      (file) =>
        /^(?:\w+[.]md$|docs\/(?!decisions\/)|packages\/\w+\/README[.]md|site\/)/.test(file) && said.test(read(file))
    )
    expect(saying).toEqual([...noted].toSorted())
    for (const file of noted) {
      const left = withoutNotes(read(file))
      expect(left).not.toMatch(said)
      expect(left).not.toMatch(/npm run release -- --pack|E404|<!-- end -->/)
      expect(left.length).toBeGreaterThan(500)
    }
  })

  test("is packed before the first one, too: a line for each use, of the tarballs that there are", () => {
    const names = effectFolders.map((name) => `@catalog-client/${name}`)
    const tarballs = [
      ...names.flatMap((name) =>
        ["latest", "effect3"].map((tag) => ({ name, tag, version: "1", file: `${name} ${tag}` }))
      ),
      ...["catalog-client", "@catalog-client/mcp"].map((name) => ({ name, tag: "latest", version: "1", file: name }))
    ]
    const said = installLines(tarballs).map((text) => /^For (.+):\n\n(np[mx]) /.exec(text)?.slice(1))
    expect(said).toEqual([
      ["promises", "npm"],
      ["Effect 4", "npm"],
      ["Effect 3", "npm"],
      ["an agent (MCP)", "npx"]
    ])
    const installed = installLines(tarballs).join("\n")
    expect(tarballs.filter(({ file }) => !installed.includes(`/${file}"`))).toEqual([])
    expect(installLines(tarballs.filter(({ name }) => name === "catalog-client"))).toEqual([
      expect.stringMatching(/promises:\n\nnpm install "\S+[/]catalog-client"$/)
    ])
  })

  test("packs one package beside the tarballs of others, which programs can be installed from", () => {
    const folder = newFolder()
    writeFileSync(join(folder, "catalog-client-core-1.0.0.tgz"), "")
    const packed = packAll("catalog-client", folder) ?? []
    expect(packed).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(["catalog-client-core-1.0.0.tgz", ...packed.map(({ file }) => file)])
    )
  })

  test("packs a package by its name, and names them all if there is none of it", () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ["scripts/release/release.mjs", "--pack", "@catalog-client/nothing"],
      { cwd: root, encoding: "utf8" }
    )
    expect(status).toBe(1)
    const names = allFolders.map((name) => manifestOf(join(root, "packages", name)).name)
    expect(stderr).toContain(`--pack [name]]. The names: ${names.join(", ")}.`)
    const [forEffect4, forEffect3] = ["latest", "effect3"].map((tag) => ({
      name: "@catalog-client/oauth",
      tag,
      version: "1",
      file: `${tag}.tgz`
    }))
    expect(installLines([forEffect4, forEffect3].filter((tarball) => tarball !== undefined))).toEqual([
      expect.stringMatching(/^@catalog-client[/]oauth for Effect 4:\n\nnpm install "file:\S+[/]latest[.]tgz"$/),
      expect.stringMatching(/^@catalog-client[/]oauth for Effect 3:\n\nnpm install "file:\S+[/]effect3[.]tgz"$/)
    ])
  })

  test("is published by a script that needs only Node", () => {
    const seen = new Set<string>()
    const imported = (file: string): ReadonlyArray<string> => {
      seen.add(file)
      const names = [...read(file).matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, name = ""]) => name)
      return names.flatMap((name) => {
        const next = join(dirname(file), name)
        return name.startsWith(".") ? (seen.has(next) ? [] : imported(next)) : name
      })
    }
    const names = imported("scripts/release/publish.mjs")
    expect(names).toContain("node:fs")
    expect(names.filter((name) => !name.startsWith("node:"))).toEqual([])
  })
})

test("there is one version of pnpm", () => {
  const { devDependencies, packageManager } = manifestOf(root)
  expect(packageManager).toContain(`pnpm@${devDependencies?.["pnpm"]}+sha512.`)
  const files = readdirSync(join(root, folder)).map((file) => read(`${folder}/${file}`))
  expect(files.filter((text) => text.includes("pnpm"))).toEqual([])
})

test("new versions are proposed for each lockfile", () => {
  const lockfiles = spawnSync("git", ["ls-files", "pnpm-lock.yaml", "**/pnpm-lock.yaml"], {
    cwd: root,
    encoding: "utf8"
  })
  const watched = [...read(".github/dependabot.yml").matchAll(/^ {6}- (\/.*)$/gm)].map(([, path = ""]) => path)
  expect(watched).toEqual(
    lockfiles.stdout
      .trim()
      .split("\n")
      .map((file) => join("/", dirname(file)))
      .toSorted()
  )
})

test("a script runs when it is started through a symbolic link, too", () => {
  const folder = newFolder()
  const workspace = JSON.stringify(pathToFileURL(join(root, "scripts/workspace.mjs")))
  writeFileSync(join(folder, "script.mjs"), `import { isMain } from ${workspace}; console.log(isMain(import.meta))`)
  symlinkSync("script.mjs", join(folder, "link.mjs"))
  const printed = (file: string) => spawnSync(process.execPath, [join(folder, file)], { encoding: "utf8" }).stdout
  expect(["script.mjs", "link.mjs"].map(printed)).toEqual(["true\n", "true\n"])
})

test("the checks on GitHub are all steps of npm test", () => {
  // A step that does not exist is answered with the list of those that do.
  const { stderr } = spawnSync(process.execPath, ["scripts/test.mjs", "?"], { cwd: root, encoding: "utf8" })
  const steps = /The steps: ([\w, -]+)/.exec(stderr)?.[1]?.split(", ") ?? []
  expect(steps).toContain("node")
  const run = [...read(`${folder}/ci.yml`).matchAll(/^\s+steps: (.+)$/gm)].flatMap(([, names = ""]) => names.split(" "))
  // Each job builds first, and `packages` has the tests of `tarballs`.
  expect(steps.filter((name) => !["build", "tarballs", ...run].includes(name))).toEqual([])
})
