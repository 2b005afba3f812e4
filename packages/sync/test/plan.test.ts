// Not over the bundle: it calls nothing of `catalog-client`.
import { Sync } from "@catalog-client/sync"
import { Effect, FastCheck as fc, Schema } from "effect"
import { describe, expect, test } from "vitest"

const { describe: describePlan, plan } = Sync

/** An entry of 12 episodes, `watching` 5 unless a row says otherwise. */
const anime: Sync.Entry = { id: 1, status: "watching", num_episodes_watched: 5, num_episodes: 12 }
const manga: Sync.Entry = {
  id: 1,
  status: "reading",
  num_chapters_read: 10,
  num_volumes_read: 3,
  num_chapters: 0,
  num_volumes: 0
}
const again = (watched: number) => ({ status: "completed", is_rewatching: true, num_episodes_watched: watched })

type Current = Omit<Sync.Entry, "id"> | null
/** Current, wanted, rules, and what is set, why nothing is, or what the problem says. */
const rows: ReadonlyArray<readonly [string, Current, Omit<Sync.Wanted, "id">, string, Sync.EntryMembers | string]> = [
  [
    "row 1: adds a title",
    null,
    { status: "watching", num_episodes_watched: 3 },
    "any",
    { status: "watching", num_episodes_watched: 3 }
  ],
  ["row 2: adds a title with a status", null, { score: 8 }, "any", { status: "plan_to_watch", score: 8 }],
  [
    "row 2: … that follows from the progress",
    null,
    { num_episodes_watched: 2 },
    "any",
    { status: "watching", num_episodes_watched: 2 }
  ],
  ["row 3: less progress", {}, { num_episodes_watched: 3 }, "forward", "nothing is taken away"],
  ["row 3: less progress", {}, { num_episodes_watched: 3 }, "replace", { num_episodes_watched: 3 }],
  [
    "row 4: limits progress to the total",
    {},
    { num_episodes_watched: 15 },
    "forward replace newer",
    { num_episodes_watched: 12 }
  ],
  [
    "row 5: … unless that is unknown",
    { num_episodes: 0 },
    { num_episodes_watched: 15 },
    "forward replace newer",
    { num_episodes_watched: 15 }
  ],
  [
    "row 6: completed is all of it",
    {},
    { status: "completed" },
    "forward replace newer",
    { status: "completed", num_episodes_watched: 12 }
  ],
  [
    "row 7: … if that is known",
    { num_episodes: 0 },
    { status: "completed" },
    "forward replace newer",
    { status: "completed" }
  ],
  [
    "row 8: a new round begins at 0",
    { status: "completed", num_episodes_watched: 12 },
    again(3),
    "forward",
    { is_rewatching: true, num_episodes_watched: 3 }
  ],
  [
    "row 9: a round is not taken back",
    again(5),
    { status: "completed", num_episodes_watched: 12, is_rewatching: false },
    "forward",
    "nothing is taken away"
  ],
  [
    "row 10: a round ends",
    again(11),
    { status: "completed", num_episodes_watched: 12, num_times_rewatched: 1, is_rewatching: false },
    "forward",
    { num_episodes_watched: 12, num_times_rewatched: 1, is_rewatching: false }
  ],
  [
    "row 11: completed stays",
    { status: "completed", num_episodes_watched: 12 },
    { status: "watching", num_episodes_watched: 12 },
    "forward",
    "nothing is taken away"
  ],
  [
    "row 12: on_hold stays",
    { status: "on_hold" },
    { status: "watching", num_episodes_watched: 5 },
    "forward",
    "nothing is taken away"
  ],
  ["row 12: on_hold stays", { status: "on_hold" }, { status: "plan_to_watch" }, "forward", "nothing is taken away"],
  [
    "row 13: progress takes dropped back",
    { status: "dropped" },
    { status: "watching", num_episodes_watched: 6 },
    "forward",
    { status: "watching", num_episodes_watched: 6 }
  ],
  ["row 14: rounds a score", { score: 9 }, { score: 8.5 }, "forward replace newer", "the list already has it"],
  ["row 14: … to 1 at least", { score: 9 }, { score: 0.2 }, "forward replace newer", { score: 1 }],
  ["row 15: no score", { score: 7 }, { score: 0 }, "forward", "nothing is taken away"],
  ["row 15: no score", { score: 7 }, { score: 0 }, "replace", { score: 0 }],
  [
    "row 16: a score of another scale",
    {},
    { score: 85 },
    "any",
    "! score is 85, but the service accepts a score of 0 to 10"
  ],
  ["row 17: no date", { start_date: "2020-01-01" }, { start_date: "0000-00-00" }, "forward", "nothing is taken away"],
  ["row 17: no date", { start_date: "2020-01-01" }, { start_date: "0000-00-00" }, "replace", { start_date: "" }],
  ...["2020-13-01", "2020-00-12", "2020-04-32", "12-04-2019"].map(
    (day) =>
      [
        "row 17: no day of a calendar",
        {},
        { finish_date: day },
        "any",
        `! finish_date is "${day}", but the service accepts a date such as 2026-04-03`
      ] as const
  ),
  [
    "row 18: a member that is absent",
    { start_date: "2020-01-01" },
    { num_episodes_watched: 5 },
    "forward replace newer",
    "the list already has it"
  ],
  [
    "row 19: a part of a date",
    { start_date: "2019-04" },
    { start_date: "2019-04-00" },
    "forward replace newer",
    "the list already has it"
  ],
  [
    "row 20: less of a date",
    { start_date: "2019-04-12" },
    { start_date: "2019-04" },
    "forward",
    "nothing is taken away"
  ],
  [
    "row 20: more of a date",
    { start_date: "2019-04" },
    { start_date: "2019-04-12" },
    "forward",
    { start_date: "2019-04-12" }
  ],
  [
    "row 21: tags are a set",
    { tags: ["b", "a"] },
    { tags: ["a, b", "a"] },
    "forward replace newer",
    "the list already has it"
  ],
  ["row 21: tags are added", { tags: ["b", "a"] }, { tags: ["c"] }, "forward", { tags: ["b", "a", "c"] }],
  [
    "row 22: times are instants",
    { updated_at: "2026-01-01T00:00:00+00:00" },
    { updated_at: "2026-01-01T09:00:00+09:00", score: 3 },
    "newer",
    "it is not newer"
  ],
  [
    "row 22: … in seconds",
    { updated_at: "2026-01-01T00:00:00+00:00" },
    { updated_at: "2026-01-01T00:00:00.9Z", score: 3 },
    "newer",
    "it is not newer"
  ],
  [
    "row 22: a later one",
    { updated_at: "2026-01-01T00:00:00+00:00" },
    { updated_at: "2026-01-01T00:00:01Z", score: 3 },
    "newer",
    { score: 3 }
  ],
  [
    "row 23: no time",
    { updated_at: "2026-01-01T00:00:00+00:00" },
    { updated_at: undefined, score: 3 },
    "newer",
    "! newer needs its updated_at"
  ],
  ["row 24: keep", {}, { num_episodes_watched: 9 }, "keep", "keep leaves what is listed"],
  [
    "row 29: a title that is a number is no total",
    { title: "6" },
    { title: "6", score: 8, start_date: "2021", tags: ["100"] },
    "forward replace newer",
    { score: 8, start_date: "2021", tags: ["100"] }
  ],
  [
    "row 25: a status of another service",
    {},
    { status: "considering" },
    "any",
    '! status is "considering", but the service accepts watching, completed, on_hold, dropped, plan_to_watch'
  ]
]

