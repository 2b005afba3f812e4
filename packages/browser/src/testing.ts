/**
 * The catalog service for tests, and a recorder of exchanges with a real one: all of `@catalog-client/core/testing`.
 *
 * @since 0.2.0
 */
export * from "@catalog-client/core/testing"
