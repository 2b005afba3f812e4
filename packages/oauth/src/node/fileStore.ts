/**
 * Tokens in a file, which only its user can read.
 *
 * @since 0.2.0
 */
import { TokenStore, type TokenStoreService, UnreadableTokens } from "../TokenStore.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { constants, mkdirSync, type Stats } from "node:fs"
import { chmod, copyFile, type FileHandle, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { inspect } from "node:util"
import { attempt, codeOf, removeLock, underLock } from "./lock.js"
import { isStale, newOwner } from "./owner.js"

const isWindows = process.platform === "win32"

/** The flags that open a file: follow no link, wait for no pipe. On Windows both are `undefined`, which adds no bit. */
const toRead = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The maximum size of a file of tokens in bytes: the service's tokens take a few thousand. */
const maxBytes = 1024 * 1024

/** The absolute path in an environment variable. Relative paths are ignored, as XDG says. */
const pathIn = (variable: string): string | undefined => {
  const path = process.env[variable]
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/**
 * Throws a `TypeError` if no file can be made there, as in many containers: otherwise a user's tokens would be lost with the
 * process.
 */
const defaultPath = (): string => {
  try {
    const folder =
      pathIn("XDG_CONFIG_HOME") ?? (isWindows ? pathIn("APPDATA") : undefined) ?? join(homedir(), ".config")
    if (!isAbsolute(folder)) {
      throw new Error(`the home directory (HOME) is ${inspect(homedir())}`)
    }
    const path = join(folder, "catalog-client", "tokens.json")
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return path
  } catch (error) {
    throw new TypeError(
      `fileTokenStore: the default path cannot be used: ${(error as Error).message}. Pass another path, or set XDG_CONFIG_HOME to a directory that this user may write.`,
      { cause: error }
    )
  }
}

const unlessMissing = (error: unknown): undefined => {
  if (codeOf(error) !== "ENOENT") {
    throw error
  }
}

/** A file that is being written, beside the one that it will replace. */
interface Draft {
  readonly path: string
  readonly handle: FileHandle
}

class TokenFile {
  readonly #directory: string

  constructor(
    private readonly path: string,
    /** Whether the directory is this library's own. */
    private readonly isOwn: boolean
  ) {
    this.#directory = dirname(path)
  }

  /**
   * Adds a reason that warnings and errors show. It names the directory only: the name of the file can be a visitor's secret
   * id.
   */
  #explained<A>(use: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> {
    return Effect.mapError(use, (error) => {
      const code = codeOf(error)
      const option = this.isOwn
        ? "set XDG_CONFIG_HOME, or pass fileTokenStore a path"
        : "pass fileTokenStore another path"
      return code === undefined
        ? error
        : Object.assign(error as Error, { reason: `${code} in ${this.#directory}; ${option}` })
    })
  }

  readonly read: Effect.Effect<string | undefined, unknown> = Effect.suspend(() => {
    const repaired: Array<string> = []
    const warn = Effect.suspend(() =>
      repaired[0] === undefined
        ? Effect.void
        : Effect.logWarning(
            `catalog: other users of this machine could use the stored tokens, because the mode of ${repaired[0]}. It has been repaired. If they may have used them, sign in again.`
          )
    )
    return Effect.ensuring(this.#explained(attempt(() => this.#read(repaired))), warn)
  })

  async #read(repaired: Array<string>): Promise<string | undefined> {
    const repair = async (what: string, { mode }: Stats, right: number, change: (mode: number) => Promise<void>) => {
      if (!isWindows && mode & 0o077) {
        await change(right)
        repaired.push(`${what} was ${(mode & 0o777).toString(8)} rather than ${right.toString(8)}`)
      }
    }
    const directory = this.isOwn ? await stat(this.#directory).catch(unlessMissing) : undefined
    if (directory !== undefined) {
      await repair(this.#directory, directory, 0o700, (mode) => chmod(this.#directory, mode))
    }
    // Check and read the same file, even if it is replaced meanwhile.
    const handle = await open(this.path, toRead).catch(unlessMissing)
    if (handle === undefined) {
      return undefined
    }
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) {
        const code = stats.isDirectory() ? "EISDIR" : "ENOTSUP"
        throw Object.assign(new Error(`${code}: not a regular file`), { code })
      }
      await repair(`a file in ${this.#directory}`, stats, 0o600, (mode) => handle.chmod(mode))
      if (stats.size > maxBytes) {
        throw new UnreadableTokens()
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
        const text = yield* Effect.catchIf(
          this.read,
          (error) => error instanceof UnreadableTokens,
          () => Effect.succeed("")
        )
        const next = yield* step(text)
        if (next !== text) {
          yield* attempt(() => this.#replace(draft, next, isHeld))
        }
      })
    const locked = underLock(`${this.path}.lock`, (isHeld) =>
      Effect.acquireUseRelease(
        attempt(() => this.#open()),
        inDraft(isHeld),
        (draft) => Effect.promise(() => this.#drop(draft))
      )
    )
    const makeDirectory = attempt(() => mkdir(this.#directory, { recursive: true, mode: 0o700 }))
    return this.#explained(Effect.zipRight(makeDirectory, locked))
  }

  /** Keeps a copy of the file. */
  keep(id: string): Effect.Effect<void, unknown> {
    return this.#explained(attempt(() => copyFile(this.path, `${this.path}.aside.${id}`, constants.COPYFILE_EXCL)))
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
    if (!(await isHeld())) {
      throw Object.assign(new Error("the lock was lost"), { code: "ELOCKLOST" })
    }
    await (text === undefined ? unlink(this.path) : rename(path, this.path))
    await this.#syncDirectory()
  }

  /** Syncs the directory, where the system can, so that a power failure does not bring spent tokens back. */
  async #syncDirectory(): Promise<void> {
    try {
      const handle = await open(this.#directory, "r")
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    } catch {
      // Ignored: the file itself is written.
    }
  }

  /** Removes what dead processes have left: their drafts can contain tokens. */
  async #sweep(): Promise<void> {
    const start = `${basename(this.path)}.`
    for (const name of await readdir(this.#directory).catch(() => [])) {
      const [, kind, owner = ""] =
        /^(lock[.])?(.+?)([.]tmp)?$/.exec(name.startsWith(start) ? name.slice(start.length) : "") ?? []
      const left = join(this.#directory, name)
      if (await isStale(left, owner)) {
        await (kind === undefined ? unlink(left).catch(() => undefined) : removeLock(left, owner))
      }
    }
  }
}

/**
 * A store of tokens in a file.
 *
 * By default it is `catalog-client/tokens.json` in `$XDG_CONFIG_HOME`, `%APPDATA%` on Windows, or `~/.config`. Each client and
 * each user needs its own path.
 *
 * The file has mode 0600, and a wider one is repaired, with a warning. The tokens are not encrypted: programs of the same user
 * can read them. Anything that is not a regular file, such as a symbolic link, is an error. A file without tokens of this client
 * is first copied to `<path>.aside.<random>`.
 *
 * Processes change the file one at a time, under the lock `<path>.lock`.
 *
 * Throws a `TypeError` for an invalid path, or if this user cannot make the default one: in a container, the home directory is
 * often missing or `/`.
 *
 * @example
 * ```ts
 * import { TokenStores } from "@catalog-client/oauth"
 * import { fileTokenStore } from "@catalog-client/oauth/node"
 * import { Layer } from "effect"
 *
 * // For `OAuthSessions`: a file for each key, which may contain any character.
 * export const layer = Layer.succeed(TokenStores, {
 *   storeOf: (key) => fileTokenStore(`sessions/${encodeURIComponent(key)}.json`)
 * })
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
 * A Layer of {@link fileTokenStore}, which says where the file is by default. What that throws is a defect.
 *
 * @example
 * ```ts
 * import { layerFile, OAuthSession } from "@catalog-client/oauth/node"
 * import { Layer } from "effect"
 *
 * // Needs an HttpClient.
 * export const Session = OAuthSession.layerConfig().pipe(Layer.provide(layerFile("tokens.json")))
 * ```
 */
export const layerFile = (path?: string): Layer.Layer<TokenStore> => Layer.sync(TokenStore, () => fileTokenStore(path))
