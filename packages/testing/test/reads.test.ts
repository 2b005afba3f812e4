import { type Quirks, sample } from "@catalog-client/testing"
import { describe, expect, test } from "vitest"
import { examples } from "../../core/test/support/operations.js"
import { client, ids, type Page, start } from "./service.js"

const invalid = (name: string) => ({ status: 400, body: { error: "bad_request", message: `invalid ${name}` } })
const notFound = { status: 404, body: { error: "not_found", message: "" } }

test("an empty parameter counts as absent, whichever it is", async () => {
  const names = [
    "limit",
    "offset",
    "sort",
    "status",
    "nsfw",
    "fields",
    "ranking_type",
    "board_id",
    "subboard_id",
    "user_name"
  ]
  const empty = names.map((name) => `${name}=`).join("&")
  for (const { method, service } of examples) {
    const { get } = start()
    if (method === "GET") {
      const [path = "", query] = service.path.split("?")
      const bodyOf = async (search: string) => ({ ...(await get<Page>(`${path}?${search}`)).body, paging: undefined })
      // A name that is not empty wins, as the last of a repeated one does.
      expect([path, await bodyOf(`${empty}&${query ?? ""}`)]).toEqual([path, await bodyOf(query ?? "")])
    }
  }
})

describe("search", () => {
  test("finds by title and by other titles, in any case, the best match first", async () => {
    const { page } = start()
    const byTitle = (await page("/anime?q=cowboy%20BEBOP&limit=100")).body
    expect(byTitle.data[0]?.node).toMatchObject({ id: 1, title: "Cowboy Bebop" })
    const byOther = (await page("/anime?q=ace+of+diamond&limit=100")).body
    expect(ids(byOther)).toContain(30230)
    expect(byOther.data.find(({ node }) => node.id === 30230)?.node.title).not.toMatch(/ace of diamond/i)
    expect((await page("/manga?q=berserk")).body.data[0]?.node.id).toBe(2)
  })

  test("returns an empty list for an unknown name", async () => {
    expect((await start().page("/anime?q=zzzzzzzz")).body).toEqual({ data: [], paging: {} })
  })

  test.each(["/anime", ...["", "ab", "%20a%20%20", "a".repeat(65), "🎲🎲"].map((q) => `/anime?q=${q}`), "/manga?q=ab"])(
    "refuses q outside 3 to 64 characters: %s",
    async (path) => {
      expect(await start().get(path)).toMatchObject(invalid("q"))
    }
  )

  test("counts characters and not code units", async () => {
    expect((await start().get(`/anime?q=${"🎲".repeat(64)}`)).status).toBe(200)
  })

  test("uses the last value of a repeated parameter", async () => {
    const { body, status } = await start().page("/anime?q=ab&q=cowboy&limit=7&limit=1")
    expect(status).toBe(200)
    expect(ids(body)).toEqual([1])
  })
})

describe("limits and offsets", () => {
  test.each(
    examples.flatMap(({ limit, service: { path, usual } }) =>
      limit === undefined ? [] : [[path.includes("?") ? path : `${path}?`, usual, limit.maximum] as const]
    )
  )("of %s", async (path, usual, max) => {
    const { get } = start()
    const lengthOf = async (query: string) => {
      const { body } = await get<{ data: ReadonlyArray<unknown> | { posts: ReadonlyArray<unknown> } }>(path + query)
      return "posts" in body.data ? body.data.posts.length : body.data.length
    }
    const plain = await lengthOf("")
    expect(plain).toBe(usual ?? plain)
    expect((await get(`${path}&limit=${max}`)).status).toBe(200)
    expect(await lengthOf("&limit=1")).toBe(1)
    expect(await lengthOf(`&limit=${max}&offset=100000`)).toBe(0)
    for (const bad of [`limit=${max + 1}`, "limit=0", "limit=-1", "limit=ten", "offset=-1", "offset=NaN"]) {
      expect(await get(`${path}&${bad}`), bad).toMatchObject(invalid(bad.replace(/=.*/, "")))
    }
  })
})

