/**
 * The packages as users install them: packed, in a folder outside the workspace, so that nothing of it is found by accident.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { manifest, read, root } from "./readme.js"
import { effectFolders } from "../scripts/workspace.mjs"

/** Runs a command, and returns all it printed; where it fails, the error has all it printed. */
export const run = async (cwd: string, command: string, ...args: ReadonlyArray<string>): Promise<string> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, maxBuffer: 2 ** 26 })
    return stdout + stderr
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error })
  }
}

/** Runs a program of the workspace's installation. */
export const tool = (name: string, ...args: ReadonlyArray<string>): Promise<string> =>
  run(root, join(root, "node_modules/.bin", name), ...args)

export const temporaryFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "catalog-client-")))

/** What is packed: the files of the packages, the guides that core takes along, and the license. */
const sources = (): ReadonlyArray<string> => {
  const within = (folder: string, part: RegExp, recursive = true) =>
    readdirSync(join(root, folder), { recursive, withFileTypes: true })
      .filter((entry) => entry.isFile() && part.test(entry.name))
      .map(({ name, parentPath }) => join(parentPath, name))
  return [
    ...effectFolders.flatMap((name) => [
      ...within(`packages/${name}/dist`, /[.](ts|js|map)$/),
      ...within(`packages/${name}/src`, /[.]ts$/),
      ...within(`packages/${name}`, /^(package[.]json|(README|CHANGELOG)[.]md)$/, false)
    ]),
    ...within("packages/promise/dist", /[.](js|cjs|d[.]c?ts)$/),
    ...within("packages/promise", /^(package[.]json|[A-Z]+[.]md)$/, false),
    ...within(".", /[.]md$|^LICENSE$/, false),
    ...within("docs", /[.]md$/, false),
    join(root, "scripts/generate/guides.mjs")
  ].toSorted()
}

/** Packs packages into a folder, under the names of their folders. Steps share the tarballs until a file of them changes. */
const pack = async (folder: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const hash = createHash("sha256")
  for (const path of sources()) {
    hash.update(`${path}\0`).update(readFileSync(path))
  }
  const shared = join(root, ".cache/packed")
  const whole = join(shared, hash.digest("hex").slice(0, 16))
  if (!existsSync(whole)) {
    mkdirSync(shared, { recursive: true })
    const draft = mkdtempSync(join(shared, "draft-"))
    for (const name of [...effectFolders, "promise"]) {
      await tool("pnpm", "--dir", `packages/${name}`, "pack", "--out", join(draft, `${name}.tgz`))
    }
    // Another step may have packed meanwhile.
    if (!existsSync(whole)) {
      renameSync(draft, whole)
    }
  }
  return names.map((name) => {
    const tarball = join(folder, `${name}.tgz`)
    copyFileSync(join(whole, `${name}.tgz`), tarball)
    return tarball
  })
}

/** Packs the packages for programs with Effect. */
export const packInto = (folder: string): Promise<ReadonlyArray<string>> => pack(folder, effectFolders)

/** Packs `catalog-client`; its tarball. */
export const packCatalogClient = async (folder: string): Promise<string> => {
  const [tarball = ""] = await pack(folder, ["promise"])
  return tarball
}

/** Packs the server for language models; its tarball. */
export const packMcp = async (folder: string): Promise<string> => {
  const tarball = join(folder, "mcp.tgz")
  await tool("pnpm", "--dir", "packages/mcp", "pack", "--out", tarball)
  return tarball
}

/** Options of `npm install` in tests. */
export const quietly = ["--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=5"]

const { dependencies } = JSON.parse(read("package.json")) as { readonly dependencies: Record<string, string> }

/** The peers that every program needs, at the versions of the workspace. */
export const peers = Object.keys(manifest("core").peerDependencies).map((name) => `${name}@${dependencies[name]}`)

/** Makes a folder a project, with the packed packages and what is named besides: by default, their peers. */
export const newProject = async (folder: string, others: ReadonlyArray<string> = peers): Promise<void> => {
  const tarballs = await packInto(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a-new-project", private: true, type: "module" }))
  await run(folder, "npm", "install", "--strict-peer-deps", ...quietly, ...tarballs, ...others)
}
