// A page of 1 000 entries, in memory: what JSON.parse takes of it alone, and with the check.
import { AnimeListPage, Catalog } from "@catalog-client/core"
import * as Effect from "effect/Effect"
import { decodeUnknownSync } from "effect/Schema"
// What turns the text of a body into a reply is not exported. Through a face, reading the body would be measured too, which
// wobbles by more than the check takes.
import { declarationOf } from "../../packages/core/dist/internal/operation.js"
import { judge } from "../../packages/core/dist/internal/reply.js"
import { bodies } from "../calls/bodies.mjs"

const { page } = await bodies()
const declaration = declarationOf(Catalog.user.animeList)
const answer = { status: 200, headers: {}, body: page }
const subject = { operation: declaration.name, method: "GET", url: "http://127.0.0.1/v2/users/@me/animelist" }
const decode = decodeUnknownSync(AnimeListPage)

const works = {
  parse: () => JSON.parse(page),
  checked: () => Effect.runSync(judge(declaration, subject, answer, (text) => text)),
  /** What Schema itself takes, on the same terms: unknown members stay. */
  schema: () => decode(JSON.parse(page))
}

const { data } = works.checked()
if (data.length !== 1000 || data[999].node.blurhash === undefined || data[999].list_status.mood === undefined) {
  throw new Error("the page lost something")
}

/** Milliseconds of CPU for one time. */
const slice = (work, count) => {
  const cpu = process.cpuUsage()
  for (let time = 0; time < count; time++) work()
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1000 / count
}

for (const work of Object.values(works)) slice(work, 100)
process.on("message", (rounds) => {
  const taken = Object.fromEntries(Object.keys(works).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) taken[name].push(slice(work, name === "schema" ? 5 : 50))
  }
  process.send({ bytes: page.length, ...taken })
})
process.send("ready")
