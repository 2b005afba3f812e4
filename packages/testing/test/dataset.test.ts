import { createCatalog } from "catalog-client"
import * as Schemas from "@catalog-client/core/schemas"
import {
  animeListOf,
  dataset,
  EmbeddedCatalog,
  generatedAnime,
  generatedManga,
  mangaListOf,
  sample
} from "@catalog-client/testing"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { start } from "./service.js"
import { isFull } from "../../core/test/support/full.js"

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/

const isDate = (text: string): boolean => {
  if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(text)) {
    return false
  }
  const whole = text + "-01-01".slice(text.length - 4)
  return new Date(`${whole}T00:00:00Z`).toISOString().startsWith(whole)
}

/** Checks two dates of which each can be missing. */
const expectDates = (start: string | undefined, end: string | undefined): void => {
  for (const date of [start, end]) {
    expect(date === undefined || isDate(date), date).toBe(true)
  }
  expect(end === undefined || end >= (start ?? "")).toBe(true)
}

const expectUnique = (values: ReadonlyArray<unknown>): void => expect(new Set(values).size).toBe(values.length)

const { anime, categories, manga, topics, users } = sample()
const byId = {
  anime: new Map(anime.map((item) => [item.id, item])),
  manga: new Map(manga.map((item) => [item.id, item]))
}

/** A row of sample.json, which no compiler checks. */
interface Row {
  readonly title: string
  readonly genres: ReadonlyArray<string>
  readonly studios?: ReadonlyArray<string>
  readonly magazine?: string
  readonly authors?: ReadonlyArray<readonly [name: string]>
}

type Table = Readonly<Record<string, unknown>>

interface Rows {
  readonly genres: { readonly both: Table; readonly anime: Table; readonly manga: Table }
  readonly studios: Table
  readonly magazines: Table
  readonly people: Table
  readonly anime: ReadonlyArray<Row>
  readonly manga: ReadonlyArray<Row>
}

describe("the rows of sample.json", () => {
  const rows = JSON.parse(readFileSync("packages/testing/src/data/sample.json", "utf8")) as Rows
  const { genres, magazines, people, studios } = rows
  const ofAll = "id title synopsis en ja synonyms type status nsfw genres score users"

  /** What an endpoint returns: the test of the endpoint compares it. */
  const isRows = (value: unknown) =>
    Array.isArray(value) && value.every((row) => typeof row === "object" && !Array.isArray(row))

  test.each([
    ["anime", `${ofAll} aired season episodes minutes airs source rating background studios openings endings`],
    ["manga", `${ofAll} published volumes chapters authors magazine`]
  ] as const)("name only what exists, in members that %s have", (kind, members) => {
    const wrong = rows[kind].flatMap((row) => {
      const { authors = [], magazine = [], studios: ofRow = [], title } = row
      const named = [
        [row.genres, { ...genres.both, ...genres[kind] }],
        [ofRow, studios],
        [[magazine].flat(), magazines],
        [authors.map(([name]) => name), people],
        [
          Object.keys(row).filter((name) => !isRows(row[name as keyof typeof row])),
          Object.fromEntries(members.split(" ").map((name) => [name, true]))
        ]
      ] as const
      return named
        .flatMap(([names, table]) => names.filter((name) => !(name in table)))
        .map((name) => `${title}: ${name}`)
    })
    expect(wrong).toEqual([])
  })

  test("have tables of names that are all used", () => {
    const works = [...rows.anime, ...rows.manga]
    const used = new Set(
      works.flatMap(({ authors = [], genres, magazine = [], studios = [] }) => [
        ...genres,
        ...studios,
        ...[magazine].flat(),
        ...authors.map(([name]) => name)
      ])
    )
    const names = [genres.both, genres.anime, genres.manga, studios, magazines, people].flatMap(Object.keys)
    expect(names.filter((name) => !used.has(name))).toEqual([])
  })
})

