// What the pages look like, roughly: fonts and Chromium differ between machines, a lost style or layout does not pass.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright"
import { expect, it } from "vitest"
import { isFull } from "../../packages/core/test/support/full.js"
import { type Look, open } from "./site.js"

/** Small pictures of the pages, made by the first run without one. */
const kept = join(import.meta.dirname, "snapshots/pictures")
mkdirSync(kept, { recursive: true })

const light: Look = { dark: false, width: 1280 }
const phone: Look = { dark: true, width: 360 }

const pictures: ReadonlyArray<readonly [name: string, path: string, look: Look]> = [
  ["home", "/", light],
  ["explore-phone", "/explore", phone],
  ["tutorial", "/start/promise", light],
  ["operation-phone", "/operations/anime", phone],
  ["errors", "/errors/", light],
  ["explore", "/explore", light]
]

/** A picture in an eighth of its size, and the share of its colours that differ from a kept one. Two pages differ by 0.14 or more. */
const compared = (page: Page, taken: string, before: string | undefined) =>
  page.evaluate(
    async ({ before, taken }) => {
      const pointsOf = async (base64: string, scale: number) => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
        const canvas = document.createElement("canvas")
        canvas.width = Math.round(bitmap.width / scale)
        canvas.height = Math.round(bitmap.height / scale)
        const context = canvas.getContext("2d")
        if (context === null) {
          throw new Error("no canvas")
        }
        context.imageSmoothingQuality = "high"
        context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
        return { data, small: canvas.toDataURL("image/png").split(",")[1] ?? "" }
      }
      // The fourth byte of each point is its opacity, and the same.
      const colours = 0.75
      const now = await pointsOf(taken, 8)
      if (before === undefined) {
        return { small: now.small, different: 0 }
      }
      const { data } = await pointsOf(before, 1)
      if (data.length !== now.data.length) {
        return { small: now.small, different: 1 }
      }
      const isDifferent = (_: number, at: number) => Math.abs((data[at] ?? 0) - (now.data[at] ?? 0)) > 16
      return { small: now.small, different: [...data].filter(isDifferent).length / (data.length * colours) }
    },
    { before, taken }
  )

it.each(isFull ? pictures : pictures.slice(0, 2))("%s looks as before", async (name, path, look) => {
  await using site = await open(path, look)
  const { page } = site
  if (path === "/explore") {
    await page.getByText("3 results.").waitFor()
  }
  const taken = (await page.screenshot({ animations: "disabled", caret: "hide" })).toString("base64")
  const file = join(kept, `${name}.png`)
  const before = existsSync(file) ? readFileSync(file).toString("base64") : undefined
  const { different, small } = await compared(page, taken, before)
  if (before === undefined) {
    writeFileSync(file, Buffer.from(small, "base64"))
  }
  expect(before, `there was no picture ${name}.png; now there is`).toBeDefined()
  expect(different).toBeLessThan(0.1)
})
