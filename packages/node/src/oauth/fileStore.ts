/**
 * Tokens in a file, which only its user can read.
 *
 * @since 0.2.0
 */
import { TokenStore, type TokenStoreService, UnreadableTokens } from "@catalog-client/core/oauth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { accessSync, constants, existsSync } from "node:fs"
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { inspect } from "node:util"
import { removeLock, underLock } from "./lock.js"
import { isLeft, newOwner } from "./owner.js"

const isWindows = process.platform === "win32"

/** The maximum size of a file of tokens in bytes: those of the service have a few thousand. */
const mostBytes = 1024 * 1024

/** A variable of the environment that is an absolute path: the others do not count, as XDG has it. */
const pathIn = (variable: string): string | undefined => {
  const path = process.env[variable]
  return path !== undefined && isAbsolute(path) ? path : undefined
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const name = ["catalog-client", "tokens.json"] as const

const unusable = (path: string, reason: string): TypeError =>
  new TypeError(
    `fileTokenStore: the default path ${path} cannot be used: ${reason}. Pass another path, or set XDG_CONFIG_HOME to a directory that this user may write.`
  )

/** In a container, a user often has no entry in passwd, and `HOME` is empty or not set. */
const homeDirectory = (): string => {
  let home: string | undefined
  try {
    home = homedir()
  } catch {
    // Reported below, in words of the environment.
  }
  if (home === undefined || !isAbsolute(home)) {
    const reason = home === undefined ? "the user has no home directory" : `the home directory is ${inspect(home)}`
    throw unusable(join("~", ".config", ...name), `${reason} (see HOME)`)
  }
  return home
}

/** Throws a `TypeError` if no file can be made there: otherwise a user signs in, and the tokens are lost with the process. */
const checkDefault = (path: string): string => {
  if (existsSync(path)) {
    return path
  }
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      accessSync(folder, constants.W_OK | constants.X_OK)
      return path
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || folder === dirname(folder)) {
        throw unusable(path, `${codeOf(error)} at ${folder}`)
      }
    }
  }
}

const defaultPath = (): string =>
  checkDefault(
    join(
      pathIn("XDG_CONFIG_HOME") ?? (isWindows ? pathIn("APPDATA") : undefined) ?? join(homeDirectory(), ".config"),
      ...name
    )
  )

const unlessMissing = (error: unknown): undefined => {
  if (codeOf(error) !== "ENOENT") {
    throw error
  }
}

const othersMay = 0o077

/** A file that is being written, beside the one that it will replace. */
interface Draft {
  readonly path: string
  readonly handle: FileHandle
}

class TokenFile {
  readonly #directory: string
  /** The name for the file that is about to be replaced, if it is to be kept. */
  #aside: string | undefined
  /** The modes that were too wide and have been repaired, but not reported yet. */
  readonly #repaired: Array<string> = []
  #hasWarned = false

  constructor(
    private readonly path: string,
    /** Whether the directory is this library's own. */
    private readonly isOwn: boolean
  ) {
    this.#directory = dirname(path)
  }

