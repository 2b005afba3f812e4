// One build in its own process: calls of one kind. It imports the packages of the build in whose folder it is.
import { createCatalog, Transport } from "@catalog-client/core"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Session } from "node:inspector/promises"
import { setImmediate } from "node:timers/promises"
import { fields, id } from "../calls/selection.mjs"
import { many } from "../many.mjs"

const [kind, baseUrl, most] = process.argv.slice(2)
const clientId = "my-client-id"

/** A catalog whose transport responds at once, with the same bytes each time. */
const overMemory = (text) => {
  const bytes = new TextEncoder().encode(text)
  const client = Transport.make(
    HttpClient.make(() => Effect.never),
    (_, receiver) => {
      receiver.onHeaders(200, () => undefined)
      receiver.onData(bytes)
      receiver.onEnd()
      return () => {}
    }
  )
  return createCatalog({ baseUrl, clientId, transport: Layer.succeed(HttpClient.HttpClient, client) })
}

const anime = JSON.stringify({ id, title: "A title", mean: 8.1, genres: [{ id: 1, name: "Sports" }] })

const memory = () => {
  const catalog = overMemory(anime)
  return () => catalog.anime.get({ id })
}

/** Each returns the call of a kind. */
const kinds = {
  memory,
  survival: memory,
  fetch: () => {
    const catalog = createCatalog({ baseUrl, clientId, fetch: async () => new Response(anime) })
    return () => catalog.anime.get({ id })
  },
  page: async () => {
    const catalog = overMemory(await (await fetch(`${baseUrl}/users/owner/animelist`)).text())
    return () => catalog.user.animeList({ username: "owner", limit: 1000 })
  },
  socket: async () => {
    const { createCatalog } = await import("@catalog-client/node")
    const catalog = createCatalog({ baseUrl, clientId })
    return () => catalog.anime.get({ id }, { fields })
  }
}

const call = await kinds[kind]()

/** One after the other, with a turn of the event loop now and then. */
const inTurn = async (count) => {
  for (let made = 1; made <= count; made++) {
    await call()
    if (made % 20 === 0) {
      await setImmediate()
    }
  }
}
const calls = (count) => (kind === "socket" ? many(call, count, 64) : inTurn(count))

/** Microseconds of CPU for a call, and calls per second. */
const slice = async (count) => {
  const cpu = process.cpuUsage()
  const started = performance.now()
  await calls(count)
  const seconds = (performance.now() - started) / 1000
  // Each slice pays for its own garbage.
  gc({ type: "minor" })
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / count, perSecond: count / seconds }
}

/** Bytes of a call that outlive the young generation. */
const survival = async (count) => {
  const session = new Session()
  session.connect()
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 512,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: false
  })
  await calls(count)
  const { profile } = await session.post("HeapProfiler.stopSampling")
  session.disconnect()
  const sizeOf = ({ children, selfSize }) => children.reduce((size, child) => size + sizeOf(child), selfSize)
  return { bytes: sizeOf(profile.head) / count }
}

const answer = kind === "survival" ? survival : slice
process.on("message", (count) => void answer(count).then((taken) => process.send(taken)))
for (let slices = 0; slices < 16; slices++) {
  await slice(Math.min(Number(most), 250))
}
process.send("ready")
