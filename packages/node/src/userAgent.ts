/**
 * The `User-Agent` of this package's transports.
 */

/** With the version in package.json; a test compares them. */
export const userAgent = "catalog-client/0.1.0"
