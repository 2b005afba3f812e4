/**
 * The client against the embedded service over a real connection, on both faces: the same in Node and in a browser.
 */
import type { Catalog as PromiseCatalog } from "catalog-client"
import { describe, expect, test } from "vitest"
import { type Call, faces, failure, type Transport, value } from "./faces.js"
import { type FaultName, html, meeting } from "./serviceFaults.js"
import { examples } from "./operations.js"

interface Platform {
  readonly transport: Transport
  /** The embedded service, with `faulty` as its options. */
  readonly url: string
  /** A browser hides what a redirect says, and whose header is not exposed. */
  readonly isBrowser: boolean
  /** The faces that are tested; both, unless given. */
  readonly only?: ReadonlyArray<(typeof faces)[number]>
}

/** Every read, what it is given and what has to be in its reply. */
const reads = examples.flatMap(({ name, service: { call, holds } }) =>
  holds === undefined ? [] : [[name, call, holds((type) => expect.any(type))] as const]
)

export const againstTheService = ({ transport, url, isBrowser, only = faces }: Platform): void =>
  describe.each(only)("against the service, on the %s face", (faceName, face) => {
    const signedIn = { baseUrl: url, accessToken: "embedded-token", clientId: "embedded-client" }
    const call: Call = face(transport, signedIn)
    const meet = (fault: FaultName, options = {}): Call =>
      face(transport, { ...signedIn, headers: meeting(fault), ...options })

    test.each(reads)("%s(%j)", async (name, inputs, expected) => {
      expect(value(await call(name, ...inputs))).toMatchObject(expected)
    })

    test.each([
      ["anime", { num_watched_episodes: 2 }, { num_episodes_watched: 2 }],
      ["manga", { num_chapters_read: 2 }, { num_chapters_read: 2 }]
    ])("%s: a written entry can be read, and then deleted", async (medium, progress, read) => {
      // Each face on each platform writes to another item.
      const id = faceName === "Effect" ? 1 : 21
      const own = async () =>
        (
          value(await call(`${medium}.get`, { id }, { fields: "my_list_status{tags,comments}" })) as PromiseCatalog & {
            readonly my_list_status?: object
          }
        ).my_list_status
      await call(`${medium}.deleteFromList`, { id })
      expect(await own()).toBeUndefined()
      const tags = ["ä/ö", "two words"]
      const changes = { ...progress, score: 7.4, tags, comments: "50 % & more = ünï", start_date: "2019-04" }
      const written = value(await call(`${medium}.updateMyListStatus`, { id, ...changes }, { fields: "status" }))
      expect(written).toMatchObject({ ...read, score: 7, tags, comments: changes.comments, start_date: "2019-04" })
      expect(await own()).toMatchObject({ ...read, tags, comments: changes.comments })
      const cleared = value(await call(`${medium}.updateMyListStatus`, { id, tags: [], start_date: "" }))
      expect(cleared).toMatchObject({ tags: [], score: 7 })
      expect(cleared).not.toHaveProperty("start_date")
      expect(value(await call(`${medium}.deleteFromList`, { id }))).toBeUndefined()
      expect(await own()).toBeUndefined()
      expect(value(await call(`${medium}.deleteFromList`, { id }))).toBeUndefined()
      const unknown = failure(await call(`${medium}.deleteFromList`, { id: 999_999_999 }))
      expect(unknown).toMatchObject({ status: 404, code: "not_found" })
    })

    test("the service validates what the client does not", async () => {
      const refusal = { _tag: "ClientRestError", status: 400, code: "bad_request" }
      expect(failure(await call("anime.updateMyListStatus", { id: 1, score: 11 }))).toMatchObject(refusal)
      expect(failure(await call("anime.search", { q: "x" }))).toMatchObject({
        ...refusal,
        serviceMessage: "invalid q",
        message: expect.stringContaining("Pass a keyword (q) of 3 to 64 characters.")
      })
      expect(failure(await call("user.get", { username: "somebody" }))).toMatchObject({ status: 404 })
      const unknown = face(transport, { baseUrl: url, clientId: "not-a-client" })
      expect(failure(await unknown("anime.get", { id: 1 }))).toMatchObject({
        ...refusal,
        message: expect.stringContaining(
          "(bad_request: Invalid client id). Check clientId: the service does not know it."
        )
      })
    })

    test("the credentials that operations need are those of the contract's table", async () => {
      const anonymous = face(transport, { baseUrl: url })
      const identified = face(transport, { baseUrl: url, clientId: "embedded-client" })
      const expired = face(transport, { baseUrl: url, accessToken: "not-a-token" })
      value(await anonymous("anime.get", { id: 1 }))
      expect(failure(await anonymous("user.animeList", { username: "sample_reader" }))).toMatchObject({ status: 403 })
      value(await identified("user.animeList", { username: "sample_reader" }))
      expect(failure(await identified("user.mangaList", { username: "@me" }))).toMatchObject({
        _tag: "ClientAuthError"
      })
      expect(failure(await expired("user.me"))).toMatchObject({ status: 401, code: "invalid_token" })
    })

    const text = { body: html }
    test.each<readonly [FaultName, object]>([
      ["redirect-302", isBrowser ? { status: 0, body: "" } : { status: 302, ...text }],
      ["redirect-307", isBrowser ? { status: 0, body: "" } : { status: 307, ...text }],
      ["bad-request", { status: 400, code: "bad_request", serviceMessage: "invalid" }],
      ["expired-token", { status: 401, code: "invalid_token" }],
      ["forbidden-json", { status: 403, code: "forbidden", body: { error: "forbidden", message: "" } }],
      ["forbidden-html", { status: 403, ...text }],
      ["not-found", { status: 404, code: "not_found" }],
      ["throttled", { status: 429, body: "", retryAfter: 7000 }],
      ["failing", { status: 500, ...text }],
      ["overloaded", { status: 503, body: "" }]
    ])("%s is an error that says so", async (fault, expected) => {
      const operations: ReadonlyArray<readonly [string, object]> = [
        ["anime.get", { id: 1 }],
        ["manga.updateMyListStatus", { id: 1, score: 1 }],
        ["anime.deleteFromList", { id: 1 }]
      ]
      for (const [name, params] of operations) {
        const error = failure(await meet(fault)(name, params))
        expect(error).toMatchObject({ _tag: "ClientRestError", reason: "Status", attempts: 1, ...expected })
        expect((error as Error).message).not.toMatch(/undefined|NaN|\[object/)
      }
    })
  })
