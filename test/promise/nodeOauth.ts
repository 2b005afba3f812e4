/**
 * `@catalog-client/node/oauth` for the tests that run against `catalog-client`.
 */
export { Login } from "@catalog-client/node/oauth"
export { fileTokenStore } from "catalog-client/oauth"
export * from "./oauth.js"