describe("nsfw", () => {
  const gray = sample().anime.filter(({ nsfw }) => nsfw !== "white")

  test("hides gray and black works in every list, also in the user's own, but not one that is requested by its id", async () => {
    const { get, walk } = start()
    const owned = sample().users[0]?.animeList.filter(({ id }) => gray.some((anime) => anime.id === id)) ?? []
    expect(gray.length).toBeGreaterThan(0)
    expect(owned.length).toBeGreaterThan(0)
    for (const path of ["/users/@me/animelist?limit=100", "/anime/ranking?ranking_type=bypopularity&limit=100"]) {
      const seen = async (nsfw: string) => (await walk(`${path}${nsfw}`)).flatMap(ids)
      const expected = path.startsWith("/users") ? owned : gray
      const hidden = (await seen("&nsfw=true")).filter((id) => expected.some((anime) => anime.id === id))
      expect(hidden).toHaveLength(expected.length)
      const left = await seen("")
      expect(left.length).toBeGreaterThan(100)
      expect(gray.filter(({ id }) => left.includes(id))).toEqual([])
    }
    expect((await get(`/anime/${gray[0]?.id}`)).status).toBe(200)
  })
})

describe("rankings", () => {
  test.each(["all", "airing", "upcoming", "tv", "ova", "movie", "special", "bypopularity", "favorite"])(
    "anime %s",
    async (type) => {
      const { body, status } = await start().page(
        `/anime/ranking?ranking_type=${type}&limit=500&nsfw=true&fields=rank,status,media_type,popularity,num_favorites`
      )
      expect(status).toBe(200)
      expect(body.data.length).toBeGreaterThan(0)
      expect(body.data.map(({ ranking }) => ranking?.["rank"])).toEqual(body.data.map((_, index) => index + 1))
      const column = (name: string) => body.data.map(({ node }) => node[name])
      if (type === "airing" || type === "upcoming") {
        const status = type === "airing" ? "currently_airing" : "not_yet_aired"
        expect(new Set(column("status"))).toEqual(new Set([status]))
      }
      if (type === "tv" || type === "ova" || type === "movie") {
        expect(new Set(column("media_type"))).toEqual(new Set([type]))
      }
      const sortedBy = type === "bypopularity" ? "popularity" : type === "favorite" ? "num_favorites" : "rank"
      const found = column(sortedBy).filter((value) => typeof value === "number")
      if (type !== "upcoming") {
        expect(found.length).toBeGreaterThan(0)
        expect(found).toEqual(found.toSorted((a, b) => (type === "favorite" ? b - a : a - b)))
      }
    }
  )

  test.each([
    ["manga", ["manga"]],
    ["novels", ["novel", "light_novel"]],
    ["lightnovels", ["novel", "light_novel"]],
    ["oneshots", ["one_shot"]],
    ["doujin", ["doujinshi"]],
    ["manhwa", ["manhwa"]],
    ["manhua", ["manhua"]]
  ])("manga %s", async (type, types) => {
    const { body } = await start().page(`/manga/ranking?ranking_type=${type}&limit=500&nsfw=true&fields=media_type`)
    expect(body.data.length).toBeGreaterThan(0)
    expect(body.data.filter(({ node }) => !types.includes(String(node["media_type"])))).toEqual([])
  })

  test.each(["bypopularity", "favorite"])("manga %s has another order", async (type) => {
    const { page } = start()
    const of = async (type: string) => ids((await page(`/manga/ranking?ranking_type=${type}&limit=500`)).body)
    const found = await of(type)
    expect(found.length).toBeGreaterThan(100)
    expect(found).not.toEqual(await of("all"))
  })

  test.each(["anime", "manga"])("of %s without a type are those of all, without a previous rank", async (kind) => {
    const { page } = start()
    const { data } = (await page(`/${kind}/ranking?limit=20`)).body
    expect(data.map(({ ranking }) => ranking)).toEqual(data.map((_, index) => ({ rank: index + 1 })))
    expect(data).toHaveLength(20)
    expect(data).toEqual((await page(`/${kind}/ranking?limit=20&ranking_type=all`)).body.data)
  })

  test.each(["/anime/ranking?ranking_type=manhwa", "/manga/ranking?ranking_type=tv"])("refuses %s", async (path) => {
    expect(await start().get(path)).toMatchObject(invalid("ranking_type"))
  })
})

