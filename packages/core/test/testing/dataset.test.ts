import { createCatalog } from "@catalog-client/core"
import * as Models from "@catalog-client/core/models"
import {
  animeListOf,
  dataset,
  EmbeddedCatalog,
  generatedAnime,
  generatedManga,
  mangaListOf,
  sample
} from "@catalog-client/core/testing"
import { describe, expect, it } from "vitest"
import { start } from "./service.js"
import { isFull } from "../support/full.js"

/** The words that the client knows, from their records. */
const words = {
  season: Models.Season.words,
  animeStatus: Models.AnimeStatus.words,
  mangaStatus: Models.MangaStatus.words,
  animeType: Models.AnimeMediaType.words,
  mangaType: Models.MangaMediaType.words,
  source: Models.Source.words,
  rating: Models.Rating.words,
  nsfw: Models.Nsfw.words,
  relation: Models.RelationType.words,
  day: Models.DayOfTheWeek.words,
  animeList: Models.AnimeListStatusValue.words,
  mangaList: Models.MangaListStatusValue.words
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/

const isDate = (text: string): boolean => {
  if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(text)) {
    return false
  }
  const whole = text + "-01-01".slice(text.length - 4)
  return new Date(`${whole}T00:00:00Z`).toISOString().startsWith(whole)
}

const expectUnique = (values: ReadonlyArray<unknown>): void => expect(new Set(values).size).toBe(values.length)

const { anime, categories, manga, topics, users } = sample()
const realAnime = anime.filter(({ id }) => id < sample.firstGeneratedId)
const realManga = manga.filter(({ id }) => id < sample.firstGeneratedId)
const animeById = new Map(anime.map((item) => [item.id, item]))
const mangaById = new Map(manga.map((item) => [item.id, item]))

