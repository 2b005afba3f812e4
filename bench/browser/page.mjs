// The program of the page: our client and a hand-written fetch, alternately.
import { createCatalog } from "@catalog-client/browser"
import { fields, id } from "../calls/selection.mjs"
import { many } from "../many.mjs"

const clientId = "my-client-id"

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

/** Calls per second, 16 at a time. */
const slice = async (call, count) => {
  const started = performance.now()
  await many(call, count, 16)
  return (count * 1000) / (performance.now() - started)
}

const measure = async ({ baseUrl, rounds, count }) => {
  const calls = Object.entries(contenders(baseUrl))
  const taken = Object.fromEntries(calls.map(([name]) => [name, []]))
  for (const [, call] of calls) {
    await slice(call, count * 2)
  }
  for (let round = 0; round < Number(rounds); round++) {
    for (const [name, call] of round % 2 === 0 ? calls : calls.toReversed()) {
      taken[name].push(await slice(call, Number(count)))
    }
  }
  return taken
}

const report = await measure(Object.fromEntries(new URLSearchParams(location.search))).catch((error) => ({
  error: String(error)
}))
await fetch("/", { method: "POST", body: JSON.stringify(report) })
