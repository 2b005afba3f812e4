/**
 * The subpath `oauth` in a page.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { redirect, resume } from "#oauth/browser/pageSignIn.js"
import { createSessionOver } from "../../createSession.js"
import { needs } from "../../platform.js"
import { platform } from "../../platform/fetch.js"
import type * as node from "./node.js"

export * from "../../oauth.js"
export { localTokenStore, sessionTokenStore } from "#oauth/browser/stores.js"
export { createSessions } from "./fetch.js"

export const createSession: typeof node.createSession = /*#__PURE__*/ createSessionOver(platform, {
  login: async (session, run, options = {}) => {
    const { navigate } = options
    const page = { ...options, navigate: navigate && ((url: URL) => Effect.promise(async () => navigate(url))) }
    await run(redirect(session, page, ["openBrowser", "onUrl", "paste", "host", "signal"]))
    return new Promise<never>(() => undefined)
  },
  resume: (session, run) => run(Effect.map(resume(session), Option.getOrUndefined))
})

export const fileTokenStore: typeof node.fileTokenStore = needs(
  "Node",
  "fileTokenStore",
  "use sessionTokenStore or localTokenStore"
)
