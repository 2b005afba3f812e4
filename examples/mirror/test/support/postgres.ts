/**
 * A PostgreSQL of the test's own, on a free port and in a directory that ends with it.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, realpathSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const places = [17, 16, 15, 14]
  .map((version) => `/usr/lib/postgresql/${version}/bin/postgres`)
  .concat("/usr/local/bin/postgres", "/opt/homebrew/bin/postgres")

const found = [process.env["POSTGRES_PATH"], ...places].find((path) => path !== undefined && existsSync(path))

/** Where the programs of PostgreSQL are, or undefined if there are none. */
export const programs = found === undefined ? undefined : dirname(realpathSync(found))

/** A port that nothing uses, and that no outgoing connection takes before a process listens there. */
export const freePort = async (): Promise<number> => {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true))
    socket.on("error", () => resolve(false))
    socket.on("connect", () => socket.destroy())
  })

/** PostgreSQL refuses to run as root. */
const user = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) {
    return {}
  }
  const idOf = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout)
  return { uid: idOf("-u"), gid: idOf("-g") }
}

/**
 * Runs PostgreSQL until its input ends, and removes the folder unless a line says "restart". The input ends with the process of the
 * tests, however that ends. SIGINT is PostgreSQL's fast shutdown, which ends connections.
 */
const guard = '"$@" & read -r word; kill -INT $!; wait $!; [ "$word" = restart ] || rm -rf "$0"'

// A worker of Vitest stays when its parent is killed, and may not exit.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"))

/** Starts a server that keeps nothing beyond the test, and waits until it answers. */
export const startPostgres = async () => {
  if (programs === undefined) {
    throw new Error("PostgreSQL is not here: apt-get install postgresql, or set POSTGRES_PATH")
  }
  const as = user()
  const folder = mkdtempSync(join(tmpdir(), "mirror-postgres-"))
  if (as.uid !== undefined && as.gid !== undefined) {
    chownSync(folder, as.uid, as.gid)
  }
  const data = join(folder, "data")
  const options = { ...as, cwd: folder, encoding: "utf8" as const }
  const args = ["-D", data, "-U", "mirror", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
  const { status, stderr } = spawnSync(join(programs, "initdb"), args, options)
  if (status !== 0) {
    throw new Error(`initdb failed: ${stderr}`)
  }
  const port = await freePort()
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"]
  const start = async () => {
    const server = spawn(
      "sh",
      ["-c", guard, folder, join(programs ?? "", "postgres"), "-D", data, ...settings.flatMap((each) => ["-c", each])],
      { ...as, cwd: folder, stdio: ["pipe", "ignore", "ignore"], detached: true }
    )
    const end = Date.now() + 120_000
    while (!(await answers(port)) || !isReady()) {
      if (Date.now() > end || server.exitCode !== null) {
        throw new Error(`PostgreSQL does not answer on port ${port}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return server
  }
  const psql = (sql: string, database = "postgres") =>
    spawnSync(
      join(programs ?? "", "psql"),
      ["-h", "127.0.0.1", "-p", String(port), "-U", "mirror", "-d", database, "-At", "-F", "\t", "-c", sql],
      { encoding: "utf8" }
    )
  const isReady = () => psql("SELECT 1").status === 0
  let server = await start()
  const halt = async (word = "") => {
    const ended = once(server, "exit")
    server.stdin.end(word)
    await ended
  }
  let databases = 0
  return {
    /** The URL of a new database. */
    database: (): string => {
      const name = `mirror_${databases++}`
      psql(`CREATE DATABASE ${name}`)
      return `postgres://mirror@127.0.0.1:${port}/${name}`
    },
    /** The rows of a query, as texts. */
    query: (url: string, sql: string): ReadonlyArray<ReadonlyArray<string>> => {
      const { status, stderr, stdout } = psql(sql, url.split("/").at(-1))
      if (status !== 0) {
        throw new Error(stderr)
      }
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split("\t"))
    },
    /** Runs statements while the test goes on. */
    background: async (url: string, sql: string): Promise<void> => {
      const place = ["-h", "127.0.0.1", "-p", String(port), "-U", "mirror", "-d", url.split("/").at(-1) ?? ""]
      await once(spawn(join(programs ?? "", "psql"), [...place, "-c", sql], { stdio: "ignore" }), "close")
    },
    restart: async () => {
      await halt("restart\n")
      server = await start()
    },
    stop: () => halt()
  }
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>
