/**
 * The subpath `sync`, with a journal in a file.
 */
export * from "../../sync.js"
export { fileJournal } from "#sync/node/fileJournal.js"
