/**
 * The operations on the forum, for `createCatalogOf`. Written by the build, from those of core.
 */
import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/generated/forum.js"

/** Reads all boards: `catalog.forum.boards`. */
export const boards: CatalogOperation<"forum.boards"> = operations.boards

/** Reads topics: `catalog.forum.topics`. */
export const topics: CatalogOperation<"forum.topics"> = operations.topics

/** Reads one topic with a page of its posts: `catalog.forum.topic`. */
export const topic: CatalogOperation<"forum.topic"> = operations.topic
