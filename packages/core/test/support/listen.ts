import { once } from "node:events"
import type { AddressInfo, Server } from "node:net"

/** The port of this machine alone on which a server listens from now on. */
export const listen = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}
