/**
 * A lock between processes: a directory with one file in it, which has its owner's name.
 *
 * A directory with a file is put in place by one rename, which fails while another one is there. To take over the lock of
 * a dead process is to remove its file, which can be no other owner's, since no two owners have the same name. An empty
 * directory is a free lock. So no process can remove the lock of a living one by mistake, however slow it is.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { mkdir, readdir, rename, rmdir, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isLeft, newOwner } from "./owner.js"

/** Milliseconds that a process waits for the lock: longer than a request for tokens takes. */
const longestWait = 15_000

/** Milliseconds between two tries. */
const shortestPause = 5
const longestPause = 40

/** Real time, as another process sees it, whatever the fiber's clock. */
const inRealTime = Effect.withClock(Clock.make())

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const quietly = (done: Promise<unknown>): Promise<unknown> => done.catch(() => undefined)

/** Removes the directory of a lock, if it holds this owner's file or none. */
export const removeLock = async (directory: string, owner: string): Promise<void> => {
  await quietly(unlink(join(directory, owner)))
  await quietly(rmdir(directory))
}

/** Tries to put this owner's directory in place. `undefined`: there can be no lock here. */
const tryLock = async (path: string, own: string): Promise<boolean | undefined> => {
  try {
    await rename(own, path)
    return true
  } catch (error) {
    // Windows reports EPERM where a directory is in the way.
    if (!["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(codeOf(error) ?? "")) {
      return undefined
    }
  }
  try {
    for (const owner of await readdir(path)) {
      const file = join(path, owner)
      if (await isLeft(file, owner)) {
        await quietly(unlink(file))
      }
    }
    // Windows renames nothing onto an empty directory. One that is not empty stays.
    await quietly(rmdir(path))
    return false
  } catch (error) {
    return codeOf(error) === "ENOENT" ? false : undefined
  }
}

const prepared = async (path: string): Promise<{ readonly own: string; readonly owner: string } | undefined> => {
  const owner = await newOwner()
  const own = `${path}.${owner}`
  try {
    await mkdir(own, { mode: 0o700 })
    await writeFile(join(own, owner), "", { flag: "wx", mode: 0o600 })
    return { own, owner }
  } catch {
    await removeLock(own, owner)
    return undefined
  }
}

/**
 * Runs an effect under the lock at a path, in whose directory it can be made. If the lock cannot be acquired in time, because
 * a living process holds it or because there can be none, the effect runs without it.
 */
export const underLock =
  (path: string) =>
  <A, E, R>(use: (isLocked: boolean) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        Effect.promise(() => prepared(path)),
        (lock) => {
          if (lock === undefined) {
            return restore(use(false))
          }
          const { own, owner } = lock
          const deadline = performance.now() + longestWait
          const acquire = (pause: number): Effect.Effect<boolean> =>
            Effect.flatMap(
              Effect.promise(() => tryLock(path, own)),
              (isLocked) =>
                isLocked === false && performance.now() < deadline
                  ? Effect.zipRight(
                      restore(inRealTime(Effect.sleep(pause * (0.5 + Math.random())))),
                      acquire(Math.min(longestPause, 2 * pause))
                    )
                  : Effect.succeed(isLocked === true)
            )
          return Effect.flatMap(acquire(shortestPause), (isLocked) => restore(use(isLocked))).pipe(
            Effect.ensuring(
              Effect.promise(async () => {
                await removeLock(path, owner)
                await removeLock(own, owner)
              })
            )
          )
        }
      )
    )
