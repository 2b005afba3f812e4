/**
 * A server that does to its connections what a script says, and one port of it for each fault of `wireFaults.ts`.
 */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { pipeline } from "node:stream/promises"
import { createServer as createTlsServer } from "node:tls"
import * as Zlib from "node:zlib"
import { listen } from "./listen.js"
import { type Content, end, type Fault, faults, type Script, type Step, well } from "./wireFaults.js"

/** What a server has seen and done. */
export interface Stats {
  /** Connections, since it was started. */
  readonly connections: number
  /** Connections that are open. */
  readonly open: number
  /** Those of them on which a fault was met. */
  readonly met: number
  /** Requests, a browser's preflight aside. */
  readonly requests: number
  /** Bytes that were handed to connections. */
  readonly sent: number
}

/** A request, as far as a script cares. */
export interface Request {
  readonly path: string
  /** Which one it is on its connection, from 1. */
  readonly nth: number
}

export interface ScriptedServer {
  readonly origin: string
  readonly stats: () => Stats
  readonly close: () => Promise<void>
}

const coders = {
  gzip: () => Zlib.createGzip({ level: 9 }),
  deflate: () => Zlib.createDeflate(),
  "deflate-raw": () => Zlib.createDeflateRaw(),
  br: () => Zlib.createBrotliCompress()
}

const megabyte = 1024 * 1024

const parts = function* (of: string | Buffer | number): Generator<Buffer> {
  if (typeof of !== "number") {
    yield Buffer.from(of)
  } else {
    const zeros = Buffer.alloc(megabyte)
    for (let sent = 0; sent < of; sent++) {
      yield zeros
    }
  }
}

const compressed = new Map<Content, Promise<Buffer>>()

const compress = async ({ coding, of, damage }: Extract<Content, { readonly coding: unknown }>): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  const source = typeof of === "object" ? await bytesOf(of) : of
  await pipeline(parts(source), coders[coding](), async (encoded: AsyncIterable<Buffer>) => {
    for await (const chunk of encoded) {
      chunks.push(chunk)
    }
  })
  const bytes = Buffer.concat(chunks)
  // After gzip's header, the first byte of the data; before its end, four of the checksum and four of the length.
  const at = damage === "corrupt" ? 10 : bytes.length - 8
  if (damage === "corrupt" || damage === "checksum") {
    bytes[at] = ~(bytes[at] ?? 0) | 7
  }
  return damage === "truncated" ? bytes.subarray(0, bytes.length >> 1) : bytes
}

const bytesOf = (content: Content): Buffer | Promise<Buffer> => {
  if (typeof content === "string") {
    return Buffer.from(content)
  }
  if ("latin1" in content) {
    return Buffer.from(content.latin1, "latin1")
  }
  let bytes = compressed.get(content)
  if (bytes === undefined) {
    compressed.set(content, (bytes = compress(content)))
  }
  return bytes
}

/** The item that a request is for. */
export const itemOf = (path: string): number => Number(/\d+/.exec(path.replace("/v2", ""))?.[0])

/** What goes before every response to a page. */
const cors = "access-control-allow-origin: *\r\n"

const preflight =
  `HTTP/1.1 204 No Content\r\n${cors}access-control-allow-methods: GET, PATCH, DELETE\r\n` +
  "access-control-allow-headers: authorization, x-mal-client-id\r\n\r\n"

/** Milliseconds after which what was sent has arrived; a reset would take it away. */
const arrival = 50

/** Waits, unless the connection is closed meanwhile. */
const sleep = (socket: Socket, millis: number): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) {
      return resolve()
    }
    const done = () => {
      clearTimeout(timer)
      socket.off("close", done)
      resolve()
    }
    const timer = setTimeout(done, millis)
    socket.on("close", done)
  })

/** Sends, and waits while the socket's buffer is full. */
const send = (socket: Socket, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) {
      return resolve()
    }
    const done = () => {
      socket.off("close", done)
      resolve()
    }
    socket.on("close", done)
    socket.write(data, done)
  })

const take = async (socket: Socket, step: Step, origins: { readonly [name: string]: string }): Promise<void> => {
  if (typeof step === "string" || step instanceof Uint8Array) {
    await send(socket, step)
  } else if ("close" in step) {
    if (step.close === "end") {
      socket.end()
      return
    }
    if (socket.bytesWritten > 0) {
      await sleep(socket, arrival)
    }
    socket.resetAndDestroy()
  } else if ("drip" in step) {
    for (const letter of step.drip) {
      await send(socket, letter)
      await sleep(socket, 1000)
    }
  } else if ("pause" in step) {
    await sleep(socket, step.pause)
  } else if ("repeat" in step) {
    const data = Buffer.from(step.repeat)
    for (let sent = 0; sent < step.times && !socket.destroyed; sent++) {
      await send(socket, data)
    }
  } else {
    const { status = "200 OK", headers = [], body } = step
    const bytes = await bytesOf(body)
    const head = [`HTTP/1.1 ${status}`, ...headers, `content-length: ${bytes.length}`].join("\r\n")
    const here = head.replace(/\{(\w+)\}/g, (whole, name: string) => origins[name] ?? whole)
    await send(socket, Buffer.concat([Buffer.from(`${here}\r\n${cors}\r\n`), bytes]))
  }
}

