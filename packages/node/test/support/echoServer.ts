/**
 * The responses of `echoes` on a port, and another origin that records its requests.
 */
import { createServer, type Socket } from "node:net"
import { echoes } from "../../../core/test/support/echoedCredentials.js"
import { listen } from "../../../core/test/support/listen.js"

/** Calls back with each request's head after its body has arrived. */
const serving = (answer: (socket: Socket, first: string, header: (name: string) => string) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => {})
    let received = ""
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
      // A handshake of TLS begins so.
      if (received.startsWith("\x16")) {
        socket.destroy()
      }
      const [head = "", ...rest] = received.split("\r\n\r\n")
      const header = (name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1] ?? ""
      if (rest.length > 0 && rest.join("\r\n\r\n").length >= Number(header("content-length"))) {
        received = ""
        answer(socket, head.split("\r\n", 1)[0] ?? "", header)
      }
    })
  })
  const close = () => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  }
  return { server, close }
}

const preflight = [
  "HTTP/1.1 204 No Content",
  "access-control-allow-origin: *",
  "access-control-allow-methods: GET, PATCH, DELETE",
  "access-control-allow-headers: authorization, content-type, x-api-key, x-mal-client-id",
  "",
  ""
].join("\r\n")

/** Starts both. */
export const serveEchoes = async () => {
  const came: Array<string> = []
  const elsewhere = serving((socket, first) => {
    if (!first.includes(" /came ")) {
      came.push(first)
    }
    const body = JSON.stringify(came)
    socket.end(
      `HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
    )
  })
  const elsewhereUrl = `http://127.0.0.1:${await listen(elsewhere.server)}`
  const echo = serving((socket, first, header) => {
    const [method = "", path = ""] = first.split(" ")
    if (method === "OPTIONS") {
      socket.write(preflight)
      return
    }
    const [, name = "", target = ""] = /^\/([\w-]*)(.*)$/.exec(path) ?? []
    const { bytes, ending = "end" } = echoes[name]?.echo({
      token: header("authorization").replace(/^Bearer /, ""),
      id: header("x-mal-client-id"),
      method,
      target,
      elsewhere: elsewhereUrl
    }) ?? { bytes: "HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n" }
    if (ending === "end") {
      socket.end(bytes)
    } else {
      socket.write(bytes, () => ending === "reset" && setTimeout(() => socket.resetAndDestroy(), 5))
    }
  })
  return {
    echoUrl: `http://127.0.0.1:${await listen(echo.server)}`,
    elsewhereUrl,
    close: async () => {
      echo.close()
      elsewhere.close()
    }
  }
}