  /** Runs a use of the file, then warns once about what had to be repaired. */
  #use<A>(run: () => Promise<A>): Effect.Effect<A, unknown> {
    const warn = Effect.suspend(() => {
      const [what] = this.#repaired.splice(0)
      if (what === undefined || this.#hasWarned) {
        return Effect.void
      }
      this.#hasWarned = true
      return Effect.logWarning(
        `catalog: other users of this machine could use the stored tokens, because the mode of ${what}. It has been repaired. If they may have used them, sign in again.`
      )
    })
    return Effect.ensuring(Effect.tryPromise({ try: run, catch: (error) => this.#explained(error) }), warn)
  }

  /** With a reason that a warning shows. */
  #explained(error: unknown): unknown {
    const code = codeOf(error)
    const option = this.isOwn
      ? "set XDG_CONFIG_HOME, or pass fileTokenStore a path"
      : "pass fileTokenStore another path"
    return code === undefined ? error : Object.assign(error as Error, { reason: `${code} at ${this.path}; ${option}` })
  }

  readonly read: Effect.Effect<string | undefined, unknown> = Effect.suspend(() => this.#use(() => this.#read()))

  async #read(): Promise<string | undefined> {
    if (this.isOwn && !isWindows) {
      const mode = (await stat(this.#directory).catch(unlessMissing))?.mode ?? 0
      if (mode & othersMay) {
        await chmod(this.#directory, 0o700)
        this.#repaired.push(`${this.#directory} was ${(mode & 0o777).toString(8)} rather than 700`)
      }
    }
    if (!(await this.#isThere())) {
      return undefined
    }
    // Nor if it was replaced just now: no link is followed, and a pipe is not waited for. Windows has neither flag.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
    const handle = await open(this.path, flags).catch(unlessMissing)
    if (handle === undefined) {
      return undefined
    }
    try {
      const stats = await handle.stat()
      if (!stats.isFile() || stats.size > mostBytes) {
        throw new UnreadableTokens({ reason: "Corrupt" })
      }
      if (!isWindows && stats.mode & othersMay) {
        await handle.chmod(0o600)
        this.#repaired.push(`${this.path} was ${(stats.mode & 0o777).toString(8)} rather than 600`)
      }
      return await handle.readFile("utf8")
    } finally {
      await handle.close()
    }
  }

  /** Runs a step under the lock. The draft is made first, so that less can fail once the tokens are there. */
  update(step: (text: string | undefined) => Effect.Effect<string | undefined, unknown>): Effect.Effect<void, unknown> {
    const inDraft = (isHeld: () => Promise<boolean>) => (draft: Draft) =>
      Effect.gen(this, function* () {
        this.#aside = undefined
        const text = yield* Effect.catchIf(
          this.read,
          (error) => error instanceof UnreadableTokens,
          () => Effect.succeed("")
        )
        const next = yield* step(text)
        if (next !== text) {
          yield* this.#use(() => this.#replace(draft, next, isHeld))
        }
      })
    const locked = underLock(`${this.path}.lock`, (isHeld) =>
      Effect.acquireUseRelease(
        this.#use(() => this.#open()),
        inDraft(isHeld),
        (draft) => Effect.promise(() => this.#drop(draft))
      )
    )
    return Effect.zipRight(
      this.#use(() => mkdir(this.#directory, { recursive: true, mode: 0o700 })),
      locked
    )
  }

  /** Keeps the file under another name when it is replaced. */
  keep(id: string): void {
    this.#aside = `${this.path}.aside.${id}`
  }

  async #open(): Promise<Draft> {
    await this.#sweep()
    const path = `${this.path}.${await newOwner()}.tmp`
    return { path, handle: await open(path, "wx", 0o600) }
  }

  async #drop({ handle, path }: Draft): Promise<void> {
    await handle.close().catch(() => undefined)
    await unlink(path).catch(() => undefined)
  }

  async #replace({ handle, path }: Draft, text: string | undefined, isHeld: () => Promise<boolean>): Promise<void> {
    await handle.writeFile(text ?? "")
    await handle.sync()
    await handle.close()
    await this.#isThere()
    if (!(await isHeld())) {
      throw Object.assign(new Error("the lock was lost"), { code: "ELOCKLOST" })
    }
    if (this.#aside !== undefined) {
      // The name is taken first, since a rename replaces what has it.
      await (await open(this.#aside, "wx", 0o600)).close()
      await rename(this.path, this.#aside)
    }
    await (text === undefined ? unlink(this.path) : rename(path, this.path))
    await this.#syncDirectory()
  }

  /** A power failure must not bring the spent tokens back. Not every system supports it. */
  async #syncDirectory(): Promise<void> {
    try {
      const handle = await open(this.#directory, "r")
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    } catch {
      // The file itself is written.
    }
  }

  /** Whether there is a file to read, move or replace. The store owns nothing else. */
  async #isThere(): Promise<boolean> {
    const stats = await lstat(this.path).catch(unlessMissing)
    if (stats !== undefined && !stats.isFile()) {
      const code = stats.isSymbolicLink() ? "ELOOP" : stats.isDirectory() ? "EISDIR" : "ENOTSUP"
      throw Object.assign(new Error(`${code}: ${this.path} is not a regular file`), { code })
    }
    return stats !== undefined
  }

  /** Removes what dead processes have left: their drafts can contain tokens. */
  async #sweep(): Promise<void> {
    const start = `${basename(this.path)}.`
    for (const name of await readdir(this.#directory).catch(() => [])) {
      const [, kind, owner = ""] =
        /^(lock[.])?(.+?)([.]tmp)?$/.exec(name.startsWith(start) ? name.slice(start.length) : "") ?? []
      const left = join(this.#directory, name)
      if (await isLeft(left, owner)) {
        await (kind === undefined ? unlink(left).catch(() => undefined) : removeLock(left, owner))
      }
    }
  }
}

/**
 * A store of tokens in a file, for `createSession`.
 *
 * By default it is `catalog-client/tokens.json` in the user's configuration directory: `$XDG_CONFIG_HOME`, `%APPDATA%` on
 * Windows, or `~/.config`. A file contains the tokens of one client and one user: give each its own path.
 *
 * The file has mode 0600, and directories that the store makes have 0700. A file with a wider mode is repaired, and so is
 * the default directory, with a warning. A symbolic link in the place of the file, or anything else that is not a regular
 * file, is an error, and stays. A file is replaced as a whole, so that no crash leaves a part of one. A file that does
 * not hold tokens of this client is renamed to `<path>.aside.<random>` before tokens are stored. The tokens are not
 * encrypted: programs of the same user can read them.
 *
 * Processes that share the file change it one at a time, under the lock `<path>.lock`. The lock of a process that has ended is
 * taken over, that of a running one never: a session waits for it for one and a half times its `timeout`, and then continues
 * with the tokens in memory. Processes of different containers and machines cannot ask for each other: there, a lock that is an
 * hour old counts as left over.
 *
 * Throws a `TypeError` if the path is not a string, or empty, or if there is none and this user cannot store a file at the
 * default path: in a container, the home directory is often missing or `/`.
 *
 * @example
 * ```ts
 * import { createSession, fileTokenStore } from "@catalog-client/node/oauth"
 *
 * export const session = createSession({ clientId: "my-client-id", store: fileTokenStore() })
 * ```
 */
export const fileTokenStore = (path?: string): TokenStoreService<"processes"> => {
  if (path !== undefined && (typeof path !== "string" || path === "")) {
    throw new TypeError(`fileTokenStore: path must be the path of a file, but it is ${inspect(path)}`)
  }
  const file = new TokenFile(path === undefined ? defaultPath() : resolve(path), path === undefined)
  return TokenStore.from({
    get: () => file.read,
    update: (step) => file.update(step),
    keep: (_, id) => file.keep(id)
  })
}

/**
 * The same as a Layer.
 *
 * @example
 * ```ts
 * import * as CatalogNode from "@catalog-client/node"
 * import { layerFile, OAuthSession } from "@catalog-client/node/oauth"
 * import { Layer } from "effect"
 *
 * export const Live = OAuthSession.layer({ clientId: "my-client-id" }).pipe(
 *   Layer.provide(layerFile()),
 *   Layer.provideMerge(CatalogNode.layer)
 * )
 * ```
 */
export const layerFile = (path?: string): Layer.Layer<TokenStore> => Layer.sync(TokenStore, () => fileTokenStore(path))
