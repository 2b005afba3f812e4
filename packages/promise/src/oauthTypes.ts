/**
 * The subpath `oauth`, for its declarations: as on Node, with the stores that only a page has.
 */
export * from "./entries/oauth/node.js"
export { localTokenStore, sessionTokenStore } from "#oauth/browser/stores.js"
