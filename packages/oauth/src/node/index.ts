/**
 * Signing in on Node: all of `@catalog-client/oauth`, a store of tokens in a file, and a sign-in with the user's browser.
 *
 * @since 0.2.0
 */
export * from "../index.js"
export { fileTokenStore, layerFile } from "./fileStore.js"
export * as Login from "./Login.js"
export type { LoginOptions } from "./loopback.js"
