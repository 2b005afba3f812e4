/** Calls of each tool, and clients that make them. */
import { Client } from "@modelcontextprotocol/client"
import { expect, onTestFinished } from "vitest"

export type Args = Readonly<Record<string, unknown>>

/** An array that has a record with these members. */
const having = (record: object): unknown => expect.arrayContaining([expect.objectContaining(record)])

/**
 * Each tool once, as `[name, input, a piece of its text, a piece of its structured content]`; the topic is one of the embedded
 * service.
 */
export const reads: ReadonlyArray<readonly [name: string, args: Args, text: string, structured: object]> = [
  [
    "search",
    { kind: "anime", q: "diamond no", limit: 2 },
    '30230: "Diamond no Ace: Second Season" (tv, 2015, 51 episodes, ',
    { rows: [{ id: 18689 }, { id: 30230, media_type: "tv", num_episodes: 51 }], more: true, next_offset: 2 }
  ],
  [
    "get",
    { kind: "manga", id: 2 },
    '2: "Berserk" (manga, 1989, ',
    { id: 2, title: "Berserk", genres: expect.arrayContaining([{ name: "Action" }]) }
  ],
  [
    "season",
    { year: 2017, season: "winter", sort: "anime_score", limit: 3 },
    "3 shown. There is more",
    { rows: [{}, {}, {}], next_offset: 3 }
  ],
  ["ranking", { kind: "manga", limit: 2 }, '#1 2: "Berserk"', { rows: [{ rank: 1, id: 2 }, { rank: 2 }] }],
  ["suggestions", { limit: 1 }, "1 shown. There is more", { rows: [{}], next_offset: 1 }],
  [
    "my_profile",
    {},
    "name=sample_reader",
    { name: "sample_reader", anime_statistics: { num_items: expect.any(Number) } }
  ],
  [
    "list",
    { kind: "anime", status: "watching", limit: 100 },
    "status=watching, score=8, num_episodes_watched=24",
    { rows: having({ list_status: expect.any(Object) }) }
  ],
  ["boards", {}, 'board_id 1: "News & Updates"', { categories: having({ boards: expect.any(Array) }) }],
  [
    "topics",
    { board_id: 4, limit: 1 },
    "1 shown. There is more",
    { rows: [{ id: expect.any(Number) }], next_offset: 1 }
  ],
  [
    "topic",
    { id: 2000029, limit: 2 },
    '"New here, where do I start?"\n#1 ',
    { title: "New here, where do I start?", polls: [], rows: [{ number: 1 }, { number: 2 }] }
  ]
]
export const writes: typeof reads = [
  [
    "set_list_status",
    { kind: "anime", entries: [{ id: 30230, num_watched_episodes: 25 }] },
    '"Diamond no Ace: Second Season"\n  before: status=watching, score=8, num_episodes_watched=24, ',
    {
      dry_run: false,
      entries: [{ before: { num_episodes_watched: 24 }, after: { status: "watching", num_episodes_watched: 25 } }]
    }
  ],
  [
    "remove_from_list",
    { kind: "manga", ids: [2] },
    "after: not on the list",
    { dry_run: false, entries: [{ id: 2, title: "Berserk" }] }
  ]
]

export interface Result {
  readonly text: string
  readonly isError: boolean
  readonly structured?: unknown
}

export const caller =
  (mcp: Client) =>
  async (name: string, args: Args = {}): Promise<Result> => {
    const { content, isError = false, structuredContent: structured } = await mcp.callTool({ name, arguments: args })
    const [only, ...others] = content
    expect(others).toEqual([])
    return { text: only?.type === "text" ? only.text : "", isError, ...(structured !== undefined && { structured }) }
  }

export const connected = async (transport: Parameters<Client["connect"]>[0]) => {
  const mcp = new Client({ name: "a-test", version: "1.0.0" })
  await mcp.connect(transport)
  onTestFinished(() => mcp.close())
  return { mcp, call: caller(mcp) }
}
