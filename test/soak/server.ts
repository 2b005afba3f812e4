/**
 * A server that answers every other request well, and does to each of the others one of `behaviours.ts`; beside it the servers
 * of `wireFaults.ts`, with their certificates and ports on which there is no server.
 */
import { type ScriptedServer, serveFaults, serveScripts } from "../../packages/core/test/support/faultServer.js"
import { type Asked, behaviours, isHeavy } from "./behaviours.js"
import { Random } from "./random.js"

export { behaviours }

const pageOf = (path: string, origin: string) => {
  const url = new URL(path, origin)
  const [offset, limit] = ["offset", "limit"].map((name) => Number(url.searchParams.get(name))) as [number, number]
  const isLast = offset >= 4 * (limit || 100)
  url.searchParams.set("offset", String(offset + (limit || 100)))
  const entries = [1, 2, 3].map((more) => ({
    node: { id: offset + more, title: `#${offset + more}` },
    ranking: { rank: offset + more },
    list_status: { status: "watching" }
  }))
  return { data: entries, paging: isLast ? {} : { next: url.href } }
}

/** A good reply to a request. */
const replyTo = (path: string, origin: string): Asked["reply"] => {
  const [, id] = /^\/v2\/(?:anime|manga|forum\/topic)\/(\d+)/.exec(path) ?? []
  if (path.includes("/my_list_status")) {
    return { status: "watching" }
  }
  if (path.includes("/forum/boards")) {
    return { categories: [] }
  }
  if (path.includes("/forum/topics")) {
    return { data: [{ id: 1, title: "#1" }], paging: {} }
  }
  if (path.includes("/forum/topic/")) {
    return { data: { title: `#${id}`, posts: [] }, paging: {} }
  }
  if (/\/users\/[^/]+(\?|$)/.test(path)) {
    return { id: 1, name: "reader" }
  }
  return id === undefined ? pageOf(path, origin) : { id: Number(id), title: `#${id}` }
}

/** Starts the servers: where they are, what has been done there, and how many connections are open. */
export const serveSoak = async (seed: number) => {
  const random = new Random(seed)
  const names = Object.keys(behaviours)
  const met = new Map(names.map((name) => [name, 0]))
  const faults = await serveFaults()
  const server: ScriptedServer = await serveScripts(({ path, nth }) => {
    const picked = random.oneIn(2) ? "well" : random.of(names)
    const name = isHeavy(picked) && !random.oneIn(8) ? "well" : picked
    met.set(name, (met.get(name) ?? 0) + 1)
    return behaviours[name]?.({ origin: server.origin, nth, reply: replyTo(path, server.origin) }) ?? []
  })
  return {
    baseUrl: `${server.origin}/v2`,
    faultUrls: Object.values(faults.urls),
    /** How often each behaviour was met. */
    met: (): ReadonlyMap<string, number> => met,
    open: () => server.stats().open + Object.values(faults.stats()).reduce((sum, { open }) => sum + open, 0),
    close: async () => {
      await server.close()
      await faults.close()
    }
  }
}