const later = "2026-06-01T00:00:00Z"

/** The list after a plan was applied; the service stores what it is sent. */
const applied = (current: ReadonlyMap<number, Sync.Entry>, { changes }: Sync.Plan): ReadonlyMap<number, Sync.Entry> => {
  const after = new Map(current)
  for (const { action, id, set } of changes) {
    if (action === "remove") {
      after.delete(id)
    } else {
      after.set(id, { ...(after.get(id) ?? { id }), ...set, updated_at: later })
    }
  }
  return after
}

const wantedOf = (entry: Omit<Sync.Wanted, "id">, rule: string): Sync.Wanted => ({
  id: 1,
  ...(rule === "newer" && { updated_at: later }),
  ...entry
})

describe("plan", () => {
  const cases = rows.flatMap(([title, current, wanted, rules, expected]) =>
    (rules === "any" ? ["forward", "replace", "keep", "newer"] : rules.split(" ")).map(
      (rule) => [title, rule as "forward", current, wantedOf(wanted, rule), expected] as const
    )
  )
  test.each(cases)("%s (%s)", (_, rule, listed, wanted, expected) => {
    const current = new Map(listed === null ? [] : [[1, { ...anime, ...listed }]])
    const options = { kind: "anime", wanted: [wanted], rule } as const
    const made = plan({ ...options, current })
    const [change] = made.changes
    const [problem] = made.problems
    expect(change?.set ?? (problem ? `! ${problem.reason}` : made.kept[0]?.reason)).toEqual(expected)
    expect(plan({ ...options, current: applied(current, made) }).changes).toEqual([])
    expect(JSON.parse(JSON.stringify(made.changes))).toEqual(made.changes)
  })

  test("row 26: one title twice, and one without an id, are problems that name all sources", () => {
    const wanted = [
      { id: 1, title: "one" },
      { id: 2, score: 5 },
      { id: 1, title: "other" },
      { id: undefined, title: "unknown" }
    ]
    const { changes, problems } = plan({ kind: "anime", current: new Map(), wanted })
    expect(changes.map(({ id }) => id)).toEqual([2])
    expect(problems).toEqual([
      { sources: [wanted[3]], reason: "it has no id" },
      { sources: [wanted[0], wanted[2]], reason: "2 entries have the id 1" }
    ])
  })

  const listOf = (...ids: ReadonlyArray<number>) => new Map(ids.map((id) => [id, { ...anime, id }]))
  const many = Array.from({ length: 100 }, (_, index) => index + 1)

  test.each([
    ["stays", [1, 2], [1], undefined, [], []],
    ["is removed", [1, 2], [1], true, [2], []],
    ["is removed, up to a tenth", many, many.slice(10), true, many.slice(0, 10), []],
    ["is removed, up to ten", many.slice(0, 20), many.slice(0, 10), true, many.slice(10, 20), []],
    [
      "stays if that is much",
      many,
      many.slice(11),
      true,
      [],
      ['11 of 100 entries would be removed: pass remove: "all" if that is what you want']
    ],
    ["is removed if that is much, too", many, [], "all" as const, many, []],
    [
      "stays while it could be one without an id",
      [1, 2],
      [1, undefined],
      true,
      [],
      ["it has no id", "nothing is removed, because a wanted entry has no id"]
    ]
  ])("row 27: what is not wanted %s", (_, listed, ids, remove, removed, reasons) => {
    const { changes, problems } = plan({
      kind: "anime",
      current: listOf(...listed),
      wanted: ids.map((id) => ({ id })),
      remove
    })
    expect(changes.map(({ action, id }) => (action === "remove" ? id : action))).toEqual(removed)
    expect(problems.map(({ reason }) => reason)).toEqual(reasons)
  })

  test("a wanted entry with a problem is not removed", () => {
    const made = plan({ kind: "anime", current: listOf(1), wanted: [{ id: 1, score: 85 }], remove: "all" })
    expect(made).toMatchObject({ changes: [], problems: [{}] })
  })

  test("row 28: chapters and volumes of manga grow each", () => {
    const wanted = [{ id: 1, num_chapters_read: 12, num_volumes_read: 1 }]
    expect(plan({ kind: "manga", current: new Map([[1, manga]]), wanted }).changes).toEqual([
      {
        id: 1,
        title: undefined,
        action: "update",
        set: { num_chapters_read: 12 },
        before: { num_chapters_read: 10 },
        notes: []
      }
    ])
  })

  test("a function is a rule: what it returns is written as the service takes it", () => {
    const rule = (current: Sync.Entry | undefined, { score = 0 }: Sync.Wanted) =>
      current?.score === 7 ? undefined : { score: score / 10, num_episodes_watched: 99 }
    const current = new Map([
      [1, anime],
      [2, { ...anime, id: 2, score: 7 }]
    ])
    const made = plan({ kind: "anime", current, wanted: [{ id: 1, score: 10 }, { id: 2 }], rule })
    expect(made.changes[0]?.set).toEqual({ score: 1, num_episodes_watched: 12 })
    expect(made.kept).toEqual([{ id: 2, title: undefined, reason: "the rule leaves it" }])
    const broken = () => {
      throw new RangeError("of the program")
    }
    expect(() => plan({ kind: "anime", current, wanted: [{ id: 1 }], rule: broken })).toThrow(RangeError)
  })

  test.each([
    ["both are as they were", { score: 5 }, { score: 5 }, "the wanted entry has not changed since base"],
    ["the list changed", { score: 6 }, { score: 5 }, "the wanted entry has not changed since base"],
    [
      "the wanted entry changed, even to less",
      { score: 5 },
      { score: 0, num_episodes_watched: 2 },
      { score: 0, num_episodes_watched: 2 }
    ],
    [
      "both changed: the rule decides",
      { score: 6, num_episodes_watched: 7 },
      { score: 0, num_episodes_watched: 8 },
      { num_episodes_watched: 8 }
    ],
    ["it was removed from the list", undefined, { score: 5 }, "it was removed from the list since base"],
    [
      "it was removed from the list, and the wanted entry changed",
      undefined,
      { score: 6 },
      { status: "watching", num_episodes_watched: 5, score: 6 }
    ],
    ["it is no longer wanted", { score: 5 }, undefined, "remove"],
    ["it is no longer wanted, and the list changed", { score: 6 }, undefined, "it has changed on the list since base"]
  ])("base: %s", (_, listed, wished, expected) => {
    const of = (members: object | undefined) => (members ? [{ ...anime, ...members }] : [])
    const current = new Map([...of(listed), { ...anime, id: 2 }].map((entry) => [entry.id, entry]))
    const base = new Map([[1, { ...anime, score: 5 }]])
    const { changes, kept } = plan({ kind: "anime", current, wanted: of(wished), base, remove: true })
    const [change] = changes
    const reason = kept.find(({ id }) => id === 1)?.reason
    expect(change?.action === "remove" ? "remove" : (change?.set ?? reason)).toEqual(expected)
    expect(kept.find(({ id }) => id === 2)?.reason).toBe("it was added to the list since base")
  })

  const members = fc.record(
    {
      status: fc.constantFrom("watching", "completed", "on_hold", "dropped", "plan_to_watch"),
      num_episodes_watched: fc.integer({ min: 0, max: 15 }),
      score: fc.constantFrom(0, 0.2, 5, 8.5, 10),
      start_date: fc.constantFrom("", "0000-00-00", "2019", "2019-04-00", "2019-04-12"),
      comments: fc.constantFrom("", "good"),
      is_rewatching: fc.boolean(),
      num_times_rewatched: fc.integer({ min: 0, max: 2 }),
      rewatch_value: fc.integer({ min: 0, max: 5 }),
      tags: fc.array(fc.constantFrom("a", "b", "a, c")),
      updated_at: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
    },
    { requiredKeys: ["updated_at"] }
  )
  const list = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 5 }), entry: members, total: fc.constantFrom(0, 12) }),
    {
      selector: ({ id }) => id
    }
  )
  const asMap = (entries: ReadonlyArray<{ id: number; entry: object; total?: number }>) =>
    new Map(entries.map(({ entry, id, total }) => [id, { status: "watching", ...entry, id, num_episodes: total }]))

  test("planned again after it was applied, nothing is left", () => {
    fc.assert(
      fc.property(
        list,
        list,
        fc.option(list, { nil: undefined }),
        fc.constantFrom<Array<Sync.Rule>>("forward", "replace", "keep", "newer"),
        fc.constantFrom<Array<boolean | "all">>(true, false, "all"),
        (listed, wishes, last, rule, remove) => {
          const current = asMap(listed)
          const wanted = wishes.map(({ entry, id }) => ({ ...entry, id }))
          const options = { kind: "anime", wanted, rule, remove } as const
          // Tags that both sides have changed can be joined to those of the base: the next plan settles that.
          const base = last && asMap(last.map(({ entry, ...rest }) => ({ ...rest, entry: { ...entry, tags: [] } })))
          const made = plan({ ...options, current, base })
          expect(made.problems).toEqual([])
          const after = applied(current, made)
          expect(plan({ ...options, current: after, base }).changes).toEqual([])
          if (rule === "forward" && last === undefined) {
            for (const { before, set } of made.changes.filter(({ action }) => action === "update")) {
              const isNewRound = set.is_rewatching !== undefined || set.num_times_rewatched !== undefined
              expect(isNewRound || (set.num_episodes_watched ?? 1) > (before.num_episodes_watched ?? 0)).toBe(true)
              expect(set.score === 0 || set.comments === "" || set.start_date === "").toBe(false)
            }
          }
        }
      ),
      {
        numRuns: 500,
        examples: [
          [
            // More than there are: the total has become less.
            [{ id: 5, entry: { num_episodes_watched: 13, updated_at: "2026-01-01T00:00:00Z" }, total: 12 }],
            [{ id: 5, entry: { status: "completed", updated_at: "2026-01-01T00:00:00Z" }, total: 0 }],
            undefined,
            "forward",
            true
          ]
        ]
      }
    )
  })

  test.each([
    [{ rules: "replace" }, 'plan has no option "rules": did you mean "rule"?'],
    [{ kind: "movies" }, 'plan: kind must be "anime" or "manga", but it is "movies"'],
    [{ rule: "theirs" }, 'plan: rule must be "forward", "replace", "keep", "newer" or a function, but it is "theirs"']
  ])("refuses %o", (options, message) => {
    expect(() => plan({ kind: "anime", current: new Map(), wanted: [], ...(options as object) })).toThrow(
      new TypeError(message)
    )
  })

  test.each([
    [{ num_watched_episodes: 3 }, "an entry of anime has no num_watched_episodes"],
    [{ num_chapters_read: 3 }, "an entry of anime has no num_chapters_read"]
  ])("%o is a problem: it would be lost", (entry, reason) => {
    expect(plan({ kind: "anime", current: new Map(), wanted: [{ id: 1, ...entry }] }).problems[0]?.reason).toBe(reason)
  })

  test.each(["constructor", "toString", "__proto__"])("a member %s says nothing", (name) => {
    const entry = JSON.parse(`{ "id": 1, "status": "watching", "${name}": 1 }`)
    const { changes, problems } = plan({ kind: "anime", current: new Map(), wanted: [entry] })
    expect([changes[0]?.set, problems]).toEqual([{ status: "watching" }, []])
  })

  test("is printed in lines", () => {
    const current = new Map([[1, { ...anime, title: "Haikyuu" }]])
    const wanted = [
      { id: 1, status: "completed", score: 8.5 },
      { id: 2, title: "Big Windup" },
      { id: undefined, title: "Ace" }
    ]
    expect(describePlan(plan({ kind: "anime", current, wanted }))).toBe(
      [
        'update 1 Haikyuu | status "watching" -> "completed", num_episodes_watched 5 -> 12, score 0 -> 9 | (num_episodes_watched: all 12, because it is completed) | (score: 8.5 becomes 9)',
        'add 2 Big Windup | status "plan_to_watch"',
        "problem: Ace: it has no id",
        "2 changes, 0 entries stay, 1 problem"
      ].join("\n")
    )
  })
})

