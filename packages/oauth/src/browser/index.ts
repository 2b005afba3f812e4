/**
 * Signing in by OAuth 2.0 in a page: all of `@catalog-client/oauth`, with token stores of a page, and with a sign-in that
 * goes to the service and back.
 *
 * @since 0.2.0
 */
export * from "../index.js"
export * as Login from "./Login.js"
export type { LoginOptions } from "./pageSignIn.js"
export { layerLocalStorage, layerSessionStorage, localTokenStore, sessionTokenStore } from "./stores.js"
