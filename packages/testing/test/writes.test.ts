import { describe, expect, test } from "vitest"
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
  test("writes only the sent fields, and returns the whole status with any `fields`", async () => {
    const service = start({ now })
    const before = await readBack(service, "/anime/30230")
    const { body, headers, status } = await service.send<object>("/anime/30230/my_list_status?fields=score", {
      method: "PATCH",
      headers: token,
      body: new URLSearchParams({ score: "9", comments: "a/b ü" })
    })
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("application/json; charset=UTF-8")
    expect(body).toEqual({ ...before, score: 9, comments: "a/b ü", updated_at: stamp })
    expect(Object.keys(body)).toHaveLength(11)
    expect(await readBack(service, "/anime/30230")).toEqual(body)
  })

  test("does the same as a PUT", async () => {
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

  test.each<[path: string, form: Record<string, string>, written: object]>([
    ["/anime/30230", { num_watched_episodes: "7" }, { num_episodes_watched: 7 }],
    ["/anime/30230", { num_watched_episodes: "9999" }, { num_episodes_watched: 51 }],
    ["/anime/30230", { num_watched_episodes: "-3" }, { num_episodes_watched: 0 }],
    // One Piece goes on: its length is unknown.
    ["/anime/21", { num_watched_episodes: "99999" }, { num_episodes_watched: 99_999 }],
    ["/manga/1", { num_chapters_read: "9999", num_volumes_read: "3" }, { num_chapters_read: 162, num_volumes_read: 3 }],
    ["/manga/1", { is_rereading: "true", num_times_reread: "4" }, { is_rereading: true, num_times_reread: 4 }],
    ["/manga/1", { status: "reading", reread_value: "5", priority: "2" }, { reread_value: 5, priority: 2 }],
    ["/anime/30230", { score: "7.4" }, { score: 7 }],
    ["/anime/30230", { score: "7.5" }, { score: 8 }],
    ["/anime/30230", { score: "0" }, { score: 0 }],
    ["/anime/30230", { score: "10" }, { score: 10 }],
    ["/anime/30230", { tags: "one, two words ,,three" }, { tags: ["one", "two words", "three"] }],
    ["/anime/30230", { tags: "" }, { tags: [] }],
    ["/anime/30230", { start_date: "2019", finish_date: "2019-04" }, { start_date: "2019", finish_date: "2019-04" }],
    ["/anime/30230", { start_date: "2019-04-30" }, { start_date: "2019-04-30" }],
    ["/anime/30230", { start_date: "2020-02-29" }, { start_date: "2020-02-29" }],
    ["/anime/30230", { start_date: "2020-2-29" }, { start_date: "2020-02-29" }],
    ["/anime/30230", { start_date: "2020-12-3" }, { start_date: "2020-12-03" }],
    [
      "/anime/30230",
      { start_date: "2020-1", finish_date: "2020-1-1" },
      { start_date: "2020-01", finish_date: "2020-01-01" }
    ]
  ])("of %s with %o writes %o", async (path, form, written) => {
    const service = start()
    const { body } = await service.patch(path, form)
    expect(body).toMatchObject(written)
    expect(await readBack(service, path)).toEqual(body)
  })

  test("clears dates", async () => {
    const service = start()
    await service.patch("/anime/30230", { start_date: "2019", finish_date: "2019" })
    const { body } = await service.patch("/anime/30230", { start_date: "", finish_date: "" })
    expect(Object.keys(body).filter((name) => name.endsWith("_date"))).toEqual([])
    expect(await readBack(service, "/anime/30230")).toEqual(body)
  })

  const invalid = (form: Record<string, string>) => [form, `invalid ${Object.keys(form).join()}`] as const
  test.each([
    ...["2019-2-29", "2019-001", "2019-0-1", "tomorrow", "2019-13"].map((start_date) => invalid({ start_date })),
    ...["11", "-1", "ten", "", "NaN"].map((score) => invalid({ score })),
    ...["reading", ""].map((status) => invalid({ status })),
    invalid({ finish_date: "2019-02-29" }),
    invalid({ is_rewatching: "yes" }),
    invalid({ priority: "3" }),
    invalid({ rewatch_value: "6" }),
    invalid({ num_times_rewatched: "-1" }),
    invalid({ num_watched_episodes: "many" }),
    ...["my_score", "fields", "tags[]", "num_chapters_read", "num_episodes_watched"].map(
      (name) => [{ score: "5", [name]: "1" }, "This form should not contain extra fields."] as const
    )
  ])("refuses %o and writes nothing", async (form, message) => {
    const service = start()
    const before = await readBack(service, "/anime/30230")
    const refusal = { status: 400, body: { error: "bad_request", message } }
    expect(await service.patch("/anime/30230", form)).toMatchObject(refusal)
    expect(await readBack(service, "/anime/30230")).toEqual(before)
    expect(before).toBeDefined()
  })

  test("creates a missing entry, and updates its time if nothing is written", async () => {
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

  test("belongs to one instance", async () => {
    const one = start()
    const other = start()
    const before = await readBack(other, "/anime/30230")
    await one.patch("/anime/30230", { score: before?.["score"] === 1 ? "2" : "1" })
    expect(await readBack(other, "/anime/30230")).toEqual(before)
    expect(await readBack(start(), "/anime/30230")).toEqual(before)
    expect(await readBack(one, "/anime/30230")).not.toEqual(before)
  })

  test("moves the entry in a sorted list", async () => {
    const { page, patch } = start()
    const newest = async () =>
      (await page("/users/@me/animelist?sort=list_updated_at&limit=1&nsfw=true")).body.data[0]?.node.id
    expect(await newest()).not.toBe(5114)
    await patch("/anime/5114", {})
    expect(await newest()).toBe(5114)
  })

  test.each(["application/json", "text/plain;charset=UTF-8"])("refuses a body of type %s", async (type) => {
    const headers = { ...token, "content-type": type }
    const reply = await start().send("/anime/30230/my_list_status", { method: "PATCH", headers, body: "score=5" })
    expect(reply).toMatchObject({ status: 400, body: { error: "bad_request", message: "invalid content type" } })
  })
})

const notFound = { status: 404, body: { error: "not_found", message: "" } }

test.each(["/anime/999999999", "/manga/999999999"])("PATCH and DELETE refuse the unknown id of %s", async (path) => {
  expect(await start().patch(path, { score: "5" })).toMatchObject(notFound)
  expect(await start().remove(path)).toMatchObject(notFound)
})

test("finish_date is written with any status, or only with completed, as one source says of the live service", async () => {
  const kept = start()
  const ignored = start({ quirks: { finishDate: "completed" } })
  const written = async (service: typeof kept, form: Record<string, string>) =>
    (await service.patch("/anime/30230", form)).body["finish_date"]
  const form = { status: "watching", finish_date: "2020-02-02" }
  expect(await written(kept, form)).toBe("2020-02-02")
  expect(await written(ignored, form)).toBeUndefined()
  expect(await written(ignored, { finish_date: "2020-02-02", status: "completed" })).toBe("2020-02-02")
})

describe("DELETE", () => {
  test.each(["/anime/30230", "/manga/2"])("removes %s from the list and returns an empty array", async (path) => {
    const service = start()
    await service.patch(path, { score: "5" })
    expect(await service.remove(path)).toMatchObject({ status: 200, text: "[]" })
    expect(await readBack(service, path)).toBeUndefined()
    expect(await service.remove(path)).toMatchObject({ status: 200, text: "[]" })
  })

  test("can respond with 404 for an entry that is not on the list, as in the reference", async () => {
    const service = start({ quirks: { deleteMissing: 404 }, tokens: { "embedded-token": "first_day" } })
    expect(await service.remove("/anime/30230")).toMatchObject(notFound)
  })
})
