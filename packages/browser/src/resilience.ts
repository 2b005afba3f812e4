/**
 * The policies of `Resilience`, each bundled by itself: all of `@catalog-client/core/resilience`.
 *
 * @since 0.1.0
 */
export * from "@catalog-client/core/resilience"
