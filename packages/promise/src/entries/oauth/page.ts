/**
 * The subpath `oauth` in a page.
 */
import { createSession as createSessionOver } from "#oauth/browser/createSession.js"
import { needs } from "../../platform.js"
import { platform } from "../../platform/fetch.js"
import { sessionOptions } from "../../tokenStore.js"
import type * as node from "./node.js"

export * from "../../oauth.js"
export { localTokenStore, sessionTokenStore } from "#oauth/browser/stores.js"
export { createSessions } from "./fetch.js"

export const createSession: typeof node.createSession = (options) =>
  createSessionOver(sessionOptions(platform, options))

export const fileTokenStore: typeof node.fileTokenStore = needs(
  "Node",
  "fileTokenStore",
  "use sessionTokenStore or localTokenStore"
)
