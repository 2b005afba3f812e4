import { serve, type ServedCatalog, type ServeOptions } from "catalog-client/testing"
import { afterEach, expect, it } from "vitest"
import { run } from "./cli.js"

const services: Array<ServedCatalog> = []
afterEach(() => Promise.all(services.splice(0).map((service) => service.close())))

/** Runs commands against one service: exit code and lines of the last. */
const after = async (commands: ReadonlyArray<string>, options: ServeOptions = {}, signal?: AbortSignal) => {
  const service = await serve(options)
  services.push(service)
  const env = { CATALOG_BASE_URL: service.url, CATALOG_ACCESS_TOKEN: service.accessToken }
  let last = { code: -1, printed: [] as Array<string>, warned: [] as Array<string> }
  for (const command of commands) {
    const [printed, warned]: [Array<string>, Array<string>] = [[], []]
    const output = { print: (line: string) => printed.push(line), warn: (line: string) => warned.push(line) }
    last = { code: await run(command.split(" "), env, output, signal), printed, warned }
  }
  return last
}

it("finds, shows and ranks anime", async () => {
  expect((await after(["search diamond no"])).printed).toContain(" 30230  8.30  Diamond no Ace: Second Season")
  expect((await after(["show 30230"])).printed[1]).toMatch(/^51 episodes; .*Sports/)
  expect((await after(["top 120"])).printed).toHaveLength(120)
})

it("keeps a list, and reads all of it", async () => {
  const { printed } = await after(["watched 30230 25", "list"])
  expect(printed).toContain(" 30230  25 of 51  Diamond no Ace: Second Season")
  expect(printed.length).toBeGreaterThan(300)
})

it("reports errors, and ends with a code", async () => {
  expect(await after(["show 999999"])).toEqual({ code: 1, printed: [], warned: ["There is no such anime."] })
  for (const command of ["show me", "show", "top ten", "watched 30230 all"]) {
    expect(await after([command])).toMatchObject({ code: 2, warned: [expect.stringMatching(/must be a .*number/)] })
  }
  expect(await after(["dance"])).toMatchObject({ code: 2, warned: [expect.stringContaining("Usage")] })
  const refused = await after(["list"], { tokens: { "embedded-token": { user: "sample_reader", expiresAt: 0 } } })
  expect(refused).toMatchObject({ code: 1, warned: [expect.stringContaining("not accepted")] })
})

it("retries if the service is busy, and can be cancelled", async () => {
  const faults = [{ on: "anime.get" as const, status: 503, headers: { "retry-after": "0" }, times: 2 }]
  expect(await after(["show 1"], { faults })).toMatchObject({ code: 0 })
  expect(await after(["show 1"], { latency: "1 minute" }, AbortSignal.timeout(200))).toMatchObject({ code: 130 })
})
