// A process with a session over a file of tokens, for tests that start several of them. It is told what to do by messages:
// `refresh` refreshes the tokens, `call` makes a call; it answers with how that ended. With `killAt`, the process kills
// itself at that moment: the first is before its first use of the file system, the second after it, and so on.
import { Cause, Context, Effect, Exit, Layer, ManagedRuntime, Scope } from "effect"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"

const { isStuck, killAt, path, profile, redisPort, sqlitePath } = JSON.parse(process.argv[2] ?? "")

let moments = 0
let isCounting = false

const moment = () => {
  if (isCounting && ++moments === killAt) {
    process.kill(process.pid, "SIGKILL")
  }
}

/**
 * @param {object} owner
 * @param {ReadonlyArray<string>} names
 */
const counted = (owner, names) => {
  for (const name of names) {
    /** @type {(...inputs: ReadonlyArray<unknown>) => Promise<object>} */
    const use = Reflect.get(owner, name)
    const withMoments = async (/** @type {Array<unknown>} */ ...inputs) => {
      moment()
      const used = await Reflect.apply(use, owner, inputs)
      if (name === "open") {
        counted(used, ["stat", "readFile", "writeFile", "sync", "close"])
      }
      moment()
      return used
    }
    Reflect.set(owner, name, withMoments)
  }
}
counted(fs, ["mkdir", "open", "readdir", "rename", "rmdir", "unlink", "writeFile"])
syncBuiltinESMExports()

const { Catalog, CatalogConfig, Transport } = await import("@catalog-client/core")
const { layer } = await import("@catalog-client/node")
const { fileTokenStore, OAuthSession, TokenStore, TokenStores } = await import("@catalog-client/oauth/node")

const storeOf = async () => {
  if (redisPort !== undefined) {
    const RedisTokenStores = await import("@catalog-client/oauth/redis")
    const built = Layer.build(RedisTokenStores.layer({ port: redisPort }))
    const context = await Effect.runPromise(Scope.extend(built, await Effect.runPromise(Scope.make())))
    return Context.get(context, TokenStores).storeOf("me")
  }
  if (sqlitePath !== undefined) {
    const { sqliteStores } = await import("./sqliteStores.mjs")
    return (await sqliteStores(path, sqlitePath))("me")
  }
  return fileTokenStore(path)
}

/** With `isStuck`, a request for tokens is never sent: the process stays in the step of its refresh. @type {typeof fetch} */
const stuck = () => {
  process.send?.({ stuck: true })
  return new Promise(() => undefined)
}
if (isStuck) {
  globalThis.fetch = stuck
}
const store = await storeOf()
const Live = OAuthSession.layer({ clientId: "embedded-client", ...(isStuck && { timeout: 60_000 }) }).pipe(
  Layer.provide(Layer.succeed(TokenStore, store)),
  Layer.provideMerge(Layer.merge(isStuck ? Transport.layerFetch : layer, CatalogConfig.layer({ profile })))
)
const { runPromiseExit } = ManagedRuntime.make(Live)

/**
 * @template A, E
 * @param {Effect.Effect<A, E, Layer.Layer.Success<typeof Live>>} effect
 */
const run = async (effect) => {
  const exit = await runPromiseExit(effect)
  if (Exit.isFailure(exit)) {
    throw Cause.squash(exit.cause)
  }
}

/** @param {{ readonly call?: boolean, readonly refresh?: boolean }} job */
const answer = async ({ call, refresh }) => {
  try {
    isCounting = true
    if (refresh) {
      await run(Effect.flatMap(OAuthSession, (session) => session.refresh))
    }
    isCounting = false
    if (call) {
      await run(Catalog.user.me())
    }
    process.send?.({ ok: true, moments })
  } catch (error) {
    const { message, reason } = /** @type {Error & { readonly reason?: string }} */ (error)
    process.send?.({ ok: false, moments, error: `${reason}: ${message}` })
  }
}

process.on(
  "message",
  (/** @type {{ readonly call?: boolean, readonly refresh?: boolean }} */ message) => void answer(message)
)
process.send?.({ ready: true })
