/**
 * `@catalog-client/core/guards` for the tests that run against `catalog-client`.
 */
export * from "catalog-client"
