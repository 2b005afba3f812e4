#!/usr/bin/env node
/**
 * The command `catalog-mcp`: the MCP server on stdin and stdout, a sign-in, or a sign-out. The server writes only messages of the protocol to
 * standard output. Its logs and errors go to standard error.
 */
import { CatalogClient, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import * as CatalogNode from "@catalog-client/node"
import { fileTokenStore, layerFile, OAuthSession, TokenStoreError } from "@catalog-client/oauth/node"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { Cause, Data, Deferred, Effect, Either, Layer, Logger, Option } from "effect"
import { parseArgs } from "node:util"
import { login, paste } from "./login.js"
import { makeServer } from "./server.js"
import { printable } from "./text.js"

const defaultRedirectUri = "http://localhost:8080/callback"

class StartError extends Data.TaggedError("StartError")<{ readonly message: string }> {}

const usage = `Usage: catalog-mcp [--demo] [--allow-writes]
       catalog-mcp login
       catalog-mcp logout
  --demo          calls the embedded service, a fake MyAnimeList, which needs no account
  --allow-writes  adds the tools that change the user's list
  --help          prints this
  login           signs a user in with the browser, and stores the tokens for the server
  logout          removes these tokens

Without --demo, the server calls the service with CATALOG_ACCESS_TOKEN, with the tokens that "login" has stored, or with
CATALOG_CLIENT_ID, which is enough only for public data. CATALOG_BASE_URL is the base URL of another service.

"login" reads CATALOG_CLIENT_ID, and CATALOG_CLIENT_SECRET if the client has one. CATALOG_REDIRECT_URI is the redirect URI that
is registered for it: ${defaultRedirectUri} by default.`

const { CATALOG_ACCESS_TOKEN, CATALOG_CLIENT_ID, CATALOG_CLIENT_SECRET, CATALOG_BASE_URL, CATALOG_REDIRECT_URI } =
  process.env

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The client ID of the stored tokens, unless they belong to another client than `CATALOG_CLIENT_ID`. Fails with the reason why
 * they cannot be read.
 */
const storedClientId = Effect.try(() => fileTokenStore()).pipe(
  Effect.mapError(({ error }) => error),
  Effect.flatMap(({ get }) => get),
  Effect.mapError((error) => (error instanceof TokenStoreError ? error.cause : error)),
  Effect.map(Option.map(({ clientId }) => clientId)),
  Effect.map(Option.filter((clientId) => !CATALOG_CLIENT_ID || CATALOG_CLIENT_ID === clientId)),
  Effect.mapError((error) => `The tokens of "catalog-mcp login" cannot be read. ${textOf(error)}`)
)

/** The credentials of the calls. With `needsUser`, a client ID is not enough. */
const credentials = (needsUser: boolean) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const values = { accessToken: CATALOG_ACCESS_TOKEN || undefined, clientId: CATALOG_CLIENT_ID || undefined }
      if (values.accessToken !== undefined) {
        return Credentials.layer(values)
      }
      const read = yield* Effect.either(storedClientId)
      const stored = Option.flatten(Either.getRight(read))
      if (Option.isSome(stored)) {
        const clientSecret = CATALOG_CLIENT_SECRET || undefined
        // The session sends its tokens only to the service of this configuration.
        const config = CatalogConfig.layer({ baseUrl: CATALOG_BASE_URL || undefined })
        return OAuthSession.layer({ clientId: stored.value, clientSecret }).pipe(Layer.provide([layerFile(), config]))
      }
      const because = Either.isLeft(read) ? ` ${read.left}` : ""
      if (needsUser) {
        return yield* new StartError({
          message: `--allow-writes needs a user: run "catalog-mcp login", or set CATALOG_ACCESS_TOKEN.${because}\n\n${usage}`
        })
      }
      if (values.clientId !== undefined) {
        yield* because === "" ? Effect.void : Effect.logWarning(`There is no user.${because}`)
        return Credentials.layer(values)
      }
      const todo = 'Set CATALOG_CLIENT_ID, run "catalog-mcp login", or pass --demo.'
      return yield* new StartError({ message: `There are no credentials. ${todo}${because}\n\n${usage}` })
    })
  )

