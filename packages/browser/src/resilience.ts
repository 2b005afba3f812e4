/**
 * The policies of `Resilience`, each bundled by itself: all of `@catalog-client/core/resilience`.
 *
 * @since 0.2.0
 */
export * from "@catalog-client/core/resilience"
