// The built site, as a reader's browser sees it.
import type { AxeResults } from "axe-core"
import { createRequire } from "node:module"
import { join } from "node:path"
import { chromium, type Browser, type Page } from "playwright"
import { afterAll, inject } from "vitest"
import { isFull } from "../../packages/core/test/support/full.js"
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

/** How a page is opened: `touch` for a screen without a mouse. */
interface Opening extends Look {
  readonly touch?: boolean
}

/** A light desktop and a dark phone, and with `full` a dark desktop and a light phone. */
export const looks: ReadonlyArray<Required<Look>> = [
  { dark: false, width: 1280 },
  { dark: true, width: 360 },
  ...(isFull
    ? [
        { dark: true, width: 1280 },
        { dark: false, width: 360 }
      ]
    : [])
]

/** An open page. It is closed by `await using`. */
export interface Opened extends AsyncDisposable {
  readonly page: Page
  /** Errors on the console, exceptions, failed requests, and and requests to another origin. */
  readonly problems: ReadonlyArray<string>
  /** The paths of the requests to the site. */
  readonly requests: ReadonlyArray<string>
}

const sizeOf = (width: number) => ({ width, height: width < 600 ? 740 : 800 })

let browser: Promise<Browser> | undefined

afterAll(async () => {
  await (await browser)?.close()
})

/** All looks with `full` tests, otherwise one after the other, for the first page, the second, … */
export const looksOf = (page: number): ReadonlyArray<Required<Look>> =>
  isFull ? looks : looks.filter((_, look) => look === page % looks.length)

/** Opens a page of the site by its path, such as `/errors`, in a new browser context. */
export const open = async (
  path: string,
  { dark = false, touch = false, width = 1280 }: Opening = {}
): Promise<Opened> => {
  browser ??= chromium.connect(inject("chromiumUrl"))
  const context = await (
    await browser
  ).newContext({
    baseURL: siteUrl,
    colorScheme: dark ? "dark" : "light",
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: "reduce",
    viewport: sizeOf(width)
  })
  const page = await context.newPage()
  const problems: Array<string> = []
  const requests: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") {
      problems.push(`console: ${message.text()}`)
    }
  })
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`))
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`))
  page.on("response", (response) => {
    if (response.status() >= 400) {
      problems.push(`${response.status()}: ${response.url()}`)
    }
  })
  page.on("request", (request) => {
    const { origin, pathname, protocol } = new URL(request.url())
    if (protocol === "data:") {
      return
    }
    if (origin === siteUrl) {
      requests.push(pathname)
    } else {
      problems.push(`another origin: ${request.url()}`)
    }
  })
  await page.goto(path)
  // Until then the page does not know its keys.
  await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}))
  return { page, problems, requests, [Symbol.asyncDispose]: () => context.close() }
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

/** Shows an open page in another look. */
export const restyle = async (page: Page, { dark, width }: Required<Look>): Promise<void> => {
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" })
  await page.setViewportSize(sizeOf(width))
  await page.waitForFunction((dark) => document.documentElement.classList.contains("dark") === dark, dark)
}

/** What axe-core finds wrong with a page as it is now: a line for each element, none if all is well. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.addScriptTag({ path: axe })
  }
  const results = await page.evaluate<AxeResults>(
    'axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })'
  )
  return results.violations.flatMap(({ help, id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(" ")}\n  ${failureSummary ?? ""}`)
  )
}

/** The same in several looks: in all, unless others are given. */
export const violationsInAnyLook = async (
  page: Page,
  among: ReadonlyArray<Required<Look>> = looks
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const look of among) {
    await restyle(page, look)
    for (const line of await violations(page)) {
      found.push(`${look.dark ? "dark" : "light"}, ${look.width} px: ${line}`)
    }
  }
  return found
}