const exported = `<?xml version="1.0" encoding="UTF-8" ?>
<!-- of the service --><myanimelist>
  <myinfo><user_name>me</user_name><user_export_type>1</user_export_type></myinfo>
  <anime>
    <series_animedb_id>1</series_animedb_id>
    <series_title><![CDATA[<b>Tom & Jerry</b>]]></series_title>
    <series_episodes>26</series_episodes>
    <my_watched_episodes>3</my_watched_episodes>
    <my_start_date>2019-04-00</my_start_date>
    <my_finish_date>0000-00-00</my_finish_date>
    <my_score>8</my_score>
    <my_status>Plan to Watch</my_status>
    <my_comments><![CDATA[a ]]]]><![CDATA[> b]]></my_comments>
    <my_times_watched>255</my_times_watched>
    <my_rewatch_value></my_rewatch_value>
    <my_priority>MEDIUM</my_priority>
    <my_tags>a&amp;b, c &#x2014;</my_tags>
    <my_rewatching>1</my_rewatching>
    <update_on_import>0</update_on_import>
  </anime>
  <anime><series_animedb_id>0</series_animedb_id><series_title/><my_status>On-Hold</my_status><my_score>x</my_score></anime>
</myanimelist>`

const fromXml = (text: string) => Effect.runSync(Sync.fromXml(text))

