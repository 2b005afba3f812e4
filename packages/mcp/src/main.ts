#!/usr/bin/env node
/**
 * The MCP server on stdin and stdout. Standard output has only the messages of the protocol: all else goes to standard error.
 */
import { CatalogClient, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import * as CatalogNode from "@catalog-client/node"
import { fileTokenStore, OAuthSession, TokenStore } from "@catalog-client/oauth/node"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { Data, Deferred, Effect, Either, Layer, Logger, Option } from "effect"
import { parseArgs } from "node:util"
import { makeServer } from "./server.js"
import { printable } from "./text.js"

class StartError extends Data.TaggedError("StartError")<{ readonly message: string }> {}

const usage = `Usage: catalog-mcp [--demo] [--allow-writes]
  --demo          with an embedded catalog, without an account
  --allow-writes  with tools that change the user's list
  --help          prints this

Without --demo, the server calls the service with CATALOG_ACCESS_TOKEN, with the tokens that "npm run login" has stored, or with
CATALOG_CLIENT_ID, which is enough only for public data. CATALOG_BASE_URL is the base URL of another service.`

const { CATALOG_ACCESS_TOKEN, CATALOG_CLIENT_ID, CATALOG_CLIENT_SECRET, CATALOG_BASE_URL } = process.env

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The client ID of the tokens that are stored, if there are some for this client. Fails with why they cannot be read. */
const storedClientId = Effect.try(() => fileTokenStore()).pipe(
  Effect.mapError(({ error }) => error),
  Effect.flatMap(({ get }) => get),
  Effect.map(Option.map(({ clientId }) => clientId)),
  Effect.map(Option.filter((clientId) => !CATALOG_CLIENT_ID || CATALOG_CLIENT_ID === clientId)),
  Effect.mapError((error) => `The tokens of "npm run login" cannot be read. ${textOf(error)}`)
)

/** Who asks; a write needs a user. */
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
        // A session's tokens go to the service of its configuration only.
        const config = CatalogConfig.layer({ baseUrl: CATALOG_BASE_URL || undefined })
        const store = Layer.sync(TokenStore, () => fileTokenStore())
        return OAuthSession.layer({ clientId: stored.value, clientSecret }).pipe(Layer.provide([store, config]))
      }
      const because = Either.isLeft(read) ? ` ${read.left}` : ""
      if (needsUser) {
        return yield* new StartError({ message: `--allow-writes needs a user.${because}\n\n${usage}` })
      }
      if (values.clientId !== undefined) {
        yield* because === "" ? Effect.void : Effect.logWarning(`There is no user.${because}`)
        return Credentials.layer(values)
      }
      return yield* new StartError({ message: `There are no credentials.${because}\n\n${usage}` })
    })
  )

const live = (needsUser: boolean) =>
  CatalogClient.layer({ baseUrl: CATALOG_BASE_URL || undefined }).pipe(
    Layer.provide(
      CatalogPolicy.layer(
        Resilience.retry(),
        // What users of the live service call safe; another service has other limits.
        ...(CATALOG_BASE_URL ? [] : [Resilience.rateLimit({ limit: 1, interval: "1 second" })])
      )
    ),
    Layer.provide(credentials(needsUser)),
    Layer.provide(CatalogNode.layer)
  )

const args = Effect.try({
  try: () => {
    const flag = { type: "boolean", default: false } as const
    return parseArgs({ options: { demo: flag, help: flag, "allow-writes": flag } }).values
  },
  catch: (error) => new StartError({ message: `${textOf(error)}\n\n${usage}` })
})

/** Standard input and output. */
class Wire extends StdioServerTransport {
  constructor(private readonly ended: () => void) {
    super()
  }

  /** Also after an error of either of them, and after a message that is too long: nothing is read any further. */
  override async close() {
    await super.close()
    this.ended()
  }

  /** An error can echo what the agent has sent, such as the name of a tool. */
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

Effect.flatMap(args, ({ "allow-writes": allowWrites, demo, help }) =>
  help
    ? Effect.sync(() => console.log(usage))
    : Effect.scoped(serve(allowWrites)).pipe(Effect.provide(demo ? EmbeddedCatalog.layerClient() : live(allowWrites)))
).pipe(
  Effect.tapError(({ message }) => Effect.sync(() => console.error(message))),
  Effect.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
