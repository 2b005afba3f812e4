/**
 * Opens the user's browser, on a page that only this user can read.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { leadingTo } from "./htmlPages.js"

/**
 * Whether a browser that this process starts can show a file to the user: not over SSH, nor without a display. In WSL, it
 * would be a browser of Windows, which has other paths.
 */
const canShow = (): boolean => {
  const { DISPLAY, SSH_CLIENT, SSH_CONNECTION, SSH_TTY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = process.env
  return (
    !(SSH_CLIENT ?? SSH_CONNECTION ?? SSH_TTY ?? WSL_DISTRO_NAME) &&
    (process.platform !== "linux" || !!(DISPLAY ?? WAYLAND_DISPLAY))
  )
}

/** Opens a URL with the package `open`, if it is installed. Returns whether a program was started. */
export const openInBrowser = (url: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    if (!canShow()) {
      return false
    }
    try {
      // A bundler would warn where the optional package is missing.
      const { default: open } = await import(/* webpackIgnore: true */ "open")
      await open(url)
      return true
    } catch {
      return false
    }
  })

/**
 * Writes a page that leads on to a URL, and returns the URL of its file. All users of a machine can read the arguments of a
 * browser, and so learn where the file is, but only this user can read it. It is removed with the scope.
 */
export const fileLeadingTo = (url: string): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    // The mode of the folder is 0700.
    const folder = yield* Effect.acquireRelease(
      Effect.tryPromise(() => mkdtemp(join(tmpdir(), "catalog-client-"))),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }).catch(() => undefined))
    )
    const path = join(folder, "sign-in.html")
    yield* Effect.tryPromise(() => writeFile(path, leadingTo(url), { flag: "wx", mode: 0o600 }))
    return pathToFileURL(path).href
  })
