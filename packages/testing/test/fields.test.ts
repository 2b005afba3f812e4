import { Fields } from "@catalog-client/core"
import { dataset, type EmbeddedCatalogOptions, sample } from "@catalog-client/testing"
import { describe, expect, test } from "vitest"
import { type Entry, type Page, start } from "./service.js"

const first = ({ body }: { readonly body: Page }): Entry => {
  const [entry] = body.data
  if (entry === undefined) {
    throw new Error("The page is empty")
  }
  return entry
}

const plain = ["id", "main_picture", "title"]
const keys = (record: unknown): ReadonlyArray<string> => Object.keys(record as object).sort()
const plainUser = ["birthday", "gender", "id", "joined_at", "location", "name", "picture"]

const lists = [
  "/anime?q=diamond&",
  "/manga?q=monster&",
  "/anime/ranking?ranking_type=all&",
  "/manga/ranking?ranking_type=all&",
  "/anime/season/2015/spring?",
  "/anime/suggestions?",
  "/users/@me/animelist?",
  "/users/@me/mangalist?"
]

describe("a record without fields", () => {
  test.each(["/anime/30230", "/manga/2"])("an item: id, title and picture (%s)", async (path) => {
    expect(keys((await start().get(path)).body)).toEqual(plain)
  })

  test("a user: name, location and dates, and the optional members that are set", async () => {
    expect(keys((await start().get("/users/@me")).body)).toEqual(plainUser)
    const bare = start({ tokens: { t: "plain_profile" } })
    const { body } = await bare.get("/users/@me", { authorization: "Bearer t" })
    expect(keys(body)).toEqual(["id", "joined_at", "location", "name"])
  })
})

