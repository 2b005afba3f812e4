/**
 * The name of an owner: a process puts it into the names of its locks and drafts beside a file of tokens, so that others know
 * whether the process is alive.
 */
import { createHash, randomBytes } from "node:crypto"
import { readFile, readlink, stat } from "node:fs/promises"
import { hostname } from "node:os"

/** Milliseconds after which a lock of another machine or container is stale; a live one lasts seconds. */
const staleAfterMs = 3_600_000

const pattern = /^(\d+)-(\w+)-([0-9a-f]{8})-[0-9a-f]{12}$/

/**
 * Identifies a space of process ids: each container and each boot of a machine has its own. Only Linux reveals more than the
 * host name.
 */
const place: Promise<string> = Promise.all([
  readFile("/proc/sys/kernel/random/boot_id", "latin1").catch(() => ""),
  readlink("/proc/self/ns/pid").catch(() => "")
]).then((parts) =>
  createHash("sha256")
    .update([hostname(), ...parts].join("\n"))
    .digest("hex")
    .slice(0, 8)
)

/**
 * When a process has started, because its id can be reused after its end; `gone` if it has ended and is not
 * reaped yet. Only Linux reveals it.
 */
const startOf = async (pid: number): Promise<string | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1")
    // The name of the program is in parentheses and can contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" || fields[0] === "X" ? "gone" : fields[19]
  } catch {
    return undefined
  }
}

/** A new name for a lock or a draft of this process. */
export const newOwner = async (): Promise<string> =>
  `${process.pid}-${(await startOf(process.pid)) ?? "unknown"}-${await place}-${randomBytes(6).toString("hex")}`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Without permission to signal it, the process exists.
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/**
 * Whether a lock or a draft is stale: its owner has ended, or is a process of another machine or container, which cannot be
 * checked, and the file is older than any use.
 */
export const isStale = async (path: string, owner: string): Promise<boolean> => {
  const [, pid, start, from] = pattern.exec(owner) ?? []
  if (pid === undefined) {
    return false
  }
  if (from !== (await place)) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    return Date.now() - mtimeMs > staleAfterMs
  }
  if (!isRunning(Number(pid))) {
    return true
  }
  const now = await startOf(Number(pid))
  return now !== undefined && start !== "unknown" && now !== start
}
