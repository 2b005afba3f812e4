/**
 * A recording is replayed in a page, which has no network for it.
 */
import { createCatalog } from "catalog-client"
import { createRecorder } from "catalog-client/testing"
import { type RecorderOptions } from "@catalog-client/testing"
import { expect, inject, test } from "vitest"
import { rejection } from "../../core/test/support/eventually.js"

const url = inject("catalogUrl")
const accessToken = "embedded-token"

const memory = () => {
  const state: { text?: string } = {}
  return { state, store: { name: "a.json", read: () => state.text, write: (text: string) => void (state.text = text) } }
}

type Fetch = (url: URL, init: RequestInit) => Promise<Response>

const session = async (fetch: Fetch) => {
  await using catalog = createCatalog({ baseUrl: url, fetch, accessToken })
  const found = await catalog.anime.search({ q: "diamond", limit: 3 }, { fields: ["mean"] })
  const list = await catalog.user.animeList.collect({ username: "@me", limit: 3 }, { max: 10 })
  const error = await rejection(catalog.manga.get({ id: 999_999 }))
  return { found, list, error: String(error) }
}

test("without a service", async () => {
  const { state, store } = memory()
  const run = async (mode: RecorderOptions["mode"], fetch: Fetch) => {
    await using recorder = await createRecorder({ store, mode, fetch })
    const outcome = await session(recorder.fetch)
    if (mode === "replay") {
      expect(recorder.unused()).toEqual([])
    }
    return outcome
  }
  const live = await run("record", (input, init) => fetch(input, init))
  expect(live.list).toHaveLength(10)
  expect(await run("replay", () => Promise.reject(new Error("sent")))).toEqual(live)
  expect(state.text).not.toContain(accessToken)
})