describe("fields", () => {
  test.each(lists)("adds to the node of %s", async (path) => {
    const { page } = start()
    const entry = first(await page(path))
    expect(keys(entry.node)).toEqual(plain)
    expect(keys(entry)).toEqual(path.includes("ranking") ? ["node", "ranking"] : ["node"])
    const fuller = first(await page(`${path}fields=mean,list_status`))
    expect(keys(fuller.node)).toEqual([...plain, "mean"].sort())
    expect("list_status" in fuller).toBe(path.startsWith("/users"))
  })

  test("adds to the default members of an item", async () => {
    const { get } = start()
    const { body } = await get("/anime/30230?fields=mean,status")
    expect(body).toEqual({
      id: 30230,
      title: "Diamond no Ace: Second Season",
      main_picture: { medium: expect.any(String), large: expect.any(String) },
      mean: 8.3,
      status: "finished_airing"
    })
    expect(keys((await get("/manga/2?fields=mean,main_picture{medium}")).body)).toEqual([...plain, "mean"].sort())
  })

  test("adds to the default members of a user", async () => {
    const { body } = await start().get("/users/@me?fields=time_zone")
    expect(keys(body)).toEqual([...plainUser, "time_zone"])
  })

  test("returns every member that the data has", async () => {
    const record = sample().anime.find(({ id }) => id === 30230)
    const names = Fields.all.anime.map((name) => name.replace(/\{.*/, ""))
    const { body } = await start().get<Record<string, unknown>>(`/anime/30230?fields=${names.join(",")}`)
    const set = names.filter((name) => record === undefined || name in record)
    expect(set.length).toBeGreaterThan(20)
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...set, "my_list_status", "related_anime", "statistics"]))
    expect(body["genres"]).toEqual(record?.genres)
  })

  test.each([
    ["", []],
    [" , ", []],
    ["mean,__proto__,constructor,nothing{of,this},toString", ["mean"]],
    ["mean{", ["mean"]],
    ["{mean}", []],
    ["}}}mean}", ["mean"]],
    ["mean,,status,", ["mean", "status"]],
    [" mean , status ", ["mean", "status"]],
    ["genres{{name},mean", ["genres"]],
    ["genres{name}}mean", ["genres", "mean"]],
    ["genres{".repeat(5000), ["genres"]]
  ])("accepts %.60s, with any names and braces", async (fields, added) => {
    const { body, status } = await start().get(`/anime/30230?fields=${encodeURIComponent(fields)}`)
    expect(status).toBe(200)
    expect(keys(body)).toEqual([...plain, ...added].sort())
  })

  test("narrows plain records to the names in their braces, and keeps their id", async () => {
    const { genres = [], studios = [] } = sample().anime.find(({ id }) => id === 30230) ?? {}
    const { body } = await start().get(
      "/anime/30230?fields=alternative_titles{en},genres{name},studios{none},main_picture{medium},statistics{status{watching}}"
    )
    expect(body).toEqual({
      id: 30230,
      title: expect.any(String),
      alternative_titles: { en: "Ace of Diamond: Second Season" },
      genres: genres.map(({ id, name }) => ({ id, name })),
      studios: studios.map(({ id }) => ({ id })),
      main_picture: { medium: expect.any(String) },
      statistics: { status: { watching: expect.stringMatching(/^\d+$/) } }
    })
    expect(genres.length).toBeGreaterThan(0)
  })

  test.each(["/anime", "/manga"])(
    "returns all three kinds of other titles for %s, empty if there are none",
    async (path) => {
      const titles = async (query: string, options?: EmbeddedCatalogOptions) =>
        (await start(options).walk(`${path}/ranking?limit=500&nsfw=true&fields=${query}`)).flatMap(({ data }) =>
          data.map(({ node }) => node["alternative_titles"])
        )
      const whole = { synonyms: expect.any(Array), en: expect.any(String), ja: expect.any(String) }
      const all = await titles("alternative_titles")
      expect(all.length).toBeGreaterThan(250)
      expect(all).toEqual(all.map(() => whole))
      expect(all).toContainEqual({ synonyms: [], en: "", ja: expect.stringMatching(/./) })
      const english = await titles("alternative_titles{en}")
      expect(english).toEqual(english.map(() => ({ en: expect.any(String) })))
      const nameless = dataset({
        anime: [{ id: 1, title: "One", rank: 1, alternative_titles: {} }],
        manga: [{ id: 1, title: "One", rank: 1 }]
      })
      expect(await titles("alternative_titles", { dataset: nameless })).toEqual([{ synonyms: [], en: "", ja: "" }])
    }
  )

  test("returns the names of authors if they are requested", async () => {
    const { get } = start()
    const authors = async (fields: string) =>
      (await get<{ authors: ReadonlyArray<{ node: object; role: string }> }>(`/manga/2?fields=${fields}`)).body
        .authors[0]
    expect(keys((await authors("authors"))?.node)).toEqual(["id"])
    expect((await authors("authors"))?.role).not.toBe("")
    expect(keys((await authors("authors{first_name,last_name}"))?.node)).toEqual(["first_name", "id", "last_name"])
    expect(keys((await authors("authors{node{last_name}}"))?.node)).toEqual(["id", "last_name"])
  })

  test("selects within related items, which have no relations themselves", async () => {
    const { body } = await start().get<{
      related_anime: ReadonlyArray<{ node: object; relation_type: string; relation_type_formatted: string }>
      recommendations: ReadonlyArray<{ node: object; num_recommendations: number }>
    }>("/anime/30230?fields=related_anime{mean,related_anime,genres{name}},recommendations")
    const prequel = body.related_anime.find(({ relation_type }) => relation_type === "prequel")
    expect(prequel?.relation_type_formatted).toBe("Prequel")
    expect(keys(prequel?.node)).toEqual(["genres", "id", "main_picture", "mean", "title"])
    expect(body.recommendations.length).toBeGreaterThan(0)
    expect(keys(body.recommendations[0]?.node)).toEqual(plain)
  })

  test("returns no relations to the other kind", async () => {
    const related = async (path: string) => (await start().get(`${path}?fields=related_anime,related_manga`)).body
    const any: unknown = expect.anything()
    expect(await related("/anime/30230")).toMatchObject({ related_anime: [any, any], related_manga: [] })
    expect(await related("/manga/10884")).toMatchObject({ related_anime: [], related_manga: [any] })
  })

  test("returns an empty background if there is none", async () => {
    const { get } = start()
    expect((await get("/anime/1?fields=background")).body).toHaveProperty("background", expect.stringMatching(/Tokyo/))
    expect((await get("/anime/5?fields=background")).body).toHaveProperty("background", "")
    expect((await get("/manga/2?fields=background")).body).toHaveProperty("background", "")
    expect((await get("/anime/5?fields=mean")).body).not.toHaveProperty("background")
  })

  test("returns the videos of a data set", async () => {
    const video = {
      id: 1,
      title: "PV 1",
      url: "https://video.example/1",
      thumbnail: "https://video.example/1.jpg",
      created_at: 1_424_736_000,
      updated_at: 1_424_736_000
    }
    const anime = [
      { id: 1, title: "One", videos: [video] },
      { id: 2, title: "Two" }
    ]
    const { get } = start({ dataset: dataset({ anime }) })
    expect((await get("/anime/1?fields=videos")).body).toHaveProperty("videos", [video])
    expect((await get("/anime/1?fields=videos{url}")).body).toHaveProperty("videos", [{ id: 1, url: video.url }])
    expect((await get("/anime/2?fields=videos")).body).not.toHaveProperty("videos")
  })

  test.each([
    "related_anime",
    "related_manga",
    "recommendations",
    "pictures",
    "background",
    "statistics",
    "serialization"
  ])("returns %s only with a single item", async (name) => {
    const { get, page } = start()
    const manga = name === "serialization"
    expect((await get(`${manga ? "/manga/2" : "/anime/1"}?fields=${name}`)).body).toHaveProperty(name)
    const { body } = await page(`/${manga ? "manga" : "anime"}/ranking?ranking_type=all&fields=${name},mean`)
    expect(body.data.length).toBeGreaterThan(10)
    expect(body.data.filter(({ node }) => !("mean" in node) || name in node)).toEqual([])
  })
})

