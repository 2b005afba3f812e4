/**
 * A lock between processes: a directory with one file in it, which has its owner's name.
 *
 * One rename puts it in place, which fails if there is a lock already. A dead process's lock is taken over by removing its
 * file. File names are unique per owner, so a slow process never removes a live lock. `packages/sync/src/node/fileJournal.ts`
 * has a simpler one, which fails instead of waiting.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { mkdir, readdir, rename, rmdir, stat, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isStale, newOwner } from "./owner.js"

/** Milliseconds between two tries. */
const minPause = 5
const maxPause = 40

/** In real time, like other processes, whatever the fiber's clock. */
const inRealTime = Effect.withClock(Clock.make())

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const ignoreFailure = (done: Promise<unknown>): Promise<unknown> => done.catch(() => undefined)

/** Removes the directory of a lock, unless it contains another owner's file. */
export const removeLock = async (directory: string, owner: string): Promise<void> => {
  await ignoreFailure(unlink(join(directory, owner)))
  await ignoreFailure(rmdir(directory))
}

/** Tries to put this owner's directory in place. Fails if there can be no lock here. */
const tryLock = async (path: string, own: string): Promise<boolean> => {
  try {
    await rename(own, path)
    return true
  } catch (error) {
    // Windows reports EPERM where a directory is in the way.
    if (!["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(codeOf(error) ?? "")) {
      throw error
    }
  }
  try {
    for (const owner of await readdir(path)) {
      const file = join(path, owner)
      if (await isStale(file, owner)) {
        await ignoreFailure(unlink(file))
      }
    }
    // Windows renames nothing onto an empty directory. One that is not empty stays.
    await ignoreFailure(rmdir(path))
  } catch (error) {
    if (codeOf(error) !== "ENOENT") {
      throw error
    }
  }
  return false
}

/** Makes the directory that a lock is to be renamed from. */
const prepare = async (own: string, owner: string): Promise<void> => {
  await mkdir(own, { mode: 0o700 })
  await writeFile(join(own, owner), "", { flag: "wx", mode: 0o600 })
}

export const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: run, catch: (error) => error })

/**
 * Runs an effect under the lock at a path, in whose directory it can be made, and waits for it without a limit. The effect gets
 * a function that checks whether the lock is still held: another machine or container takes it over after an hour.
 */
export const underLock = <A, E>(
  path: string,
  use: (isHeld: () => Promise<boolean>) => Effect.Effect<A, E>
): Effect.Effect<A, unknown> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.promise(newOwner), (owner) => {
      const own = `${path}.${owner}`
      const acquire = (pause: number): Effect.Effect<void, unknown> =>
        Effect.flatMap(
          attempt(() => tryLock(path, own)),
          (isLocked) =>
            isLocked
              ? Effect.void
              : Effect.zipRight(
                  restore(inRealTime(Effect.sleep(pause * (0.5 + Math.random())))),
                  acquire(Math.min(maxPause, 2 * pause))
                )
        )
      const isHeld = () =>
        stat(join(path, owner)).then(
          () => true,
          () => false
        )
      return attempt(() => prepare(own, owner)).pipe(
        Effect.zipRight(acquire(minPause)),
        Effect.zipRight(restore(use(isHeld))),
        Effect.ensuring(
          Effect.promise(async () => {
            await removeLock(path, owner)
            await removeLock(own, owner)
          })
        )
      )
    })
  )
