/**
 * The name of an owner: what a process leaves beside a file of tokens carries it, so that others can tell whether that
 * process is still alive.
 */
import { createHash, randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { hostname } from "node:os"

const pattern = /^(\d+)-(\w+)-([0-9a-f]{8})-[0-9a-f]{12}$/

/** A container can have the process ids of another: what belongs to another host is never called dead. */
const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/**
 * When a process has started, since its id can be given to another one after its end; `gone` if it has ended and is not
 * reaped yet. Only Linux tells.
 */
const startOf = async (pid: number): Promise<string | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1")
    // The name of the program is in parentheses and can hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" || fields[0] === "X" ? "gone" : fields[19]
  } catch {
    return undefined
  }
}

/** A new name for something of this process. */
export const newOwner = async (): Promise<string> =>
  `${process.pid}-${(await startOf(process.pid)) ?? "unknown"}-${host}-${randomBytes(6).toString("hex")}`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Without permission to ask, there is a process.
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** Whether this is the name of an owner that has surely ended. */
export const isDead = async (owner: string): Promise<boolean> => {
  const [, pid, start, from] = pattern.exec(owner) ?? []
  if (pid === undefined || from !== host) {
    return false
  }
  if (!isRunning(Number(pid))) {
    return true
  }
  const now = await startOf(Number(pid))
  return now !== undefined && start !== "unknown" && now !== start
}
