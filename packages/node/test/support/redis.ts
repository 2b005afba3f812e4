/**
 * A real Redis, started for a test in a new folder.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findExecutable } from "../../../../test/executables.mjs"
import { freePort } from "../../../../test/freePort.mjs"
import { sleep } from "../../../core/test/support/eventually.js"

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end("PING\r\n"))
    socket.on("data", (data) => resolve(data.toString().startsWith("+PONG")))
    socket.on("error", () => resolve(false))
    socket.on("close", () => resolve(false))
  })

export interface RedisServer {
  readonly port: number
  /** Suspends the process until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

/** Starts a Redis without persistence, and waits until it responds. */
export const startRedis = async (port?: number): Promise<RedisServer> => {
  const on = port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), "catalog-redis-"))
  const program = findExecutable("redis-server")
  if (program === undefined) {
    throw new Error("redis-server is not here: npm test installs it")
  }
  const options = ["--port", String(on), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
  const server = spawn(program, options, { stdio: "ignore" })
  const ended = once(server, "exit")
  const end = Date.now() + 10_000
  while (!(await answers(on))) {
    if (Date.now() > end || server.exitCode !== null) {
      throw new Error(`redis-server does not answer on port ${on}`)
    }
    await sleep(20)
  }
  return {
    port: on,
    pause: () => server.kill("SIGSTOP"),
    resume: () => server.kill("SIGCONT"),
    stop: async () => {
      server.kill("SIGKILL")
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