describe("seasons", () => {
  test("have series that began before and are still running", async () => {
    const { page } = start()
    const has = async (season: string, id: number) =>
      ids((await page(`/anime/season/${season}?limit=500`)).body).includes(id)
    // One Piece has run since fall 1999; the second season of Ace of Diamond ran from April 2015 to March 2016.
    expect(await has("1999/summer", 21)).toBe(false)
    for (const season of ["1999/fall", "2000/winter", "2015/spring", "2026/winter"]) {
      expect(await has(season, 21), season).toBe(true)
    }
    expect(await has("2100/winter", 21)).toBe(false)
    const second = ["2015/winter", "2015/spring", "2015/summer", "2015/fall", "2016/winter", "2016/spring"]
    const running = await Promise.all(second.map((season) => has(season, 30230)))
    expect(running).toEqual([false, true, true, true, true, false])
    // A film is over on the day that it begins.
    expect([await has("2001/summer", 5), await has("2001/fall", 5)]).toEqual([true, false])
  })

  test.each([
    ["2016", true],
    ["2016-04", true],
    ["2016-03", false],
    ["2015", false]
  ])("use the known end of a series: %s", async (end_date, expected) => {
    const anime = sample().anime.flatMap((item) => (item.id === 30230 ? [{ ...item, end_date }] : []))
    const { page } = start({ dataset: { ...sample(), anime } })
    expect(ids((await page("/anime/season/2016/spring")).body)).toEqual(expected ? [30230] : [])
  })

  test("have the anime that began in them, in the requested order", async () => {
    const { page } = start()
    const path = "/anime/season/2015/spring?limit=500&fields=mean,start_season,num_list_users"
    const { body } = await page(path)
    expect(body).toHaveProperty("season", { year: 2015, season: "spring" })
    expect(ids(body)).toContain(30230)
    const began = body.data.map(
      ({ node }) => node["start_season"] as { readonly year: number; readonly season: string }
    )
    expect(began.filter(({ season, year }) => year === 2015 && season === "spring").length).toBeGreaterThan(1)
    // Before it, only winter is in the same year.
    const later = began.filter(({ season, year }) => year > 2015 || (year === 2015 && !/winter|spring/.test(season)))
    expect(later).toEqual([])
    const column = async (sort: string, name: string, quirks: Quirks = {}) =>
      (await start({ quirks }).page(`${path}&sort=${sort}`)).body.data.map(({ node }) => Number(node[name] ?? 0))
    const scores = await column("anime_score", "mean", { scoreSort: true })
    expect(scores.length).toBeGreaterThan(1)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    const users = await column("anime_num_list_users", "num_list_users")
    expect(users).toEqual(users.toSorted((a, b) => b - a))
    // As live: by score means by popularity.
    expect(await column("anime_score", "num_list_users")).toEqual(await column("", "num_list_users"))
    expect(await column("anime_score", "mean")).not.toEqual(scores)
  })

  test.each([
    ["2015/autumn", "season"],
    ["soon/spring", "year"],
    ["2015/spring?sort=title", "sort"]
  ])("refuse %s", async (path, name) => {
    expect(await start().get(`/anime/season/${path}`)).toMatchObject(invalid(name))
  })
})

describe("suggestions", () => {
  test("are not on the list, until they are removed from it", async () => {
    const { remove, walk } = start()
    const suggested = async () => (await walk("/anime/suggestions?limit=100&nsfw=true")).flatMap(ids)
    const owned = new Set(sample().users[0]?.animeList.map(({ id }) => id))
    const before = await suggested()
    expect(before.length).toBeGreaterThan(10)
    expect(before.filter((id) => owned.has(id))).toEqual([])
    expect(before).not.toContain(30230)
    expect((await remove("/anime/30230")).status).toBe(200)
    expect(await suggested()).toContain(30230)
  })
})

