import { createServer } from "node:net"

/**
 * A port that nothing uses, and that no outgoing connection or server on port 0 takes before a program listens there: it is
 * below the range from which the system takes those.
 *
 * @returns {Promise<number>}
 */
export const freePort = async () => {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const server = createServer()
  const isFree = await new Promise((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
