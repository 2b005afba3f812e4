/** The records of replies, by the names that endpoints give. */
import { itemReplies } from "./items.js"
import * as records from "./records.js"

export const replies = { ...records.replies, ...itemReplies() }
