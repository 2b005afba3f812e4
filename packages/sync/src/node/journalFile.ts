/** A journal in a file, for both faces. */
import { randomUUID } from "node:crypto"
import { appendFile, mkdir, readdir, readFile, rename, rmdir, unlink, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Whether the process of a lock has ended; false for a process of another machine, which cannot be asked. */
const hasEnded = (owner: string): boolean => {
  const [pid, host] = owner.split("@")
  if (host !== hostname()) {
    return false
  }
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return codeOf(error) === "ESRCH"
  }
}

const ignoreFailure = (done: Promise<unknown>): Promise<unknown> => done.catch(() => undefined)

/**
 * A directory with a file in it, named after the owner: a slow process removes no lock but the one that it has seen. That of
 * `fileTokenStore` (`packages/oauth/src/node/lock.ts`) waits, and also frees itself of owners with a reused process id or in
 * another container, since no user is there to do it. Here the user who started the second run reads which directory to remove.
 */
const lockAt = async (path: string): Promise<() => Promise<void>> => {
  const owner = `${process.pid}@${hostname()}@${randomUUID()}`
  const own = `${path}.${owner}`
  const release = (directory: string) => async () => {
    await ignoreFailure(unlink(join(directory, owner)))
    await ignoreFailure(rmdir(directory))
  }
  await mkdir(own)
  await writeFile(join(own, owner), "")
  for (let tries = 0; tries < 3; tries++) {
    try {
      await rename(own, path)
      return release(path)
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(codeOf(error) ?? "")) {
        await release(own)()
        throw error
      }
      const owners = await readdir(path).catch(() => [])
      await Promise.all(owners.filter(hasEnded).map((name) => ignoreFailure(unlink(join(path, name)))))
      // Windows renames nothing onto a directory, even an empty one.
      await ignoreFailure(rmdir(path))
    }
  }
  await release(own)()
  throw new Error(`another run uses the journal. If that is not so, remove ${path}`)
}

export const journalFile = (path: string) => ({
  read: (): Promise<string> =>
    readFile(path, "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") {
        return ""
      }
      throw error
    }),
  append: (text: string): Promise<void> => appendFile(path, text, { mode: 0o600 }),
  lock: (): Promise<() => Promise<void>> => lockAt(`${path}.lock`)
})
