/**
 * The subpath `oauth` where there is only `fetch`: without a sign-in on the platform, and without a file.
 */
import { createSessionOver } from "../../createSession.js"
import { createSessionsOver } from "../../createSessions.js"
import { needs, needsLater } from "../../platform.js"
import { platform } from "../../platform/fetch.js"
import type * as node from "./node.js"
import type * as page from "#oauth/browser/stores.js"

export * from "../../oauth.js"

const instead = "use authorizationRequest and exchange of the session"

export const createSession: typeof node.createSession = /*#__PURE__*/ createSessionOver(platform, {
  login: /*#__PURE__*/ needsLater("Node or a page", "session.login", instead),
  resume: /*#__PURE__*/ needsLater("a page", "session.resume", instead)
})

export const createSessions: typeof node.createSessions = createSessionsOver(platform)

const own = "pass functions that store a string: { get, set, remove }"

export const fileTokenStore: typeof node.fileTokenStore = needs("Node", "fileTokenStore", own)

export const localTokenStore: typeof page.localTokenStore = needs("a page", "localTokenStore", own)

export const sessionTokenStore: typeof page.sessionTokenStore = needs("a page", "sessionTokenStore", own)