describe("the works", () => {
  test("are many, and each has its own id, rank and popularity", () => {
    for (const [items, least] of [
      [anime, 62],
      [manga, 42]
    ] as const) {
      expectUnique(items.map(({ id }) => id))
      expectUnique(items.flatMap(({ rank }) => rank ?? []))
      expectUnique(items.flatMap(({ popularity }) => popularity ?? []))
      const real = items.filter(({ id }) => id < sample.firstGeneratedId)
      expect(real.length).toBeGreaterThanOrEqual(least)
      expectUnique(real.map(({ synopsis }) => synopsis))
    }
  })

  test("use the service's words and dates", () => {
    for (const item of [...anime, ...manga]) {
      expect(Schemas.Nsfw.words).toContain(item.nsfw)
      expect(item.created_at).toMatch(moment)
      expect(item.updated_at).toMatch(moment)
      expectDates(item.start_date, item.end_date)
      expectUnique(item.genres.map(({ id }) => id))
      expect(item.mean === undefined).toBe(item.rank === undefined)
      expect(item.num_scoring_users).toBeLessThanOrEqual(item.num_list_users)
    }
    for (const { broadcast, end_date, media_type, num_episodes, rating, source, start_season, status } of anime) {
      expect(Schemas.AnimeStatus.words).toContain(status)
      expect(Schemas.AnimeMediaType.words).toContain(media_type)
      expect([...Schemas.Source.words, undefined]).toContain(source)
      expect([...Schemas.Rating.words, undefined]).toContain(rating)
      expect([...Schemas.Season.words, undefined]).toContain(start_season?.season)
      expect([...Schemas.DayOfTheWeek.words, undefined]).toContain(broadcast?.day_of_the_week)
      expect(broadcast?.start_time ?? "00:00").toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
      expect(status === "finished_airing" ? num_episodes > 0 : end_date === undefined).toBe(true)
    }
    for (const item of manga) {
      expect(Schemas.MangaStatus.words).toContain(item.status)
      expect(Schemas.MangaMediaType.words).toContain(item.media_type)
      expect(item.created_at).toBe("1970-01-01T00:00:00+00:00")
      expect(item.authors.length).toBeGreaterThan(0)
    }
  })

  test("refer to works that exist, in both directions", () => {
    const inverse: Readonly<Record<string, string>> = {
      sequel: "prequel",
      prequel: "sequel",
      side_story: "parent_story",
      parent_story: "side_story",
      summary: "full_story",
      full_story: "summary"
    }
    let edges = 0
    for (const kind of ["anime", "manga"] as const) {
      for (const item of byId[kind].values()) {
        for (const relation of item.related) {
          edges += 1
          expect(Schemas.RelationType.words).toContain(relation.relation_type)
          expect(relation.kind === kind && relation.id === item.id).toBe(false)
          expect(byId[relation.kind].get(relation.id)?.related).toContainEqual({
            kind,
            id: item.id,
            relation_type: inverse[relation.relation_type] ?? relation.relation_type
          })
        }
        expectUnique(item.related.map(({ id, kind: of }) => `${of}/${id}`))
        expectUnique(item.recommendations.map(({ id }) => id))
        for (const { id } of item.recommendations) {
          expect(byId[kind].has(id) && id !== item.id, `${kind} ${item.id} → ${id}`).toBe(true)
        }
      }
    }
    expect(edges).toBeGreaterThan(100)
  })
})

