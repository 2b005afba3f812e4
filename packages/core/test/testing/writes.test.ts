import { describe, expect, it } from "vitest"
import { start, token } from "./service.js"

const now = () => Date.UTC(2030, 0, 2, 3, 4, 5)
const stamp = "2030-01-02T03:04:05+00:00"

const readBack = async (service: ReturnType<typeof start>, path: string) => {
  const { body } = await service.get<{ my_list_status?: Record<string, unknown> }>(
    `${path}?fields=my_list_status{tags,comments,priority,num_times_rewatched,rewatch_value,num_times_reread,reread_value}`
  )
  return body.my_list_status
}

describe("PATCH", () => {
  it("writes the given fields, leaves the rest, and returns the whole status with any `fields`", async () => {
    const service = start({ now })
    const before = await readBack(service, "/anime/30230")
    const { body, headers, status } = await service.send<Record<string, unknown>>(
      "/anime/30230/my_list_status?fields=score",
      { method: "PATCH", headers: token, body: new URLSearchParams({ score: "9", comments: "a/b ü" }) }
    )
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("application/json; charset=UTF-8")
    expect(body).toEqual({ ...before, score: 9, comments: "a/b ü", updated_at: stamp })
    expect(Object.keys(body).sort()).toEqual([
      "comments",
      "is_rewatching",
      "num_episodes_watched",
      "num_times_rewatched",
      "priority",
      "rewatch_value",
      "score",
      "start_date",
      "status",
      "tags",
      "updated_at"
    ])
    expect(await readBack(service, "/anime/30230")).toEqual(body)
  })

  it("does the same as a PUT", async () => {
    const service = start({ now, onRequest: ({ method, operation }) => seen.push([method, operation]) })
    const seen: Array<unknown> = []
    const put = (path: string, form: Record<string, string>, headers: Record<string, string> = token) =>
      service.send<Record<string, unknown>>(path, { method: "PUT", headers, body: new URLSearchParams(form) })
    const before = await readBack(service, "/anime/30230")
    const written = await put("/anime/30230/my_list_status", { score: "3" })
    expect([written.status, written.body]).toEqual([200, { ...before, score: 3, updated_at: stamp }])
    expect(await readBack(service, "/anime/30230")).toEqual(written.body)
    expect((await put("/manga/1/my_list_status", { num_chapters_read: "4" })).body["num_chapters_read"]).toBe(4)
    expect((await put("/manga/1/my_list_status", { num_watched_episodes: "4" })).status).toBe(400)
    expect((await put("/anime/999999999/my_list_status", {})).status).toBe(404)
    expect((await put("/anime/30230/my_list_status", {}, {})).status).toBe(403)
    expect(seen[1]).toEqual(["PUT", "anime.updateMyListStatus"])
    const faulty = start({ faults: [{ on: "anime.updateMyListStatus", status: 503 }] })
    expect((await faulty.send("/anime/1/my_list_status", { method: "PUT", headers: token })).status).toBe(503)
  })

  it("has progress with different names in form and reply, and never beyond the last episode", async () => {
    const { patch } = start()
    expect((await patch("/anime/30230", { num_watched_episodes: "7" })).body["num_episodes_watched"]).toBe(7)
    expect((await patch("/anime/30230", { num_watched_episodes: "9999" })).body["num_episodes_watched"]).toBe(51)
    expect((await patch("/anime/30230", { num_watched_episodes: "-3" })).body["num_episodes_watched"]).toBe(0)
    expect((await patch("/anime/30230", { num_episodes_watched: "7" })).status).toBe(400)
  })

  it("has no limit of episodes for a series of unknown length", async () => {
    // One Piece goes on.
    const { body } = await start().patch("/anime/21", { num_watched_episodes: "99999" })
    expect(body["num_episodes_watched"]).toBe(99_999)
  })

  it.each([
    ["7.4", 7],
    ["7.5", 8],
    ["0", 0],
    ["10", 10]
  ])("rounds a score of %s to %i", async (score, expected) => {
    expect((await start().patch("/anime/30230", { score })).body["score"]).toBe(expected)
  })

  it("writes chapters and volumes of a manga", async () => {
    const service = start()
    const { body } = await service.patch("/manga/1", {
      status: "reading",
      num_chapters_read: "9999",
      num_volumes_read: "3",
      is_rereading: "true",
      num_times_reread: "4",
      reread_value: "5",
      priority: "2"
    })
    expect(body).toMatchObject({
      status: "reading",
      num_chapters_read: 162,
      num_volumes_read: 3,
      is_rereading: true,
      num_times_reread: 4,
      reread_value: 5,
      priority: 2
    })
    expect(await readBack(service, "/manga/1")).toEqual(body)
  })

  it("accepts tags separated by commas, and clears them", async () => {
    const { patch } = start()
    expect((await patch("/anime/30230", { tags: "one, two words ,,three" })).body["tags"]).toEqual([
      "one",
      "two words",
      "three"
    ])
    expect((await patch("/anime/30230", { score: "1" })).body["tags"]).toHaveLength(3)
    expect((await patch("/anime/30230", { tags: "" })).body["tags"]).toEqual([])
  })

  it.each([
    ["2019", "2019"],
    ["2019-04", "2019-04"],
    ["2019-04-30", "2019-04-30"],
    ["2020-02-29", "2020-02-29"],
    ["2020-1-1", "2020-01-01"],
    ["2020-2-29", "2020-02-29"],
    ["2020-12-3", "2020-12-03"],
    ["2020-1", "2020-01"]
  ])("accepts %s as a date, keeps it as %s, and clears it", async (date, kept) => {
    const service = start()
    const { body } = await service.patch("/anime/30230", { start_date: date, finish_date: date })
    expect(body).toMatchObject({ start_date: kept, finish_date: kept })
    expect(await readBack(service, "/anime/30230")).toMatchObject({ start_date: kept, finish_date: kept })
    const cleared = await service.patch("/anime/30230", { start_date: "", finish_date: "" })
    expect(cleared.body).not.toHaveProperty("start_date")
    expect(cleared.body).not.toHaveProperty("finish_date")
    expect(await readBack(service, "/anime/30230")).not.toHaveProperty("start_date")
  })

  it.each([
    [{ start_date: "2019-2-29" }, "invalid start_date"],
    [{ start_date: "2019-001" }, "invalid start_date"],
    [{ start_date: "2019-0-1" }, "invalid start_date"],
    [{ score: "11" }, "invalid score"],
    [{ score: "-1" }, "invalid score"],
    [{ score: "ten" }, "invalid score"],
    [{ score: "" }, "invalid score"],
    [{ score: "NaN" }, "invalid score"],
    [{ status: "reading" }, "invalid status"],
    [{ status: "" }, "invalid status"],
    [{ start_date: "tomorrow" }, "invalid start_date"],
    [{ finish_date: "2019-02-29" }, "invalid finish_date"],
    [{ start_date: "2019-13" }, "invalid start_date"],
    [{ is_rewatching: "yes" }, "invalid is_rewatching"],
    [{ priority: "3" }, "invalid priority"],
    [{ rewatch_value: "6" }, "invalid rewatch_value"],
    [{ num_times_rewatched: "-1" }, "invalid num_times_rewatched"],
    [{ num_watched_episodes: "many" }, "invalid num_watched_episodes"],
    [{ score: "5", my_score: "5" }, "This form should not contain extra fields."],
    [{ score: "5", fields: "score" }, "This form should not contain extra fields."],
    [{ score: "5", "tags[]": "a" }, "This form should not contain extra fields."],
    [{ score: "5", num_chapters_read: "1" }, "This form should not contain extra fields."]
  ])("refuses %o and writes nothing", async (form, message) => {
    const service = start()
    const before = await readBack(service, "/anime/30230")
    const { body, status } = await service.patch("/anime/30230", form)
    expect([status, body]).toEqual([400, { error: "bad_request", message }])
    expect(await readBack(service, "/anime/30230")).toEqual(before)
    expect(before).toBeDefined()
  })

  it("creates a missing entry, and updates its time if nothing is written", async () => {
    let time = now()
    const service = start({ now: () => time, tokens: { "embedded-token": "first_day" } })
    expect(await readBack(service, "/anime/30230")).toBeUndefined()
    const made = await service.patch("/anime/30230", {})
    expect(made.status).toBe(200)
    expect(made.body).toEqual({
      status: "plan_to_watch",
      score: 0,
      num_episodes_watched: 0,
      is_rewatching: false,
      updated_at: stamp,
      priority: 0,
      num_times_rewatched: 0,
      rewatch_value: 0,
      tags: [],
      comments: ""
    })
    time += 60_000
    const touched = await service.send("/anime/30230/my_list_status", { method: "PATCH", headers: token })
    expect(touched.body).toEqual({ ...made.body, updated_at: "2030-01-02T03:05:05+00:00" })
    expect((await service.patch("/anime/1", { num_watched_episodes: "2" })).body["status"]).toBe("watching")
    const list = await service.page("/users/@me/animelist")
    expect(list.body.data.map(({ node }) => node.id)).toEqual([1, 30230])
  })

  it("belongs to one instance", async () => {
    const one = start()
    const other = start()
    const before = await readBack(other, "/anime/30230")
    await one.patch("/anime/30230", { score: before?.["score"] === 1 ? "2" : "1" })
    expect(await readBack(other, "/anime/30230")).toEqual(before)
    expect(await readBack(start(), "/anime/30230")).toEqual(before)
    expect(await readBack(one, "/anime/30230")).not.toEqual(before)
  })

  it("moves the entry in a sorted list", async () => {
    const { page, patch } = start()
    const newest = async () =>
      (await page("/users/@me/animelist?sort=list_updated_at&limit=1&nsfw=true")).body.data[0]?.node.id
    expect(await newest()).not.toBe(5114)
    await patch("/anime/5114", {})
    expect(await newest()).toBe(5114)
  })

  it.each(["application/json", "text/plain;charset=UTF-8"])("refuses a body of type %s", async (type) => {
    const { send } = start()
    const { body, status } = await send("/anime/30230/my_list_status", {
      method: "PATCH",
      headers: { ...token, "content-type": type },
      body: "score=5"
    })
    expect([status, body]).toEqual([400, { error: "bad_request", message: "invalid content type" }])
  })

  it("refuses an unknown item", async () => {
    expect((await start().patch("/anime/999999999", { score: "5" })).status).toBe(404)
    expect((await start().patch("/manga/999999999", { score: "5" })).status).toBe(404)
  })
})

describe("DELETE", () => {
  it.each(["/anime/30230", "/manga/2"])("removes %s from the list and returns an empty array", async (path) => {
    const service = start()
    await service.patch(path, { score: "5" })
    const removed = await service.remove(path)
    expect([removed.status, removed.text]).toEqual([200, "[]"])
    expect(await readBack(service, path)).toBeUndefined()
    const again = await service.remove(path)
    expect([again.status, again.text]).toEqual([200, "[]"])
  })

  it.each(["/anime/999999999", "/manga/999999999"])("refuses the unknown id of %s", async (path) => {
    const { body, status } = await start().remove(path)
    expect([status, body]).toEqual([404, { error: "not_found", message: "" }])
  })

  it("can respond with 404 for an entry that is not on the list, as in the reference", async () => {
    const { body, status } = await start({
      quirks: { deleteMissing: 404 },
      tokens: { "embedded-token": "first_day" }
    }).remove("/anime/30230")
    expect([status, body]).toEqual([404, { error: "not_found", message: "" }])
  })
})
