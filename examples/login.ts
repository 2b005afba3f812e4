/**
 * Signs a user in, and stores the tokens where `npm run demo -- --live` finds them:
 *
 *     npm run login                            at the live service. CATALOG_CLIENT_ID names the application, and
 *                                              CATALOG_CLIENT_SECRET and CATALOG_REDIRECT_URI
 *                                              (http://localhost:8080/callback) are read if they are set
 *     npm run login -- --no-browser            prints the URL, and asks for the one at which the browser ends up
 *     npm run login -- --embedded              at the embedded service on a port; no account, and nothing is kept
 *     npm run login -- --embedded --no-browser the program follows the redirects in place of a browser
 */
import { createCatalog, isClientError, type ServiceProfile } from "catalog-client"
import { createSession, fileTokenStore, type LoginOptions, type Session } from "catalog-client/oauth"
import { serve } from "catalog-client/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline/promises"
import { parseArgs } from "node:util"
import { freePort } from "../test/freePort.mjs"

/** Asks for the URL in the terminal, and says why the last one was refused. */
const paste = async (signal: AbortSignal, refused?: { readonly message: string }) => {
  if (refused !== undefined) {
    console.log(refused.message)
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(
      "If the browser does not come back by itself, paste the URL at which it ended up: ",
      { signal }
    )
  } finally {
    terminal.close()
  }
}

const signIn = async (session: Session, options: LoginOptions, profile?: ServiceProfile) => {
  const catalog = createCatalog({ session, ...(profile && { profile }) })
  try {
    await session.login(options)
    return (await catalog.user.me()).name
  } finally {
    await catalog.close()
    await session.close()
  }
}

const live = (hasBrowser: boolean) => {
  const { CATALOG_CLIENT_ID, CATALOG_CLIENT_SECRET, CATALOG_REDIRECT_URI } = process.env
  if (!CATALOG_CLIENT_ID) {
    throw new Error("CATALOG_CLIENT_ID must be the client ID that is registered with the service.")
  }
  const session = createSession({
    clientId: CATALOG_CLIENT_ID,
    ...(CATALOG_CLIENT_SECRET && { clientSecret: CATALOG_CLIENT_SECRET }),
    redirectUri: CATALOG_REDIRECT_URI || "http://localhost:8080/callback",
    store: fileTokenStore()
  })
  // Over SSH there is no browser, whatever was asked for.
  return signIn(session, {
    ...(hasBrowser ? {} : { openBrowser: false }),
    ...((process.stdin.isTTY || !hasBrowser) && { paste })
  })
}

const embedded = async (hasBrowser: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), "catalog-client-login-"))
  const redirectUri = `http://localhost:${await freePort()}/callback`
  const clientId = "embedded-client"
  const clients = { [clientId]: { redirectUris: [redirectUri] } }
  const service = await serve({ oauth: { clients, consent: hasBrowser ? "page" : "allow" } })
  try {
    const { profile } = service
    const store = fileTokenStore(join(folder, "tokens.json"))
    const session = createSession({ clientId, redirectUri, profile, store })
    return await signIn(session, hasBrowser ? {} : { openBrowser: false, onUrl: (url) => fetch(url) }, profile)
  } finally {
    await service.close()
    rmSync(folder, { recursive: true })
  }
}

try {
  const { values } = parseArgs({ options: { embedded: { type: "boolean" }, "no-browser": { type: "boolean" } } })
  const hasBrowser = values["no-browser"] !== true
  console.log(`Signed in as ${await (values.embedded === true ? embedded(hasBrowser) : live(hasBrowser))}`)
} catch (error) {
  // Its stack would say nothing to a user.
  console.error(isClientError(error) || error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
