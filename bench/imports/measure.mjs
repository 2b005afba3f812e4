// The time to import the package in a fresh process, and to import only its dependencies.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { folder as effect4 } from "../effect4.mjs"

const bench = new URL("..", import.meta.url)

/** What is imported, from where. */
const entries = {
  ours: { modules: ["@catalog-client/node"], folder: bench },
  parts: { modules: ["effect/Effect", "@effect/platform/HttpClient", "undici"], folder: bench },
  effect4: { modules: ["@catalog-client/node"], folder: effect4 },
  parts4: { modules: ["effect/Effect", "effect/http/HttpClient", "undici"], folder: effect4 },
  platformNode: { modules: ["@effect/platform-node/NodeHttpClient"], folder: bench }
}

/** @type {ReadonlyArray<keyof typeof entries>} */
const inQuick = ["ours", "parts", "effect4"]
/** @type {ReadonlyArray<keyof typeof entries>} */
const all = [...inQuick, "parts4", "platformNode"]

/** @param {ReadonlyArray<string>} modules */
const program = (modules) => `
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (const module of ${JSON.stringify(modules)}) await import(module)
  const wall = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ wall, cpu: (user + system) / 1000 }))`

/**
 * Milliseconds of real time and of CPU, from the first import to the last, without the start of Node itself.
 *
 * @param {{ readonly rounds: number, readonly quick: boolean }} options
 */
export const measure = ({ rounds, quick }) => {
  /** @type {Record<keyof typeof entries, { wall: Array<number>, cpu: Array<number> }>} */
  const taken = {
    ours: { wall: [], cpu: [] },
    parts: { wall: [], cpu: [] },
    effect4: { wall: [], cpu: [] },
    parts4: { wall: [], cpu: [] },
    platformNode: { wall: [], cpu: [] }
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of quick ? inQuick : all) {
      const { folder, modules } = entries[name]
      const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program(modules)], {
        cwd: fileURLToPath(folder),
        encoding: "utf8"
      })
      if (stderr !== "") {
        throw new Error(stderr)
      }
      const { wall, cpu } = JSON.parse(stdout)
      taken[name].wall.push(wall)
      taken[name].cpu.push(cpu)
    }
  }
  return taken
}
