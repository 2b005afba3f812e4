/**
 * What the public API for Effect 4 has that the one for Effect 3 does not have.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { differencesOnEffect4, folderOfEffect4 } from "../../scripts/generate/api.mjs"

const filesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".md"))
      .map((file) => [file, readFileSync(join(folder, file), "utf8")])
  )

test("the API differs as api/effect4 says; `npm run api` writes it", async () => {
  expect(await differencesOnEffect4()).toEqual(filesIn(folderOfEffect4))
}, 120_000)
