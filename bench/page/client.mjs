// A page of 1 000 entries, in memory: the time of JSON.parse alone, of parsing and validation, and of a whole call.
import { Catalog, Credentials } from "@catalog-client/core"
import { AnimeListPage } from "@catalog-client/core/models"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { decodeUnknownSync } from "effect/Schema"
// Not exported by the package: a whole call would measure more.
import { readReply } from "../../packages/core/dist/internal/reply/guard.js"
import { answerWith } from "../fork.mjs"
import { cpuOf } from "../many.mjs"
import { overMemory } from "../overMemory.mjs"

/** @typedef {{ readonly page: string, readonly rounds: number, readonly quick: boolean }} Question */
/** @typedef {Record<"parse" | "checked" | "call" | "schema", Array<number>>} Taken Milliseconds of CPU, one for each round. */

const decode = decodeUnknownSync(AnimeListPage)

/** @param {string} page */
const worksOn = (page) => {
  const runtime = ManagedRuntime.make(Layer.merge(overMemory(page), Credentials.layer({ accessToken: "my-token" })))
  return {
    parse: () => JSON.parse(page),
    checked: () => readReply(AnimeListPage, JSON.parse(page)),
    /** From bytes to reply, through a fiber, including the garbage collection of replies that live longer. */
    call: () => runtime.runPromise(Catalog.user.animeList({ username: "@me", limit: 1000 })),
    /** Schema's own decoding, which keeps unknown members, too. */
    schema: () => decode(JSON.parse(page))
  }
}

/**
 * Milliseconds of CPU for one run.
 *
 * @param {() => unknown} work
 * @param {number} count
 */
const slice = async (work, count) => {
  const cpu = await cpuOf(async () => {
    for (let time = 0; time < count; time++) {
      await work()
    }
  })
  return cpu / 1000 / count
}

/** @param {Question} question */
const measure = async ({ page, rounds, quick }) => {
  const { call, schema, ...works } = worksOn(page)
  const checked = /** @type {Awaited<ReturnType<typeof call>>} */ (works.checked())
  for (const { data } of [checked, await call()]) {
    const last = JSON.stringify(data[999] ?? {})
    if (data.length !== 1000 || !last.includes('"blurhash"') || !last.includes('"mood"')) {
      throw new Error("the page lost entries or members")
    }
  }
  /** @type {Taken} */
  const taken = { parse: [], checked: [], call: [], schema: [] }
  for (const work of Object.values(works)) {
    await slice(work, 150)
  }
  for (let round = 0; round < rounds; round++) {
    taken.parse.push(await slice(works.parse, 50))
    taken.checked.push(await slice(works.checked, 50))
  }
  if (!quick) {
    await slice(call, 100)
    for (let round = 0; round < rounds; round++) {
      taken.call.push(await slice(call, 50))
      taken.schema.push(await slice(schema, 5))
    }
  }
  return taken
}

answerWith(measure)
