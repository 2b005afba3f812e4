/**
 * The forum of the sample: boards, their topics, and one topic with several pages of posts.
 *
 * @since 0.2.0
 */
import type { BoardRecord, Dataset, TopicRecord } from "../Dataset.js"
import { moment } from "./names.js"
import { userId } from "./users.js"

const board = (
  id: number,
  title: string,
  description: string,
  subboards: BoardRecord["subboards"] = []
): BoardRecord => ({
  id,
  title,
  description,
  subboards
})

/** The boards, by category. */
export const sampleCategories = (): Dataset["categories"] => [
  {
    title: "About the Catalog",
    boards: [
      board(1, "News & Updates", "Changes to the catalog, its lists and its rules.", [
        { id: 101, title: "Release Notes" },
        { id: 102, title: "Maintenance" }
      ]),
      board(2, "Help & Suggestions", "Questions about the site, and wishes.", [
        { id: 103, title: "Wrong Data" },
        { id: 104, title: "Apps & Scripts" }
      ]),
      board(3, "Contests", "Challenges, bingos and their winners.")
    ]
  },
  {
    title: "Anime & Manga",
    boards: [
      board(4, "Anime Discussion", "Everything that moves.", [
        { id: 105, title: "Series" },
        { id: 106, title: "Seasons/Previews" }
      ]),
      board(5, "Manga Discussion", "Everything that does not.", [
        { id: 107, title: "Series" },
        { id: 108, title: "Light Novels" }
      ]),
      board(6, "Recommendations", "Tell us what you liked, and others will know more of it.")
    ]
  },
  {
    title: "General",
    boards: [
      board(7, "Introductions", "Say hello — こんにちは — bonjour."),
      board(8, "Creative Corner", "Drawings, stories, covers, cakes."),
      board(9, "Off Topic", "What belongs nowhere else.")
    ]
  }
]

const { boardKeeper, firstDay, noeEte, paperLantern, plainProfile, quietShelf, sampleReader } = userId
const writers = [paperLantern, noeEte, sampleReader, plainProfile, boardKeeper, quietShelf]

const signatures: ReadonlyArray<readonly [user: number, signature: string]> = [
  [sampleReader, "[b]Reading:[/b] [url=https://lists.example/sample_reader]my list[/url]\n[i]one chapter more[/i]"],
  [paperLantern, "[center][img]https://images.example/signatures/lantern.png[/img]\n灯りを消さないで[/center]"],
  [noeEte, "[color=#0a7]« l'été / the summer »[/color]"],
  [boardKeeper, "[size=80][url=https://rules.example/forum]Rules[/url] · be kind[/size]"]
]

const openings = [
  "I have just finished this and cannot sleep",
  "Unpopular opinion, perhaps",
  "A small thing that I noticed only today",
  "For those who watch it with subtitles",
  "Coming back to this after a year",
  "Quick question/answer round",
  "As somebody who read the original first",
  "Mon avis, très court"
] as const
const middles = [
  "the music does half of the work here",
  "the third episode decides whether you stay",
  "nobody draws rain like this studio",
  "the side characters deserve their own series",
  "it is [i]slower[/i] than I remembered, and better for it",
  "the pacing breaks down after the second arc",
  "I keep returning to the scene on the bridge (橋のシーン)",
  "every chapter ends one page too early",
  "the dub &amp; the original differ in one important line",
  "you can skip the recap/summary without regret",
  "it took me [b]three[/b] attempts to get into"
] as const
const endings = [
  "What do you think?",
  "I may be alone with that.",
  "Please mark spoilers.",
  "また来週！",
  "See [url=https://wiki.example/a/b?c=d&amp;e=f]this page[/url] for the details.",
  "Anyway, 8/10.",
  "Merci d&#039;avance — à bientôt."
] as const

const word = (list: ReadonlyArray<string>, i: number): string => list[i % list.length] ?? ""

/** The text of the i-th post of a topic: BBCode, with line breaks and entities of HTML, as live. The three lists have lengths without a common divisor, so that it rarely repeats. */
const say = (topic: number, i: number): string => {
  const text = `${word(openings, topic + i)}: ${word(middles, topic * 3 + i)}. ${word(endings, topic * 5 + i)}`
  if (i % 9 === 4) {
    return `[quote][b]#${i}[/b] said: ${word(middles, topic * 3 + i - 1)}[/quote]<br />\n${text}`
  }
  return i % 4 === 3 ? `${text}<br />\n<br />\nPost no. ${i + 1} / ${topic}` : text
}

type Row = readonly [
  title: string,
  board: number,
  subboard: number | undefined,
  author: number,
  posts: number,
  first: string
]

/** The ids of topics, by their special property. */
export const topicId = {
  /** Has more posts than fit on a page. */
  long: 2_000_005,
  /** Is closed to new posts. */
  locked: 2_000_001,
  /** Has a poll. */
  poll: 2_000_009
} as const