describe("user lists", () => {
  test.each(["completed", "on_hold", "dropped", "plan_to_watch"])("anime that are %s", async (status) => {
    const { body } = await start().page(`/users/@me/animelist?status=${status}&fields=list_status&limit=1000`)
    expect(body.data.length).toBeGreaterThan(0)
    expect(body.data.filter(({ list_status }) => list_status?.["status"] !== status)).toEqual([])
  })

  test.each([
    ["animelist", "watching", "is_rewatching"],
    ["mangalist", "reading", "is_rereading"]
  ])(
    "the %s of what is %s has entries that are completed and begun again, which completed omits",
    async (path, status, again) => {
      const { page } = start()
      const entries = async (filter: string) =>
        (await page(`/users/@me/${path}?${filter}&fields=list_status&limit=1000&nsfw=true`)).body.data
      const wanted = (await entries("")).filter(
        ({ list_status }) => list_status?.["status"] === status || list_status?.[again] === true
      )
      expect(new Set(wanted.map(({ list_status }) => list_status?.["status"]))).toEqual(new Set([status, "completed"]))
      expect(await entries(`status=${status}`)).toEqual(wanted)
      const completed = await entries("status=completed")
      expect(completed.length).toBeGreaterThan(10)
      expect(completed.filter(({ list_status }) => list_status?.[again] === true)).toEqual([])
    }
  )

  test("what is on hold, dropped or planned stays there while it is rewatched", async () => {
    const { page, patch } = start()
    for (const status of ["on_hold", "dropped", "plan_to_watch"]) {
      await patch("/anime/30230", { status, is_rewatching: "true" })
      for (const list of [status, "watching"]) {
        const { body } = await page(`/users/@me/animelist?status=${list}&limit=1000&nsfw=true`)
        expect([list, ids(body).includes(30230)]).toEqual([list, true])
      }
    }
  })

  test.each([
    ["animelist", "anime"],
    ["mangalist", "manga"]
  ])("%s in each order", async (path, kind) => {
    const { walk } = start()
    const column = async (sort: string, of: (entry: Page["data"][number]) => number | string) =>
      (await walk(`/users/@me/${path}?limit=100&nsfw=true&sort=${sort}&fields=list_status,start_date`))
        .flatMap(({ data }) => data)
        .map(of)
    const ordered = (values: ReadonlyArray<number | string>, descending: boolean) => {
      expect(values.length).toBeGreaterThan(100)
      const sign = descending ? -1 : 1
      expect(values).toEqual(values.toSorted((a, b) => (a < b ? -sign : a > b ? sign : 0)))
    }
    ordered(await column("list_score", ({ list_status }) => Number(list_status?.["score"])), true)
    ordered(await column("list_updated_at", ({ list_status }) => String(list_status?.["updated_at"])), true)
    ordered(await column(`${kind}_title`, ({ node }) => node.title.toLowerCase()), false)
    ordered(await column(`${kind}_start_date`, ({ node }) => JSON.stringify(node["start_date"] ?? "")), true)
    ordered((await walk(`/users/@me/${path}?limit=100&nsfw=true`)).flatMap(ids), false)
  })

  test.each(["animelist", "mangalist"])("%s is whole with an empty status, and with `all`", async (path) => {
    const { page } = start()
    const of = async (query: string) => (await page(`/users/@me/${path}?limit=1000&${query}`)).body.data
    const whole = await of("")
    expect(new Set((await of("fields=list_status")).map((entry) => entry.list_status?.["status"])).size).toBe(5)
    expect(await of("status=")).toEqual(whole)
    expect(await of("status=all")).toEqual(whole)
  })

  test("refuse unknown words, and the order by id as the live service does", async () => {
    const { get } = start()
    for (const bad of ["status=reading", "sort=manga_title", "sort=anime_id"]) {
      expect((await get(`/users/@me/animelist?${bad}`)).status).toBe(400)
    }
    expect((await get("/users/@me/mangalist?sort=manga_id")).status).toBe(400)
    expect((await get("/users/@me/mangalist?status=reading&sort=manga_title")).status).toBe(200)
  })

  test("are found by name in any case; unknown names are not", async () => {
    const { get } = start()
    expect((await get("/users/Paper_Lantern/animelist", client)).status).toBe(200)
    expect(await get("/users/nobody/animelist", client)).toMatchObject(notFound)
  })

  test("can be private", async () => {
    const { get } = start({ tokens: { own: "quiet_shelf", other: "sample_reader" } })
    expect((await get("/users/quiet_shelf/animelist", { authorization: "Bearer own" })).status).toBe(200)
    for (const headers of [client, { authorization: "Bearer other" }]) {
      const refusal = { status: 403, body: { error: "forbidden", message: "" } }
      expect(await get("/users/quiet_shelf/mangalist", headers)).toMatchObject(refusal)
    }
  })
})

describe("users", () => {
  test("counts the entries of the list", async () => {
    const { body } = await start().get<{ anime_statistics: Record<string, number> }>(
      "/users/@me?fields=anime_statistics,time_zone"
    )
    const list = sample().users[0]?.animeList ?? []
    expect(body.anime_statistics).toMatchObject({
      num_items: list.length,
      num_items_watching: list.filter(({ status }) => status === "watching").length,
      num_episodes: list.reduce((sum, entry) => sum + entry.num_episodes_watched, 0)
    })
    expect(Object.keys(body.anime_statistics)).toHaveLength(15)
  })

  test("accepts only @me", async () => {
    const { get } = start()
    expect((await get("/users/%40me")).body).toHaveProperty("name", "sample_reader")
    for (const name of ["sample_reader", "paper_lantern", "@ME", "nobody"]) {
      expect(await get(`/users/${name}`), name).toMatchObject(notFound)
    }
  })
})

test.each(["/anime/999999999", "/anime/abc", "/anime/-1", "/anime/1.5", "/manga/999999999", "/forum/topic/1"])(
  "%s is not found",
  async (path) => {
    expect(await start().get(path)).toMatchObject(notFound)
  }
)
