// The built site, as a reader's browser sees it.
import type { AxeResults } from "axe-core"
import { join } from "node:path"
import { chromium, type BrowserContextOptions, type Page } from "playwright"
import { inject } from "vitest"
import { isFull } from "../../packages/core/test/support/full.js"
import { root } from "../../test/readme.js"

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

/** An open page. It is left by `await using`. */
export interface Opened extends AsyncDisposable {
  readonly page: Page
  /** Errors on the console, exceptions, failed requests, and requests to another origin. */
  readonly problems: ReadonlyArray<string>
  /** The paths of the requests to the site. */
  readonly requests: ReadonlyArray<string>
}

const sizeOf = (width: number) => ({ width, height: width < 600 ? 740 : 800 })

let browser: ReturnType<typeof chromium.connect> | undefined

/** A tab of the browser, with its own storage and permissions. */
export const openTab = async (options: BrowserContextOptions): Promise<Page> => {
  browser ??= chromium.connect(inject("chromiumUrl"))
  return (await (await browser).newContext({ baseURL: siteUrl, ...options })).newPage()
}

/** What the browser has said and asked for since a page was opened. */
let seen: { readonly problems: Array<string>; readonly requests: Array<string> } = { problems: [], requests: [] }

/** A tab whose events are seen. */
const openSeenTab = async (options: BrowserContextOptions): Promise<Page> => {
  const page = await openTab(options)
  page.on("console", (message) => {
    if (message.type() === "error") {
      seen.problems.push(`console: ${message.text()}`)
    }
  })
  page.on("pageerror", (error) => seen.problems.push(`exception: ${error.message}`))
  page.on("requestfailed", (request) => seen.problems.push(`failed: ${request.url()}`))
  page.on("response", (response) => {
    if (response.status() >= 400) {
      seen.problems.push(`${response.status()}: ${response.url()}`)
    }
  })
  page.on("request", (request) => {
    const { origin, pathname, protocol } = new URL(request.url())
    if (protocol === "data:") {
      return
    }
    if (origin === siteUrl) {
      seen.requests.push(pathname)
    } else {
      seen.problems.push(`another origin: ${request.url()}`)
    }
  })
  return page
}

/** The tabs of this process, with a mouse and for touch. A page takes a third of the time where another one was open before. */
const tabs = new Map<boolean, Promise<Page>>()

/** All looks with `full` tests, otherwise one after the other, for the first page, the second, … */
export const looksOf = (page: number): ReadonlyArray<Required<Look>> =>
  isFull ? looks : looks.filter((_, look) => look === page % looks.length)

/** Opens a page of the site by its path, such as `/errors`, as if none had been open before. One page is open at a time. */
export const open = async (
  path: string,
  { dark = false, touch = false, width = 1280 }: Opening = {}
): Promise<Opened> => {
  const tab = tabs.get(touch) ?? openSeenTab({ hasTouch: touch, isMobile: touch, reducedMotion: "reduce" })
  tabs.set(touch, tab)
  const page = await tab
  const leave = async (): Promise<void> => {
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await page.context().clearPermissions()
    await page.goto("/empty")
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
  }
  seen = { problems: [], requests: [] }
  await page.setViewportSize(sizeOf(width))
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" })
  await page.goto(path)
  // Until then the page does not know its keys.
  await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}))
  return { page, ...seen, [Symbol.asyncDispose]: leave }
}

/** Shows an open page in another look, from its top. */
export const restyle = async (page: Page, { dark, width }: Required<Look>): Promise<void> => {
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" })
  await page.setViewportSize(sizeOf(width))
  await page.waitForFunction((dark) => document.documentElement.classList.contains("dark") === dark, dark)
  // Elsewhere the bar may cover half of a button.
  await page.evaluate(() => scrollTo(0, 0))
}

/**
 * The Tab stops of a page, down and up again, whose focus a reader does not see: something is over it, it has no outline, or what
 * is around it cuts off all sides of that.
 */
export const unseenStops = async (page: Page): Promise<ReadonlyArray<string>> => {
  // From now on the browser shows where the focus is.
  await page.keyboard.press("Tab")
  return page.evaluate(() => {
    const isCutOff = (stop: Element): boolean => {
      const { outlineOffset, outlineStyle, outlineWidth } = getComputedStyle(stop)
      const room = parseFloat(outlineOffset) + parseFloat(outlineWidth)
      const { bottom, left, right, top } = stop.getBoundingClientRect()
      const cuts = (around: Element | null): boolean => {
        if (around === null) {
          return false
        }
        const box = around.getBoundingClientRect()
        const isCut = [box.top - top, box.left - left, bottom - box.bottom, right - box.right].every(
          (by) => by + room > 1
        )
        return (isCut && getComputedStyle(around).overflow !== "visible") || cuts(around.parentElement)
      }
      return outlineStyle === "none" || cuts(stop.parentElement)
    }
    const isCovered = (stop: Element): boolean => {
      const { height, left, top, width } = stop.getClientRects()[0] ?? new DOMRect()
      const [from, to] = [Math.max(top, 0), Math.min(top + height, innerHeight)]
      const shown = document.elementFromPoint(left + width / 2, (from + to) / 2)
      return shown === null || !(stop.contains(shown) || shown.contains(stop))
    }
    const stops = [...document.querySelectorAll<HTMLElement>("a, button, input, select, summary, [tabindex]")].filter(
      (stop) => stop.tabIndex >= 0 && stop.checkVisibility({ visibilityProperty: true })
    )
    const unseen = [...stops, ...stops.toReversed()].filter((stop) => {
      stop.focus()
      return isCovered(stop) || isCutOff(stop)
    })
    // A link that is shown while it has the focus covers others.
    stops[0]?.blur()
    return unseen.map(({ className, tagName, textContent }) => `${tagName} ${className}: ${textContent.slice(0, 60)}`)
  })
}

/** What axe-core finds wrong with a page as it is now: a line for each element, none if all is well. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.addScriptTag({ url: "/axe.min.js" })
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
