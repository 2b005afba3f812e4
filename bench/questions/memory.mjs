// How much more memory does a loop over a list of 200 000 entries hold than over its beginning?
import { createCatalog } from "catalog-client"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { start } from "../runner.mjs"

const entries = 200_000

/** @type {import("../runner.mjs").Question["measure"]} */
export const measure = async () => {
  setFlagsFromString("--expose-gc")
  const gc = runInNewContext("gc")
  const held = () => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1024 / 1024
  }
  // In its own process, so that its memory does not count.
  const server = await start(new URL("../server.mjs", import.meta.url), String(entries))
  const catalog = createCatalog({
    baseUrl: server.ready.url,
    accessToken: "embedded-token",
    nsfw: true,
    timeout: 120_000
  })
  let read = 0
  let first = 0
  let most = 0
  for await (const _ of catalog.user.animeList.items({ username: "@me" }, { fields: "list_status,genres,mean" })) {
    read++
    if (read === 2000) {
      first = held()
    }
    if (read % 10_000 === 0) {
      most = Math.max(most, held())
    }
  }
  await catalog.close()
  server.stop()
  if (read !== entries) {
    throw new Error(`${read} of ${entries} entries`)
  }
  return { items: [[{ megabytes: most - first }]] }
}

/** @type {import("../runner.mjs").Question["figures"]} */
export const figures = {
  memory: {
    title: "MB that a loop over 200 000 entries of a list holds, beyond those after the first 2 000",
    of: "megabytes",
    side: "items"
  }
}
