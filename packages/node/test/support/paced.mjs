// A process of a fleet: as many calls as it is told to make, all at once, paced by a Redis that others use, too.
import { Resilience } from "@catalog-client/core"
import { createCatalog } from "@catalog-client/node"
import { rateLimitStore } from "@catalog-client/node/redis"
import { once } from "node:events"

const [url, port, name = "", calls, limit, interval] = process.argv.slice(2)
const store = rateLimitStore({ port: Number(port) })
const policies = [
  Resilience.rateLimit({ limit: Number(limit), interval: Number(interval), store }),
  Resilience.retry({ attempts: 5 })
]
const catalog = createCatalog({ baseUrl: url, headers: { "x-process": name }, policies })
// All begin together, when the one that started them says so, and none has to load anything then.
await catalog.anime.get({ id: 1 }, { policies: [Resilience.rateLimit({ limit: 1, interval: 1 })] })
process.stdout.write("ready\n")
await once(process.stdin, "data")
const all = Array.from({ length: Number(calls) }, () => catalog.anime.get({ id: 1 }))
const done = await Promise.allSettled(all)
console.log(JSON.stringify(done.map((each) => (each.status === "rejected" ? each.reason.message : each.status))))
await catalog.close()
await store.close()
process.stdin.destroy()
