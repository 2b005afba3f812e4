// A page of 1 000 entries, in memory: what JSON.parse takes of it alone, and with the check.
import { AnimeListPage, Catalog } from "@catalog-client/core"
import * as Effect from "effect/Effect"
import { decodeUnknownSync } from "effect/Schema"
// What turns the text of a body into a reply is not exported. Through a face, reading the body would be measured too, which
// wobbles by more than the check takes.
import { declarationOf } from "../../packages/core/dist/internal/operation.js"
import { judge } from "../../packages/core/dist/internal/reply.js"

const declaration = declarationOf(Catalog.user.animeList)
const call = {
  operation: declaration,
  facts: { operation: declaration.name, method: "GET", url: "http://127.0.0.1/v2/users/@me/animelist", attempts: 1 },
  cut: (text) => text
}
const decode = decodeUnknownSync(AnimeListPage)

const worksOn = (page) => {
  const answer = { status: 200, header: () => undefined, body: page }
  return {
    parse: () => JSON.parse(page),
    checked: () => Effect.runSync(judge(call, answer)),
    /** What Schema itself takes, on the same terms: unknown members stay. */
    schema: () => decode(JSON.parse(page))
  }
}

/** Milliseconds of CPU for one time. */
const slice = (work, count) => {
  const cpu = process.cpuUsage()
  for (let time = 0; time < count; time++) work()
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1000 / count
}

const measure = ({ page, rounds, quick }) => {
  const { schema, ...works } = worksOn(page)
  const { data } = works.checked()
  if (data.length !== 1000 || data[999].node.blurhash === undefined || data[999].list_status.mood === undefined) {
    throw new Error("the page lost something")
  }
  const taken = { parse: [], checked: [], schema: [] }
  for (const work of Object.values(works)) slice(work, 200)
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) taken[name].push(slice(work, 50))
  }
  for (let round = 0; round < rounds && !quick; round++) taken.schema.push(slice(schema, 5))
  return taken
}

process.on("message", (question) => process.send(measure(question)))
process.send("ready")