describe("the users", () => {
  test("have their special properties", () => {
    expectUnique(users.map(({ id }) => id))
    expectUnique(users.map(({ name }) => name))
    expect(users.length).toBeGreaterThanOrEqual(6)
    const userOf = (id: number) => users.find((user) => user.id === id)
    expect(userOf(sample.userId.sampleReader)?.name).toBe("sample_reader")
    expect(userOf(sample.userId.sampleReader)?.animeList).toHaveLength(350)
    expect(userOf(sample.userId.sampleReader)?.mangaList).toHaveLength(240)
    expect(userOf(sample.userId.paperLantern)?.animeList.length).toBeGreaterThan(300)
    expect(userOf(sample.userId.quietShelf)?.private).toBe(true)
    expect(userOf(sample.userId.firstDay)).toMatchObject({ animeList: [], mangaList: [] })
    const plain = Object.keys(userOf(sample.userId.plainProfile) ?? {})
    expect(plain.filter((name) => ["picture", "gender", "birthday"].includes(name))).toEqual([])
    for (const { birthday, joined_at } of users) {
      expect(joined_at).toMatch(moment)
      expectDates(birthday, undefined)
    }
  })

  test("keep lists that agree with the works", () => {
    for (const { animeList, mangaList } of users) {
      for (const list of [animeList, mangaList]) {
        expectUnique(list.map(({ id }) => id))
        for (const { finish_date, priority, score, start_date, updated_at } of list) {
          expect(Number.isInteger(score) && score >= 0 && score <= 10).toBe(true)
          expect([0, 1, 2]).toContain(priority)
          expectDates(start_date, finish_date)
          expect(updated_at).toMatch(moment)
          expect(updated_at < "2026-03").toBe(true)
        }
      }
      for (const { id, is_rewatching, num_episodes_watched: watched, rewatch_value, score, status } of animeList) {
        const item = byId.anime.get(id)
        expect(item).toBeDefined()
        expect(Schemas.AnimeListStatusValue.words).toContain(status)
        expect([0, 1, 2, 3, 4, 5]).toContain(rewatch_value)
        expect(!is_rewatching || status === "completed").toBe(true)
        expect(watched).toBeLessThanOrEqual(item?.num_episodes || Infinity)
        if (status === "completed") {
          expect([item?.status, item?.num_episodes]).toEqual(["finished_airing", watched])
        }
        if (status === "plan_to_watch") {
          expect([watched, score]).toEqual([0, 0])
        }
        expect(item?.status !== "not_yet_aired" || status === "plan_to_watch").toBe(true)
      }
      for (const { id, is_rereading, reread_value, score, status, ...entry } of mangaList) {
        const item = byId.manga.get(id)
        const read = [entry.num_chapters_read, entry.num_volumes_read]
        expect(item).toBeDefined()
        expect(Schemas.MangaListStatusValue.words).toContain(status)
        expect([0, 1, 2, 3, 4, 5]).toContain(reread_value)
        expect(!is_rereading || status === "completed").toBe(true)
        expect(entry.num_chapters_read).toBeLessThanOrEqual(item?.num_chapters || Infinity)
        expect(entry.num_volumes_read).toBeLessThanOrEqual(item?.num_volumes || Infinity)
        if (status === "completed") {
          expect(read).toEqual([item?.num_chapters, item?.num_volumes])
        }
        if (status === "plan_to_read") {
          expect([...read, score]).toEqual([0, 0, 0])
        }
      }
    }
    const entries = users.flatMap((user) => [...user.animeList, ...user.mangaList])
    expect(new Set(users.flatMap((user) => user.animeList.map(({ status }) => status))).size).toBe(5)
    expect(new Set(users.flatMap((user) => user.mangaList.map(({ status }) => status))).size).toBe(5)
    for (const length of [4, 7, 10]) {
      expect(entries.some(({ start_date }) => start_date?.length === length)).toBe(true)
    }
    expect(entries.some(({ tags }) => tags.length > 1)).toBe(true)
    expect(entries.some(({ comments }) => comments !== "")).toBe(true)
  })
})

describe("the forum", () => {
  test("has topics on existing boards, by existing users", () => {
    const boards = categories.flatMap((category) => category.boards)
    expectUnique(boards.flatMap(({ id, subboards }) => [id, ...subboards.map(({ id }) => id)]))
    expect(topics.length).toBeGreaterThanOrEqual(25)
    expectUnique(topics.map(({ id }) => id))
    expectUnique(topics.flatMap(({ posts }) => posts.map(({ id }) => id)))
    for (const { board_id, created_at, created_by, id, posts, subboard_id } of topics) {
      const board = boards.find(({ id }) => id === board_id)
      expect(board).toBeDefined()
      expect([undefined, ...(board?.subboards ?? []).map(({ id }) => id)]).toContain(subboard_id)
      expect(posts[0]).toMatchObject({ created_at, created_by })
      posts.forEach((post, i) => {
        const author = users.find(({ id }) => id === post.created_by)
        expect(post.created_at).toMatch(moment)
        expect(post.created_at < "2026-03").toBe(true)
        expect(author !== undefined && post.created_at > author.joined_at, `${id} ${post.created_at}`).toBe(true)
        const before = posts[i - 1] ?? { id: 0, created_at: "" }
        expect(post.id > before.id && post.created_at > before.created_at).toBe(true)
      })
    }
  })

  test("has a long topic, a locked one, one with a poll and some on subboards", () => {
    const topicOf = (id: number) => topics.find((topic) => topic.id === id)
    expect(topicOf(sample.topicId.long)?.posts.length).toBeGreaterThanOrEqual(230)
    expect(topics.filter(({ is_locked }) => is_locked).map(({ id }) => id)).toEqual([sample.topicId.locked])
    expect(topicOf(sample.topicId.poll)?.poll?.options.length).toBeGreaterThanOrEqual(4)
    expect(topics.filter(({ subboard_id }) => subboard_id !== undefined).length).toBeGreaterThan(5)
    const bodies = topics.flatMap(({ posts }) => posts.map(({ body }) => body))
    expect(bodies.some((body) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(body))).toBe(true)
    expect(topics.some(({ title }) => title.includes("/"))).toBe(true)
  })
})

