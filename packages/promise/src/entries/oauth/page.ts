import { createSession as createSessionOver } from "#browser/oauth/createSession.js"
import { createSessionsOver } from "../../createSessions.js"
import { needs, optionsOver } from "../../platform.js"
import { platform } from "../../platform/fetch.js"
import { withStore } from "../../tokenStore.js"
import type * as node from "./node.js"

export * from "../../oauth.js"
export { localTokenStore, sessionTokenStore } from "#browser/oauth/stores.js"

export const createSession: typeof node.createSession = (options) =>
  createSessionOver(withStore(optionsOver(platform, options, "createSession")))

export const createSessions: typeof node.createSessions = createSessionsOver(platform)

export const fileTokenStore: typeof node.fileTokenStore = needs(
  "Node",
  "fileTokenStore",
  "use sessionTokenStore or localTokenStore"
)
