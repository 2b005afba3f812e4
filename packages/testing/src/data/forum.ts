/**
 * The topics of the forum of the sample, one of them with several pages of posts.
 *
 * @since 0.2.0
 */
import type { TopicRecord } from "../Dataset.js"
import { moment } from "./names.js"
import { forum } from "./sample.js"
import { userId } from "./users.js"

const word = (list: ReadonlyArray<string>, i: number): string => list[i % list.length] ?? ""

/** The text of the i-th post of a topic: BBCode, with line breaks and entities of HTML, as live. */
const say = (topic: number, i: number): string => {
  const { endings, middles, openings } = forum
  const text = `${word(openings, topic + i)}: ${word(middles, topic * 3 + i)}. ${word(endings, topic * 5 + i)}`
  if (i % 9 === 4) {
    return `[quote][b]#${i}[/b] said: ${word(middles, topic * 3 + i - 1)}[/quote]<br />\n${text}`
  }
  return i % 4 === 3 ? `${text}<br />\n<br />\nPost no. ${i + 1} / ${topic}` : text
}

/** The ids of topics, by their special property. */
export const topicId = {
  /** Has more posts than fit on a page. */
  long: 2_000_005,
  /** Is closed to new posts. */
  locked: 2_000_001,
  /** Has a poll. */
  poll: 2_000_009
} as const

/** The topics, oldest first. Ids of topics grow with time, and so do those of the posts within a topic. */
export const sampleTopics = (): ReadonlyArray<TopicRecord> => {
  const { poll, signatures, topics, writers } = forum
  let post = 5_000_000
  return topics.map(({ author, board, first, posts: count, subboard, title }, t): TopicRecord => {
    const id = 2_000_001 + t
    const start = Date.parse(first) / 1_000
    // About twenty minutes between posts, half a day in a topic that goes on for months.
    const pause = count > 100 ? 41_000 : 1_300
    const posts = Array.from({ length: count }, (_, i) => {
      const writer = i === 0 ? author : (writers[(i * 5 + t) % writers.length] ?? author)
      return {
        id: ++post,
        created_at: moment(start + i * pause + ((i * 7_919) % 600)),
        created_by: userId[writer],
        body: say(t + 1, i),
        signature: signatures[writer] ?? ""
      }
    })
    return {
      id,
      board_id: board,
      ...(subboard === undefined ? {} : { subboard_id: subboard }),
      title,
      created_at: moment(start),
      created_by: userId[author],
      is_locked: id === topicId.locked,
      posts,
      ...(id === topicId.poll ? { poll } : {})
    }
  })
}
