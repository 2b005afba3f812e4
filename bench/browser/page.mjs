// The program of the page: our client and a hand-written fetch, alternately.
import { createCatalog } from "catalog-client"
import { fields, id } from "../calls/selection.mjs"
import { many } from "../many.mjs"

const clientId = "my-client-id"

/** @param {string} baseUrl */
const contenders = (baseUrl) => {
  const catalog = createCatalog({ baseUrl, clientId })
  return {
    ours: () => catalog.anime.get({ id }, { fields }),
    fetch: async () => {
      const response = await fetch(`${baseUrl}/anime/${id}?fields=${fields.join(",")}`, {
        headers: { accept: "application/json", "x-mal-client-id": clientId },
        signal: AbortSignal.timeout(30_000)
      })
      if (!response.ok) {
        throw new Error(`status ${response.status}`)
      }
      return response.json()
    }
  }
}

/**
 * Calls per second, 16 at a time.
 *
 * @param {() => Promise<unknown>} call
 * @param {number} count
 */
const slice = async (call, count) => {
  const started = performance.now()
  await many(call, count, 16)
  return (count * 1000) / (performance.now() - started)
}

/**
 * @param {URLSearchParams} query
 * @returns {Promise<Record<"ours" | "fetch", Array<number>>>}
 */
const measure = async (query) => {
  const [rounds, count] = [Number(query.get("rounds")), Number(query.get("count"))]
  const calls = contenders(query.get("baseUrl") ?? "")
  /** @type {Record<"ours" | "fetch", Array<number>>} */
  const taken = { ours: [], fetch: [] }
  /** @type {Array<"ours" | "fetch">} */
  const names = ["ours", "fetch"]
  for (const name of names) {
    await slice(calls[name], count * 2)
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      taken[name].push(await slice(calls[name], count))
    }
  }
  return taken
}

const report = await measure(new URLSearchParams(location.search)).catch((error) => ({ error: String(error) }))
await fetch("/", { method: "POST", body: JSON.stringify(report) })
