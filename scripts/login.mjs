// Signs a user in, and stores the tokens where `npm run demo -- --live` finds them:
//
// npm run login                            at the live service; CATALOG_CLIENT_ID says who asks, and CATALOG_CLIENT_SECRET
//                                          and CATALOG_REDIRECT_URI (http://localhost:8080/callback) if there are such
// npm run login -- --no-browser            prints the URL, and takes the one at which the browser ended up
// npm run login -- --embedded              at the embedded service on a port; no account, and nothing is kept
// npm run login -- --embedded --no-browser in place of a browser, the script follows the redirects
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline/promises"
import { parseArgs } from "node:util"
import { freePort, setupAndBuild } from "./setup.mjs"

/**
 * @import { ServiceProfile as Profile } from "@catalog-client/core"
 * @import { LoginOptions, Session } from "@catalog-client/node/oauth"
 */

setupAndBuild()
const { isClientError, ServiceProfile } = await import("@catalog-client/core")
const { createCatalog } = await import("@catalog-client/node")
const { createSession, fileTokenStore } = await import("@catalog-client/node/oauth")
const { serve } = await import("@catalog-client/node/testing")

/**
 * Asks for the URL in the terminal.
 *
 * @param {AbortSignal} signal
 * @param {{ readonly message: string }} [refused] why the last one was refused
 */
const paste = async (signal, refused) => {
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

/**
 * @param {Session} session
 * @param {LoginOptions} options
 * @param {Profile} [profile]
 */
const signIn = async (session, options, profile) => {
  const catalog = createCatalog({ session, ...(profile && { profile }) })
  try {
    await session.login(options)
    return (await catalog.user.me()).name
  } finally {
    await catalog.close()
    await session.close()
  }
}

/** @param {boolean} hasBrowser */
const live = (hasBrowser) => {
  const { CATALOG_CLIENT_ID, CATALOG_CLIENT_SECRET, CATALOG_REDIRECT_URI } = process.env
  if (!CATALOG_CLIENT_ID) {
    throw new Error("CATALOG_CLIENT_ID must be the client identifier that is registered with the service.")
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

/** @param {boolean} hasBrowser */
const embedded = async (hasBrowser) => {
  const folder = mkdtempSync(join(tmpdir(), "catalog-client-login-"))
  const redirectUri = `http://localhost:${await freePort()}/callback`
  const clientId = "embedded-client"
  const clients = { [clientId]: { redirectUris: [redirectUri] } }
  const service = await serve({ oauth: { clients, consent: hasBrowser ? "page" : "allow" } })
  try {
    const { authorizeUrl, tokenUrl, url: baseUrl } = service
    const usual = ServiceProfile.default
    const profile = { ...usual, baseUrl, oauth: { ...usual.oauth, authorizeUrl, tokenUrl } }
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
