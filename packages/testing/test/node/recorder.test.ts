import { createRecorder, serve } from "catalog-client/testing"
import { createCatalog } from "catalog-client"
import { type RecorderOptions } from "@catalog-client/testing"
import { recordingFile } from "@catalog-client/testing/node"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"

/** A path in a folder that is not there yet. */
const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "recordings-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "of/tests/one.json")
}

/** Records a session of a service, stops the service, and replays the session twice. */
const recordedAndReplayed = async (
  session: (file: string, mode: RecorderOptions["mode"], baseUrl: string) => Promise<unknown>
) => {
  const file = newFile()
  const service = await serve()
  const live = await session(file, "record", service.url)
  await service.close()
  const text = readFileSync(file, "utf8")
  const replayed = [await session(file, "replay", service.url), await session(file, "auto", service.url)]
  expect(replayed).toEqual([live, live])
  expect(readFileSync(file, "utf8")).toBe(text)
  expect(text).not.toContain("embedded-token")
  // The file as a whole has taken the place of the one before.
  expect(readdirSync(dirname(file))).toEqual(["one.json"])
  return live
}

const written = { status: "completed", num_watched_episodes: 51 } as const

test("a session of promises is replayed with the service gone", async () => {
  const live = await recordedAndReplayed(async (file, mode, baseUrl) => {
    await using recorder = await createRecorder({ store: recordingFile(file), mode })
    await using catalog = createCatalog({ fetch: recorder.fetch, baseUrl, accessToken: "embedded-token" })
    const found = await catalog.anime.search({ q: "diamond", limit: 3 }, { fields: ["mean"] })
    const entry = await catalog.anime.updateMyListStatus({ id: 30230, ...written })
    const { categories } = await catalog.forum.boards()
    const list = await catalog.user.animeList.collect({ username: "@me", limit: 50 }, { max: 10_000 })
    if (mode === "replay") {
      expect(recorder.unused()).toEqual([])
    }
    expect(recorder.missed()).toEqual([])
    return { found, entry, categories, list }
  })
  expect(live).toMatchObject({ entry: { status: "completed" }, found: { data: { length: 3 } } })
})

test("a file that is missing or broken is named, and so is a folder that cannot be written", async () => {
  const file = newFile()
  const store = recordingFile(file)
  await expect(createRecorder({ store })).rejects.toThrow(
    `there is no recording ${file}. Run the test once with the mode`
  )
  await expect(createRecorder({ store: recordingFile(dirname(import.meta.filename)) })).rejects.toThrow(
    "cannot be read: EISDIR"
  )
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{"version":1,')
  await expect(createRecorder({ store })).rejects.toThrow(`${file} is not a recording: `)
  const recorder = await createRecorder({ store: recordingFile(join(file, "below.json")), mode: "record" })
  await expect(recorder.close()).rejects.toThrow("cannot be written: E")
})