describe("list statuses", () => {
  const usual = ["is_rewatching", "num_episodes_watched", "score", "start_date", "status", "updated_at"]

  test("are in catalog reads only for the token's owner, if requested", async () => {
    const { get } = start()
    const path = "/anime/30230?fields=my_list_status"
    expect(keys((await get<{ my_list_status: object }>(path)).body.my_list_status)).toEqual(usual)
    expect((await get(path, {})).body).not.toHaveProperty("my_list_status")
    expect((await get("/anime/30230")).body).not.toHaveProperty("my_list_status")
  })

  test("are missing if the item is not on the list", async () => {
    const { body } = await start({ tokens: { t: "first_day" } }).get("/anime/30230?fields=my_list_status,mean", {
      authorization: "Bearer t"
    })
    expect(keys(body)).toEqual(["id", "main_picture", "mean", "title"])
  })

  test("gain tags, comments, priority and counts in braces", async () => {
    const { get, page } = start()
    const own = await get<{ my_list_status: object }>("/anime/30230?fields=my_list_status{tags,priority}")
    expect(keys(own.body.my_list_status)).toEqual([...usual, "priority", "tags"].sort())
    expect(own.body.my_list_status).toMatchObject({ tags: ["baseball", "with No\u00e9"], priority: 2 })
    const list = await page("/users/@me/animelist?fields=list_status{comments,num_times_rewatched,rewatch_value}")
    const more = ["comments", "finish_date", "num_times_rewatched", "rewatch_value"]
    expect(keys(first(list).list_status)).toEqual([...usual, ...more].sort())
  })

  test("are beside the node of a list", async () => {
    const { page } = start()
    const alone = first(await page("/users/@me/mangalist?fields=list_status"))
    expect(keys(alone.node)).toEqual(plain)
    expect(keys(alone.list_status)).toEqual(
      expect.arrayContaining(["is_rereading", "num_chapters_read", "num_volumes_read", "score", "status", "updated_at"])
    )
  })
})
