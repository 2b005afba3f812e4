/**
 * `@catalog-client/oauth/node` for the tests that run against `catalog-client`.
 */
export { Login } from "@catalog-client/oauth/node"
export { fileTokenStore } from "catalog-client/oauth"
export * from "./oauth.js"
