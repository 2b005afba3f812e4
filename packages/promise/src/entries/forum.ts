import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/forum.js"

/** Reads all boards: {@link ForumOperations.boards}. */
export const boards: CatalogOperation<"forum.boards"> = operations.boards

/** Reads topics: {@link ForumOperations.topics}. */
export const topics: CatalogOperation<"forum.topics"> = operations.topics

/** Reads one topic with a page of its posts: {@link ForumOperations.topic}. */
export const topic: CatalogOperation<"forum.topic"> = operations.topic
