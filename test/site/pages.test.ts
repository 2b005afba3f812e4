import { expect, it } from "vitest"
import { open } from "./site.js"

it("opens a page without an error on the console or a request to another origin", async () => {
  await using site = await open("/operations/anime.get")
  expect(site.problems).toEqual([])
})
