/**
 * The subpath `sync`.
 */
export * from "../sync.js"
