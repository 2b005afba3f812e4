// The time to import the package in a fresh process, and to import only its dependencies.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const bench = fileURLToPath(new URL("..", import.meta.url))

const entries = {
  ours: ["@catalog-client/node"],
  parts: ["effect/Effect", "@effect/platform/HttpClient", "undici"],
  platformNode: ["@effect/platform-node/NodeHttpClient"]
}

/** @type {ReadonlyArray<keyof typeof entries>} */
const inQuick = ["ours", "parts"]
const all = [...inQuick, /** @type {const} */ ("platformNode")]

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
  const taken = { ours: { wall: [], cpu: [] }, parts: { wall: [], cpu: [] }, platformNode: { wall: [], cpu: [] } }
  for (let round = 0; round < rounds; round++) {
    for (const name of quick ? inQuick : all) {
      const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program(entries[name])], {
        cwd: bench,
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
