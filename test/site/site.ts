// The built site, as a reader's browser sees it.
import type { AxeResults } from "axe-core"
import { createRequire } from "node:module"
import { join } from "node:path"
import { chromium, type Browser, type Page } from "playwright"
import { afterAll, inject } from "vitest"
import { root } from "../readme.js"

/** The folder of the built site. */
export const folder = join(root, ".cache/site")

/** The origin of the built site. */
export const siteUrl = inject("siteUrl")

/** How a reader looks at a page: the theme, and the width of the window in pixels. */
export interface Look {
  readonly dark?: boolean
  readonly width?: number
}

/** A desktop and a phone, in light and in dark. */
export const looks: ReadonlyArray<Required<Look>> = [1280, 360].flatMap((width) =>
  [false, true].map((dark) => ({ dark, width }))
)

/** An open page. It is closed by `await using`. */
export interface Opened extends AsyncDisposable {
  readonly page: Page
  /** Errors on the console, exceptions, failed requests, and requests to another origin, which are refused. */
  readonly problems: ReadonlyArray<string>
  /** The paths of the requests to the site. */
  readonly requests: ReadonlyArray<string>
}

let browser: Promise<Browser> | undefined

afterAll(async () => {
  await (await browser)?.close()
})

/** Opens a page of the site by its path, such as `/errors`, in a new browser context. */
export const open = async (path: string, { dark = false, width = 1280 }: Look = {}): Promise<Opened> => {
  browser ??= chromium.connect(inject("chromiumUrl"))
  const context = await (
    await browser
  ).newContext({
    baseURL: siteUrl,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    viewport: { width, height: width < 600 ? 740 : 800 }
  })
  const page = await context.newPage()
  const problems: Array<string> = []
  const requests: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`)
  })
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`))
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`))
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`)
  })
  await context.route("**", (route) => {
    const { origin, pathname } = new URL(route.request().url())
    if (origin !== siteUrl) {
      problems.push(`another origin: ${route.request().url()}`)
      return route.abort()
    }
    requests.push(pathname)
    return route.continue()
  })
  await page.goto(path, { waitUntil: "networkidle" })
  return { page, problems, requests, [Symbol.asyncDispose]: () => context.close() }
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

/** What axe-core finds wrong with a page as it is now: a line for each element, none if all is well. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.addScriptTag({ path: axe })
  const results = await page.evaluate<AxeResults>("axe.run()")
  return results.violations.flatMap(({ help, id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(" ")}\n  ${failureSummary ?? ""}`)
  )
}
