// A page of 1 000 entries, in memory: the time of JSON.parse alone, of parsing and validation, and of a whole call.
import { AnimeListPage, createCatalog, Transport } from "@catalog-client/core"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { decodeUnknownSync } from "effect/Schema"
// Not exported by the package: a whole call would measure more.
import { check } from "../../packages/core/dist/internal/call/guard.js"

/** A transport that responds at once, with the same bytes each time. */
const answering = (bytes) =>
  Layer.succeed(
    HttpClient.HttpClient,
    Transport.make(
      HttpClient.make(() => Effect.never),
      (_, receiver) => {
        receiver.onHeaders(200, () => undefined)
        receiver.onData(bytes)
        receiver.onEnd()
        return () => {}
      }
    )
  )

const decode = decodeUnknownSync(AnimeListPage)

const worksOn = (page) => {
  const transport = answering(new TextEncoder().encode(page))
  const catalog = createCatalog({ accessToken: "my-token", transport })
  return {
    parse: () => JSON.parse(page),
    checked: () => check(AnimeListPage, JSON.parse(page)),
    /** From bytes to reply, through a fiber, including the garbage collection of replies that live longer. */
    call: () => catalog.user.animeList({ username: "@me", limit: 1000 }),
    /** Schema's own decoding, which keeps unknown members, too. */
    schema: () => decode(JSON.parse(page))
  }
}

/** Milliseconds of CPU for one run. */
const slice = async (work, count) => {
  const cpu = process.cpuUsage()
  for (let time = 0; time < count; time++) {
    await work()
  }
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1000 / count
}

const measure = async ({ page, rounds, quick }) => {
  const { call, schema, ...works } = worksOn(page)
  for (const { data } of [works.checked(), await call()]) {
    if (data.length !== 1000 || data[999].node.blurhash === undefined || data[999].list_status.mood === undefined) {
      throw new Error("the page lost entries or members")
    }
  }
  const taken = { parse: [], checked: [], call: [], schema: [] }
  for (const work of Object.values(works)) {
    await slice(work, 150)
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      taken[name].push(await slice(work, 50))
    }
  }
  if (!quick) {
    await slice(call, 100)
    for (let round = 0; round < rounds; round++) {
      taken.call.push(await slice(call, 50))
      taken.schema.push(await slice(schema, 5))
    }
  }
  return taken
}

process.on("message", (question) => void measure(question).then((taken) => process.send(taken)))
process.send("ready")
