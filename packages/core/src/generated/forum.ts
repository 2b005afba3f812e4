/**
 * The operations on the forum as separate exports: a bundle contains only what it imports. Written by the build.
 *
 * @since 0.2.0
 */
export { boards, topic, topics } from "../forum.js"
export type { ForumOperations, TopicParams, TopicsParams } from "../forum.js"