const live = (needsUser: boolean) =>
  CatalogClient.layer({ baseUrl: CATALOG_BASE_URL || undefined }).pipe(
    Layer.provide(
      CatalogPolicy.layer(
        Resilience.retry(),
        // MyAnimeList documents no limit. Its users report that one request per second is safe.
        ...(CATALOG_BASE_URL ? [] : [Resilience.rateLimit({ limit: 1, interval: "1 second" })])
      )
    ),
    Layer.provide(credentials(needsUser)),
    Layer.provide(CatalogNode.layer)
  )

const args = Effect.try({
  try: () => {
    const flag = { type: "boolean", default: false } as const
    const options = { demo: flag, help: flag, "allow-writes": flag }
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [command, ...others] = positionals
    if (others.length > 0 || (command !== undefined && command !== "login" && command !== "logout")) {
      throw new Error(`There is no command "${positionals.join(" ")}".`)
    }
    return { ...values, command }
  },
  catch: (error) => new StartError({ message: `${textOf(error)}\n\n${usage}` })
})

/** Standard input and output, as a transport that says when it has closed. */
class Wire extends StdioServerTransport {
  constructor(private readonly ended: () => void) {
    super()
  }

  /** The SDK also calls this after an error of either stream, and after a message that is too long. */
  override async close() {
    await super.close()
    this.ended()
  }

  /** The message of an error can contain what the agent has sent, such as the name of a tool. */
  override send(message: Parameters<StdioServerTransport["send"]>[0]) {
    const isError = "error" in message
    return super.send(
      isError ? { ...message, error: { ...message.error, message: printable(message.error.message) } } : message
    )
  }
}

const serve = (allowWrites: boolean) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<CatalogClient>()
    const onerror = ({ message }: Error) => console.error(message)
    // An agent ends the server by closing its input or its output.
    const ended = yield* Deferred.make<void>()
    const transport = new Wire(() => Deferred.unsafeDone(ended, Effect.void))
    yield* Effect.acquireRelease(
      Effect.sync(() => serveStdio(() => makeServer(runtime, { allowWrites }), { onerror, transport })),
      (handle) => Effect.promise(() => handle.close())
    )
    yield* Deferred.await(ended)
  })

const signIn = Effect.gen(function* () {
  if (!CATALOG_CLIENT_ID) {
    const message =
      '"catalog-mcp login" needs a client ID: register one at https://myanimelist.net/apiconfig, and set CATALOG_CLIENT_ID to it.'
    return yield* new StartError({ message: `${message}\n\n${usage}` })
  }
  const client = {
    clientId: CATALOG_CLIENT_ID,
    clientSecret: CATALOG_CLIENT_SECRET || undefined,
    redirectUri: CATALOG_REDIRECT_URI || defaultRedirectUri
  }
  const name = yield* login(client, process.stdin.isTTY ? { paste } : {})
  console.log(`Signed in as ${printable(name)}. The server uses this user's tokens from its next start on.`)
})

const signOut = Effect.try({ try: () => fileTokenStore(), catch: (error) => error }).pipe(
  Effect.flatMap(({ update }) => update(() => Effect.succeed(Option.none()))),
  Effect.andThen(Effect.sync(() => console.log("Signed out. A server that runs keeps the tokens: restart the agent.")))
)

Effect.flatMap(args, ({ "allow-writes": allowWrites, command, demo, help }) =>
  help
    ? Effect.sync(() => console.log(usage))
    : command === "login"
      ? signIn
      : command === "logout"
        ? signOut
        : Effect.scoped(serve(allowWrites)).pipe(
            Effect.provide(demo ? EmbeddedCatalog.layerClient() : live(allowWrites))
          )
).pipe(
  Effect.tapErrorCause((cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.void : Effect.sync(() => console.error(textOf(Cause.squash(cause))))
  ),
  Effect.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