describe("fromXml", () => {
  test("reads an export of the service, whatever update_on_import says", () => {
    expect(fromXml(exported)).toEqual({
      kind: "anime",
      wanted: [
        {
          id: 1,
          title: "<b>Tom & Jerry</b>",
          num_episodes: 26,
          num_episodes_watched: 3,
          status: "plan_to_watch",
          score: 8,
          start_date: "2019-04-00",
          finish_date: "0000-00-00",
          comments: "a ]]> b",
          tags: ["a&b", " c —"],
          priority: 1,
          is_rewatching: true
        },
        { id: undefined, status: "on_hold", score: "x" }
      ]
    })
  })

  const oneOf = (elements: string) =>
    fromXml(`<myanimelist><anime><series_animedb_id>1</series_animedb_id>${elements}</anime></myanimelist>`)

  test.each([
    ["a decimal", "<my_score> 8.0 </my_score>", { score: 8 }],
    ["a number that is none", "<my_watched_episodes>1,000</my_watched_episodes>", { num_episodes_watched: "1,000" }],
    [
      "a number that JSON has not",
      "<my_watched_episodes>Infinity</my_watched_episodes>",
      { num_episodes_watched: "Infinity" }
    ],
    ["another notation", "<my_score>0x5</my_score>", { score: "0x5" }],
    ["a word of another service", "<my_rewatching>True</my_rewatching>", { is_rewatching: true }],
    [
      "entities of no document",
      "<my_comments>&toString;&nbsp;&amp;lt;</my_comments>",
      { comments: "&toString;&nbsp;&lt;" }
    ]
  ])("reads %s as it is meant", (_, elements, members) => {
    expect(oneOf(elements).wanted).toEqual([{ id: 1, ...members }])
  })

  test.each(["1e3", "0x10", "abc", "0"])("reads no id from %s", (id) => {
    const text = `<anime><series_animedb_id>${id}</series_animedb_id></anime>`
    expect(fromXml(text).wanted).toEqual([{ id: undefined }])
  })

  test("says what a number is that it cannot read", () => {
    const { problems } = plan({ ...oneOf("<my_score>8,5</my_score>"), current: new Map() })
    expect(problems[0]?.reason).toBe('score is "8,5", but the service accepts a score of 0 to 10')
  })

  test("reads manga", () => {
    const entry =
      "<manga_mangadb_id>2</manga_mangadb_id><my_read_chapters>5</my_read_chapters><my_status>Reading</my_status>"
    const { kind, wanted } = fromXml(`<myanimelist><manga>${entry}</manga></myanimelist>`)
    expect([kind, wanted]).toEqual(["manga", [{ id: 2, num_chapters_read: 5, status: "reading" }]])
    expect(plan({ kind, wanted, current: new Map() }).problems).toEqual([])
  })

  test.each([
    ["", "it has no element anime, manga or myinfo"],
    ["<html><body>Sign in</body></html>", "it has no element anime, manga or myinfo"],
    ["<myanimelist><anime></anime><manga></manga></myanimelist>", "it is a list of anime, but it has an element manga"],
    ["<myanimelist><anime></anime>\n", "the file is cut off: its element myanimelist does not end"],
    ['<myanimelist version="1"><anime></anime><anime><my_comments><![CDATA[</myanimelist>', "the file is cut off"]
  ])("refuses %j", (text, reason) => {
    const error = Effect.runSync(Effect.flip(Sync.fromXml(text)))
    expect(error).toBeInstanceOf(Sync.InvalidExport)
    expect(error.message).toContain(reason)
  })

  const size = 1_000_000
  test.each([
    ["open brackets", "<".repeat(size)],
    ["open sections", "<![CDATA[".repeat(size / 10)],
    ["open comments", "<!--".repeat(size / 10)],
    ["ampersands", `<anime><my_tags>${"&".repeat(size)}</my_tags></anime>`],
    ["nested elements", "<a>".repeat(size / 4)],
    [
      "entities of its own",
      `<!DOCTYPE x [<!ENTITY a "${"b".repeat(size)}">]><anime><my_comments>&a;&a;</my_comments></anime>`
    ]
  ])("takes no longer for a million %s", (_, text) => {
    const start = performance.now()
    Effect.runSync(Effect.ignore(Sync.fromXml(text)))
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe("PlanSchema", () => {
  const decode = Schema.decodeUnknownSync(Sync.PlanSchema)
  const made = plan({
    kind: "anime",
    current: new Map([
      [1, { ...anime, title: "Cowboy Bebop", tags: ["a"] }],
      [2, { ...anime, id: 2 }]
    ]),
    wanted: [
      { id: 1, score: 8.5, tags: ["b"] },
      { id: 3, title: "Monster", status: "plan_to_watch" },
      { id: undefined, title: "Unknown here", score: 1 },
      { id: 4, ...({ score: "x", shelf: { row: 1 } } as object) }
    ],
    remove: "all"
  })

  test("reads a plan that was stored, and writes it", () => {
    const stored: unknown = JSON.parse(JSON.stringify(made))
    expect(made).toMatchObject({ changes: [{ id: 1 }, { id: 3 }], problems: [{}, {}, {}] })
    expect(decode(stored)).toEqual(stored)
    expect(JSON.parse(JSON.stringify(Schema.encodeSync(Sync.PlanSchema)(made)))).toEqual(stored)
    expect(Sync.undo(decode(stored))).toEqual(JSON.parse(JSON.stringify(Sync.undo(made))))
  })

  test.each([
    ["anime", anime],
    ["manga", manga]
  ] as const)("keeps every member of an entry of %s that is removed", (kind, entry) => {
    const removal = plan({ kind, current: new Map([[1, entry]]), wanted: [], remove: true })
    expect(Object.keys(removal.changes[0]?.before ?? {})).toHaveLength(kind === "anime" ? 11 : 12)
    expect(decode(removal)).toEqual(removal)
  })

  test.each([
    ["something else", []],
    ["a plan of another version", { ...made, version: 2 }],
    ["a list that there is not", { ...made, kind: "Anime" }],
    ["an action that there is not", { ...made, changes: [{ ...made.changes[0], action: "set" }] }],
    ["a number that is a string", { ...made, changes: [{ ...made.changes[0], set: { score: "8" } }] }],
    ["a change without an id", { ...made, changes: [{ ...made.changes[0], id: undefined }] }]
  ])("refuses %s", (_, stored) => {
    expect(() => decode(stored)).toThrow()
  })
})