describe("a data set of few records", () => {
  const catalogOf = (...given: Parameters<typeof dataset>) =>
    createCatalog({
      accessToken: "embedded-token",
      fetch: EmbeddedCatalog.fetch({ dataset: dataset(...given) })
    })

  test("has what a test names, and defaults for the rest", async () => {
    const catalog = catalogOf({
      anime: [{ id: 1, title: "One", num_episodes: 12 }],
      manga: [{ id: 1, title: "Eins", mean: 8.5 }],
      users: [{ name: "reader", animeList: [{ id: 1, num_episodes_watched: 3 }], mangaList: [{ id: 1 }] }]
    })
    const entry = { status: "plan_to_watch", num_episodes_watched: 3, score: 0 }
    expect(
      await catalog.anime.get({ id: 1 }, { fields: ["num_episodes", "media_type", "my_list_status"] })
    ).toMatchObject({ title: "One", num_episodes: 12, media_type: "tv", my_list_status: entry })
    expect(
      await catalog.user.mangaList.collect({ username: "@me" }, { max: 9, fields: ["mean", "list_status"] })
    ).toEqual([
      { node: { id: 1, title: "Eins", mean: 8.5 }, list_status: expect.objectContaining({ status: "plan_to_read" }) }
    ])
    expect((await catalog.user.me()).name).toBe("reader")
    expect((await catalog.forum.boards()).categories).toEqual([])
  })

  test("has by default the user of the default token, with an empty list", async () => {
    const catalog = catalogOf()
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(await catalog.user.animeList.collect({ username: "@me" }, { max: 9 })).toEqual([])
  })
})

describe("generated works", () => {
  test("are always the same, and more of them do not change the earlier ones", () => {
    expect(generatedAnime(30)).toEqual(generatedAnime(300).slice(0, 30))
    expect(generatedManga(30)).toEqual(generatedManga(300).slice(0, 30))
    expect(animeListOf(generatedAnime(30), 7)).toEqual(animeListOf(generatedAnime(30), 7))
    expect(animeListOf(generatedAnime(30), 7)).not.toEqual(animeListOf(generatedAnime(30), 8))
  })

  test("come in great numbers without a repeated id or title", () => {
    const started = process.cpuUsage()
    const size = isFull ? 200_000 : 40_000
    const many = generatedAnime(size)
    const list = animeListOf(many, 1)
    const { user, system } = process.cpuUsage(started)
    expectUnique(many.map(({ title }) => title))
    expectUnique(many.map(({ popularity }) => popularity))
    expectUnique(many.flatMap(({ rank }) => rank ?? []))
    expect(many.at(0)?.id).toBe(sample.firstGeneratedId)
    expect(list).toHaveLength(size)
    // 5 µs for a work; the bound is for a slow machine and catches a change of order.
    expect((user + system) / size).toBeLessThan(40)
    const volumes = generatedManga(2_000)
    expect(
      mangaListOf(volumes, 3).every((entry, i) => entry.num_volumes_read <= (volumes[i]?.num_volumes || Infinity))
    ).toBe(true)
    expect(new Set(many.slice(0, 300).map(({ start_season: s }) => `${s?.season} ${s?.year}`)).size).toBeGreaterThan(50)
  })
})

describe("the sample", () => {
  test("is a new object each time, which shares nothing with the last", async () => {
    const objectsIn = (value: unknown, found = new Set<object>()): ReadonlySet<object> => {
      if (typeof value !== "object" || value === null || found.has(value)) {
        return found
      }
      found.add(value)
      for (const member of Object.values(value)) {
        objectsIn(member, found)
      }
      return found
    }
    const [one, other] = [sample(), sample()]
    expect(one).toEqual(other)
    const seen = objectsIn(one)
    expect(seen.size).toBeGreaterThan(5_000)
    expect([...objectsIn(other)].filter((object) => seen.has(object)).length).toBe(0)
    // Nor does the service see what is done to it.
    Object.assign(one.anime[0] ?? {}, { title: "changed" })
    expect((await start().get("/anime/1")).body).toHaveProperty("title", "Cowboy Bebop")
    expect(sample().anime[0]).toEqual(other.anime[0])
  })
})