/** Starts a server whose connections do not keep the process. */
export const serveScripts = async (
  scriptFor: (request: Request) => Script,
  { tls, elsewhere = "" }: { readonly tls?: Fault["tls"]; readonly elsewhere?: string } = {}
): Promise<ScriptedServer> => {
  const sockets = new Set<Socket>()
  const met = new Set<Socket>()
  let connections = 0
  let requests = 0
  let sent = 0
  let here = ""

  const answer = async (socket: Socket, script: Script) => {
    for (const step of script) {
      await take(socket, step, { here, elsewhere })
    }
  }

  const accept = (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.unref()
    socket.on("error", () => {})
    socket.on("close", () => {
      sent += socket.bytesWritten
      sockets.delete(socket)
    })
  }

  const serve = (socket: Socket) => {
    socket.on("error", () => {})
    socket.on("close", () => met.delete(socket))
    let nth = 0
    let arrived = ""
    socket.setEncoding("latin1").on("data", (data: string) => {
      arrived += data
      for (;;) {
        const end = arrived.indexOf("\r\n\r\n") + 4
        const length = /^content-length: (\d+)/im.exec(arrived.slice(0, end))?.[1] ?? 0
        if (end < 4 || arrived.length < end + Number(length)) {
          return
        }
        const [method, path = ""] = arrived.split(" ", 2)
        arrived = arrived.slice(end + Number(length))
        if (method === "OPTIONS") {
          void send(socket, preflight)
        } else {
          requests++
          if (itemOf(path) === 1) {
            met.add(socket)
          }
          void answer(socket, scriptFor({ path, nth: ++nth }))
        }
      }
    })
  }

  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(certificate(tls), serve)
  const port = await listen(server.on("connection", accept).unref())
  here = `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`

  return {
    origin: here,
    stats: () => ({
      connections,
      requests,
      open: sockets.size,
      met: met.size,
      sent: [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sent)
    }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) {
          socket.destroy()
        }
      })
  }
}

const certificate = (name: string) => {
  const pem = readFileSync(new URL(`certificates/${name}.pem`, import.meta.url))
  return { key: pem, cert: pem }
}

export interface FaultServer {
  /** The base URL at which a fault is met, by the fault's name. */
  readonly urls: Readonly<Record<string, string>>
  /** What each server has seen, by the fault's name; `elsewhere` is the other origin. */
  readonly stats: () => Readonly<Record<string, Stats>>
  readonly close: () => Promise<void>
}

const answerOf =
  ({ wire, after }: Fault) =>
  ({ path, nth }: Request): Script => {
    const id = itemOf(path)
    if (id !== 1) {
      return [{ body: JSON.stringify(well(id)) }, ...(after?.closed ? [end] : [])]
    }
    const script = typeof wire === "function" ? wire(nth) : wire
    return typeof script === "string" ? [] : script
  }

/** A port without a server. Kept unused: it is the local end of an open connection. */
const unusedPort = async () => {
  const server = createServer((socket) => socket.unref())
  const socket = connect(await listen(server.unref()), "127.0.0.1").unref()
  await once(socket, "connect")
  server.close()
  return { port: socket.localPort, free: () => socket.destroy() }
}

/** Starts every fault's server. */
export const serveFaults = async (): Promise<FaultServer> => {
  const unused = await unusedPort()
  const origins = {
    "no server": `http://127.0.0.1:${unused.port}`,
    "no such host": `https://${"x".repeat(64)}.invalid`
  }
  const elsewhere = await serveScripts(() => [{ body: JSON.stringify(well(2)) }])
  const servers: Array<readonly [string, ScriptedServer]> = [["elsewhere", elsewhere]]
  const urls: Record<string, string> = {}
  for (const fault of faults) {
    const server = await serveScripts(answerOf(fault), { tls: fault.tls, elsewhere: elsewhere.origin })
    servers.push([fault.name, server])
    urls[fault.name] = `${typeof fault.wire === "string" ? origins[fault.wire] : server.origin}/v2`
  }
  return {
    urls,
    stats: () => Object.fromEntries(servers.map(([name, { stats }]) => [name, stats()])),
    close: async () => {
      unused.free()
      await Promise.all(servers.map(([, { close }]) => close()))
    }
  }
}