describe("the works", () => {
  it("are many, and each has its own id, rank and popularity", () => {
    expect(realAnime.length).toBeGreaterThanOrEqual(62)
    expect(realManga.length).toBeGreaterThanOrEqual(42)
    for (const items of [anime, manga]) {
      expectUnique(items.map(({ id }) => id))
      expectUnique(items.flatMap(({ rank }) => rank ?? []))
      expectUnique(items.flatMap(({ popularity }) => popularity ?? []))
    }
    for (const items of [realAnime, realManga]) {
      expectUnique(items.map(({ synopsis }) => synopsis))
    }
  })

  it("use the service's words and dates", () => {
    for (const item of [...anime, ...manga]) {
      expect(words.nsfw).toContain(item.nsfw)
      expect(item.created_at).toMatch(moment)
      expect(item.updated_at).toMatch(moment)
      for (const date of [item.start_date, item.end_date]) {
        if (date !== undefined) {
          expect(isDate(date), `${item.id} ${date}`).toBe(true)
        }
      }
      if (item.start_date !== undefined && item.end_date !== undefined) {
        expect(item.end_date >= item.start_date, `${item.id}`).toBe(true)
      }
      expectUnique(item.genres.map(({ id }) => id))
      expect(item.mean === undefined).toBe(item.rank === undefined)
      expect(item.num_scoring_users).toBeLessThanOrEqual(item.num_list_users)
    }
    for (const item of anime) {
      expect(words.animeStatus).toContain(item.status)
      expect(words.animeType).toContain(item.media_type)
      if (item.source !== undefined) {
        expect(words.source).toContain(item.source)
      }
      if (item.rating !== undefined) {
        expect(words.rating).toContain(item.rating)
      }
      if (item.start_season !== undefined) {
        expect(words.season).toContain(item.start_season.season)
      }
      if (item.broadcast !== undefined) {
        expect(words.day).toContain(item.broadcast.day_of_the_week)
        expect(item.broadcast.start_time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
      }
      if (item.status === "finished_airing") {
        expect(item.num_episodes).toBeGreaterThan(0)
      } else {
        expect(item.end_date).toBeUndefined()
      }
    }
    for (const item of manga) {
      expect(words.mangaStatus).toContain(item.status)
      expect(words.mangaType).toContain(item.media_type)
      expect(item.created_at).toBe("1970-01-01T00:00:00+00:00")
      expect(item.authors.length).toBeGreaterThan(0)
    }
  })

  it("refer to works that exist, in both directions", () => {
    const inverse: Readonly<Record<string, string>> = {
      sequel: "prequel",
      prequel: "sequel",
      side_story: "parent_story",
      parent_story: "side_story",
      summary: "full_story",
      full_story: "summary"
    }
    let edges = 0
    for (const [kind, items, own] of [
      ["anime", anime, animeById],
      ["manga", manga, mangaById]
    ] as const) {
      for (const item of items) {
        for (const relation of item.related) {
          edges += 1
          expect(words.relation).toContain(relation.relation_type)
          expect(relation.kind === kind && relation.id === item.id).toBe(false)
          const other = (relation.kind === "anime" ? animeById : mangaById).get(relation.id)
          expect(other, `${item.id} → ${relation.id}`).toBeDefined()
          expect(other?.related).toContainEqual({
            kind,
            id: item.id,
            relation_type: inverse[relation.relation_type] ?? relation.relation_type
          })
        }
        expectUnique(item.related.map(({ id, kind: of }) => `${of}/${id}`))
        expectUnique(item.recommendations.map(({ id }) => id))
        for (const { id } of item.recommendations) {
          expect(own.has(id), `${kind} ${item.id} → ${id}`).toBe(true)
          expect(id).not.toBe(item.id)
        }
      }
    }
    expect(edges).toBeGreaterThan(100)
  })
})

describe("the users", () => {
  it("have their special properties", () => {
    const byId = new Map(users.map((user) => [user.id, user]))
    expectUnique(users.map(({ id }) => id))
    expectUnique(users.map(({ name }) => name))
    expect(users.length).toBeGreaterThanOrEqual(6)
    expect(byId.get(sample.userId.sampleReader)?.name).toBe("sample_reader")
    expect(byId.get(sample.userId.sampleReader)?.animeList).toHaveLength(350)
    expect(byId.get(sample.userId.sampleReader)?.mangaList).toHaveLength(240)
    expect(byId.get(sample.userId.paperLantern)?.animeList.length).toBeGreaterThan(300)
    expect(byId.get(sample.userId.quietShelf)?.private).toBe(true)
    expect(byId.get(sample.userId.firstDay)).toMatchObject({ animeList: [], mangaList: [] })
    const plain = byId.get(sample.userId.plainProfile) ?? {}
    for (const absent of ["picture", "gender", "birthday"]) {
      expect(plain).not.toHaveProperty(absent)
    }
    for (const { birthday, joined_at } of users) {
      expect(joined_at).toMatch(moment)
      if (birthday !== undefined) {
        expect(isDate(birthday)).toBe(true)
      }
    }
  })

  it("keep lists that agree with the works", () => {
    const common = (
      entry: { score: number; priority: number; start_date?: string; finish_date?: string; updated_at: string },
      again: boolean,
      value: number,
      status: string
    ) => {
      expect(Number.isInteger(entry.score) && entry.score >= 0 && entry.score <= 10).toBe(true)
      expect([0, 1, 2]).toContain(entry.priority)
      expect([0, 1, 2, 3, 4, 5]).toContain(value)
      if (again) {
        expect(status).toBe("completed")
      }
      for (const date of [entry.start_date, entry.finish_date]) {
        if (date !== undefined) {
          expect(isDate(date)).toBe(true)
        }
      }
      if (entry.finish_date !== undefined) {
        expect(entry.finish_date >= (entry.start_date ?? "")).toBe(true)
      }
      expect(entry.updated_at).toMatch(moment)
      expect(entry.updated_at < "2026-03").toBe(true)
    }
    for (const user of users) {
      expectUnique(user.animeList.map(({ id }) => id))
      expectUnique(user.mangaList.map(({ id }) => id))
      for (const entry of user.animeList) {
        const item = animeById.get(entry.id)
        expect(item).toBeDefined()
        expect(words.animeList).toContain(entry.status)
        common(entry, entry.is_rewatching, entry.rewatch_value, entry.status)
        const total = item?.num_episodes ?? 0
        if (total > 0) {
          expect(entry.num_episodes_watched).toBeLessThanOrEqual(total)
        }
        if (entry.status === "completed") {
          expect(entry.num_episodes_watched).toBe(total)
        }
        if (entry.status === "completed") {
          expect(item?.status).toBe("finished_airing")
        }
        if (entry.status === "plan_to_watch") {
          expect(entry).toMatchObject({ num_episodes_watched: 0, score: 0 })
        }
        if (item?.status === "not_yet_aired") {
          expect(entry.status).toBe("plan_to_watch")
        }
      }
      for (const entry of user.mangaList) {
        const item = mangaById.get(entry.id)
        expect(item).toBeDefined()
        expect(words.mangaList).toContain(entry.status)
        common(entry, entry.is_rereading, entry.reread_value, entry.status)
        if ((item?.num_chapters ?? 0) > 0) {
          expect(entry.num_chapters_read).toBeLessThanOrEqual(item?.num_chapters ?? 0)
        }
        if ((item?.num_volumes ?? 0) > 0) {
          expect(entry.num_volumes_read).toBeLessThanOrEqual(item?.num_volumes ?? 0)
        }
        if (entry.status === "completed") {
          expect([entry.num_chapters_read, entry.num_volumes_read]).toEqual([item?.num_chapters, item?.num_volumes])
        }
        if (entry.status === "plan_to_read") {
          expect(entry).toMatchObject({ num_chapters_read: 0, num_volumes_read: 0, score: 0 })
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
  it("has topics on existing boards, by existing users", () => {
    const boards = new Map(categories.flatMap((category) => category.boards.map((board) => [board.id, board] as const)))
    const people = new Set(users.map(({ id }) => id))
    expectUnique([...boards.keys(), ...[...boards.values()].flatMap((board) => board.subboards.map(({ id }) => id))])
    expect(topics.length).toBeGreaterThanOrEqual(25)
    expectUnique(topics.map(({ id }) => id))
    expectUnique(topics.flatMap(({ posts }) => posts.map(({ id }) => id)))
    for (const topic of topics) {
      const board = boards.get(topic.board_id)
      expect(board).toBeDefined()
      if (topic.subboard_id !== undefined) {
        expect(board?.subboards.map(({ id }) => id)).toContain(topic.subboard_id)
      }
      expect(people).toContain(topic.created_by)
      expect(topic.posts[0]).toMatchObject({ created_at: topic.created_at, created_by: topic.created_by })
      topic.posts.forEach((post, i) => {
        expect(people).toContain(post.created_by)
        expect(post.created_at).toMatch(moment)
        expect(post.created_at < "2026-03").toBe(true)
        const joined = users.find(({ id }) => id === post.created_by)?.joined_at ?? ""
        expect(post.created_at > joined, `${topic.id} ${post.created_at}`).toBe(true)
        const before = topic.posts[i - 1]
        if (before === undefined) {
          return
        }
        expect(post.id).toBeGreaterThan(before.id)
        expect(post.created_at > before.created_at).toBe(true)
      })
    }
  })

  it("has a long topic, a locked one, one with a poll and some on subboards", () => {
    const byId = new Map(topics.map((topic) => [topic.id, topic]))
    expect(byId.get(sample.topicId.long)?.posts.length).toBeGreaterThanOrEqual(230)
    expect(topics.filter(({ is_locked }) => is_locked).map(({ id }) => id)).toEqual([sample.topicId.locked])
    expect(byId.get(sample.topicId.poll)?.poll?.options.length).toBeGreaterThanOrEqual(4)
    expect(topics.filter(({ subboard_id }) => subboard_id !== undefined).length).toBeGreaterThan(5)
    const bodies = topics.flatMap(({ posts }) => posts.map(({ body }) => body))
    expect(bodies.some((body) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(body))).toBe(true)
    expect(topics.some(({ title }) => title.includes("/"))).toBe(true)
  })
})

describe("a data set of few records", () => {
  it("has what a test names, and defaults for the rest", async () => {
    const catalog = createCatalog({
      accessToken: "embedded-token",
      fetch: EmbeddedCatalog.fetch({
        dataset: dataset({
          anime: [{ id: 1, title: "One", num_episodes: 12 }],
          manga: [{ id: 1, title: "Eins", mean: 8.5 }],
          users: [{ name: "reader", animeList: [{ id: 1, num_episodes_watched: 3 }], mangaList: [{ id: 1 }] }]
        })
      })
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

  it("has by default the user of the default token, with an empty list", async () => {
    const catalog = createCatalog({
      accessToken: "embedded-token",
      fetch: EmbeddedCatalog.fetch({ dataset: dataset() })
    })
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(await catalog.user.animeList.collect({ username: "@me" }, { max: 9 })).toEqual([])
  })
})

describe("generated works", () => {
  it("are always the same, and more of them do not change the earlier ones", () => {
    expect(generatedAnime(30)).toEqual(generatedAnime(300).slice(0, 30))
    expect(generatedManga(30)).toEqual(generatedManga(300).slice(0, 30))
    expect(animeListOf(generatedAnime(30), 7)).toEqual(animeListOf(generatedAnime(30), 7))
    expect(animeListOf(generatedAnime(30), 7)).not.toEqual(animeListOf(generatedAnime(30), 8))
  })

  it("come in great numbers without a repeated id or title", () => {
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
  it("is a new object each time, which shares nothing with the last", async () => {
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