const rows: ReadonlyArray<Row> = [
  ["Rules of this forum (read first)", 1, undefined, boardKeeper, 1, "2019-01-05T10:00:00Z"],
  ["Hello from Recife!", 7, undefined, plainProfile, 6, "2020-04-02T13:20:00Z"],
  ["Which score do you give to something you dropped?", 4, undefined, paperLantern, 14, "2021-03-14T20:11:30Z"],
  ["Land of the Lustrous: the ending [spoilers]", 5, 107, noeEte, 19, "2024-04-25T18:05:00Z"],
  ["The longest thread: what are you watching right now?", 4, 105, paperLantern, 240, "2024-06-01T08:00:00Z"],
  ["進撃の巨人 / Attack on Titan — favourite opening", 4, 105, sampleReader, 12, "2024-07-12T21:40:00Z"],
  ["Partial dates: how do I enter only a year?", 2, undefined, plainProfile, 5, "2024-08-03T07:15:00Z"],
  ["Wrong episode count for Diamond no Ace: Second Season", 2, 103, sampleReader, 4, "2024-08-20T11:00:00Z"],
  ["Poll: best baseball series", 4, 105, sampleReader, 23, "2024-09-01T09:30:00Z"],
  ["Scheduled maintenance on Sunday", 1, 102, boardKeeper, 2, "2024-09-14T06:00:00Z"],
  ["Something like Mushishi?", 6, undefined, noeEte, 11, "2024-10-02T19:45:10Z"],
  ["Something like Steins;Gate, but shorter", 6, undefined, quietShelf, 9, "2024-10-19T23:59:59Z"],
  ["Autumn reading challenge 2024", 3, undefined, boardKeeper, 27, "2024-10-20T00:00:00Z"],
  ["My script exports a list as CSV/JSON", 2, 104, plainProfile, 16, "2024-11-11T11:11:11Z"],
  ["Winter 2025 preview/Vorschau", 4, 106, paperLantern, 31, "2024-12-15T15:15:00Z"],
  ["Vinland Saga: where to begin after the second season", 5, 107, sampleReader, 7, "2025-01-04T16:32:00Z"],
  ["Spice & Wolf: reading order of the novels", 5, 108, noeEte, 8, "2025-02-02T14:00:00Z"],
  ["Release notes, March", 1, 101, boardKeeper, 3, "2025-03-01T09:00:00Z"],
  ["I baked the bread from Delicious in Dungeon", 8, undefined, plainProfile, 13, "2025-03-22T17:08:00Z"],
  ["Fan art: Frieren et la neige", 8, undefined, noeEte, 10, "2025-04-10T20:20:20Z"],
  ["Spring 2025: what to keep, what to drop", 4, 106, paperLantern, 35, "2025-04-21T12:00:00Z"],
  ["Manhwa for people who only read manga", 5, undefined, quietShelf, 6, "2025-06-08T05:05:05Z"],
  ["Your oldest entry (1970s and before)", 4, undefined, boardKeeper, 18, "2025-07-19T10:10:00Z"],
  ["What did you eat today? / 今日のご飯", 9, undefined, sampleReader, 44, "2025-08-30T18:30:00Z"],
  ["Release notes, October", 1, 101, boardKeeper, 2, "2025-10-01T09:00:00Z"],
  ["Hunter x Hunter: back again?", 5, 107, paperLantern, 21, "2025-11-03T03:00:00Z"],
  ["Winter 2026 impressions", 4, 106, sampleReader, 17, "2026-01-12T22:00:00Z"],
  ["Frieren, second season: the quiet episodes", 4, 105, noeEte, 9, "2026-01-30T15:30:00Z"],
  ["New here, where do I start?", 7, undefined, firstDay, 3, "2026-02-14T23:10:00Z"]
]

const poll: NonNullable<TopicRecord["poll"]> = {
  id: 3_001,
  question: "Which baseball series should a beginner watch first?",
  closed: false,
  options: [
    { id: 1, text: "Diamond no Ace", votes: 182 },
    { id: 2, text: "Ookiku Furikabutte", votes: 121 },
    { id: 3, text: "Major", votes: 97 },
    { id: 4, text: "Touch / タッチ", votes: 64 },
    { id: 5, text: "Cross Game", votes: 133 }
  ]
}

/** The topics, oldest first. Ids of topics grow with time, and so do those of the posts within a topic. */
export const sampleTopics = (): ReadonlyArray<TopicRecord> => {
  const signatureOf = new Map(signatures)
  let post = 5_000_000
  return rows.map(([title, board_id, subboard_id, author, count, first], t): TopicRecord => {
    const id = 2_000_001 + t
    const start = Date.parse(first) / 1_000
    // About twenty minutes between posts, half a day in a topic that goes on for months.
    const pause = count > 100 ? 41_000 : 1_300
    const posts = Array.from({ length: count }, (_, i) => {
      const created_by = i === 0 ? author : (writers[(i * 5 + t) % writers.length] ?? author)
      return {
        id: ++post,
        created_at: moment(start + i * pause + ((i * 7_919) % 600)),
        created_by,
        body: say(t + 1, i),
        signature: signatureOf.get(created_by) ?? ""
      }
    })
    return {
      id,
      board_id,
      ...(subboard_id === undefined ? {} : { subboard_id }),
      title,
      created_at: moment(start),
      created_by: author,
      is_locked: id === topicId.locked,
      posts,
      ...(id === topicId.poll ? { poll } : {})
    }
  })
}
