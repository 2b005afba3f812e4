/**
 * How the transports of this package name the client.
 */

/** With the version in package.json; a test compares them. */
export const userAgent = "catalog-client/0.1.0"
