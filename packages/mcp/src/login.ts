/**
 * `catalog-mcp login`: signs a user in with the browser, and stores the tokens where the server reads them.
 */
import { Catalog } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { layerFile, Login, type LoginOptions, type OAuth, OAuthSession } from "@catalog-client/oauth/node"
import { Effect } from "effect"
import { createInterface } from "node:readline/promises"

/** Asks in the terminal for the URL at which the browser ends up, which may be on another machine. */
export const paste: LoginOptions["paste"] = (refused) =>
  Effect.tryPromise(async (signal) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    try {
      const question = "If the browser shows an error, paste the URL of its address bar here: "
      return await terminal.question(refused === undefined ? question : `${refused.message}\n${question}`, { signal })
    } finally {
      terminal.close()
    }
    // If the input has ended, the browser can still come back.
  }).pipe(Effect.catchAll(() => Effect.never))

/** Signs a user in, and returns the user's name. */
export const login = (client: OAuth.OAuthClient, options?: LoginOptions) =>
  Effect.andThen(Login.loopback(options), Catalog.user.me()).pipe(
    Effect.map(({ name }) => name),
    Effect.provide(OAuthSession.layer(client)),
    Effect.provide(layerFile()),
    Effect.provide(CatalogNode.layer)
  )
