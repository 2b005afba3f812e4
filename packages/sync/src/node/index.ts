/**
 * All of `@catalog-client/sync`, and a journal in a file.
 *
 * @since 0.2.0
 */
export * from "../index.js"
export { fileJournal } from "./fileJournal.js"
