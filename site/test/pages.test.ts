import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { ClientRestError } from "@catalog-client/core"
import type { Page } from "playwright"
import { describe, expect, it } from "vitest"
import { isFull, sampled } from "../../packages/core/test/support/full.js"
import { linkFrom, pages } from "../pages.js"
import { run } from "./programs.js"
import { folder, looks, looksOf, open, openTab, unseenStops, violations, violationsInAnyLook } from "./site.js"

const all = [...pages.keys()].map((file) => linkFrom(".", file))

const domains = ["anime", "manga", "user", "forum"]

const ofApi = all.filter((path) => path.startsWith("/api/"))

/** Every page with `full` tests; otherwise an operation and a page of the API: other tests look at programs and Explore. */
const paths = isFull ? all : ["/operations/anime", ...sampled(ofApi, ofApi.length)]

/** What a reader can scroll sideways: the page itself, or an element of its content, except a diagram, whose text stays readable so. */
const scrolledSideways = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("#VPContent :not(.diagram)")]
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
      .filter(
        (element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)
      )
      .map(({ className, tagName }) => `${tagName} ${className}`)
  )

/** How much has moved since a page was opened, as browsers measure it. */
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            sum += (entry as PerformanceEntry & { readonly value: number }).value
          }
        })
        observer.observe({ type: "layout-shift", buffered: true })
        setTimeout(() => resolve(sum), 500)
      })
  )

/** Opens the search as a reader does, and enters a text, all at once: the results of its first letters would lead elsewhere. */
const search = async (page: Page, text: string) => {
  await page.keyboard.press("Control+k")
  await page.locator(".search-input:focus").waitFor()
  await page.keyboard.insertText(text)
  await page.locator(".VPLocalSearchBox .result").first().waitFor()
}

describe.each(paths.map((path, index) => ({ path, index })))("$path", ({ index, path }) => {
  it("is accessible in light and dark, on a desktop and a phone, and asks only the site", async () => {
    await using site = await open(path)
    if (/^\/api\/./.test(path)) {
      await site.page.getByRole("button", { name: "Open all sections" }).click()
    }
    // Without `full`, the first on a phone, the next on a desktop.
    expect(await violationsInAnyLook(site.page, looksOf(index + 1))).toEqual([])
    expect(await unseenStops(site.page)).toEqual([])
    expect(site.problems).toEqual([])
  })
})

/** The indented lines of code whose first row is empty: what begins them has wrapped to the next one. */
const emptyRows = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("main pre .line")].flatMap((line) => {
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
      let text = texts.nextNode()
      while (text !== null && !/\S/.test(text.textContent ?? "")) {
        text = texts.nextNode()
      }
      if (text === null) {
        return []
      }
      const start = (text.textContent ?? "").search(/\S/)
      const first = document.createRange()
      first.setStart(text, start)
      first.setEnd(text, start + 1)
      return first.getBoundingClientRect().top - line.getBoundingClientRect().top > 12 ? (line.textContent ?? "") : []
    })
  )

describe("without scripts, which do not change the layout and take most of the time of a page", () => {
  it("nothing scrolls sideways, neither a page nor a table in it, and no line of code begins with an empty row", async () => {
    const page = await openTab({ javaScriptEnabled: false })
    const found: Array<string> = []
    const withLongLines = ["/operations/anime", "/testing", "/recipes/sign-in"]
    for (const path of new Set(["/terms", "/install", "/comparison", ...withLongLines, ...sampled(all, 24)])) {
      await page.goto(path)
      // At 1280 px the outline leaves as much room as there is at 1024 px without it.
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 740 })
        const parts = [...(await scrolledSideways(page)), ...(await emptyRows(page))]
        found.push(...parts.map((part) => `${path}, ${width} px: ${part}`))
      }
    }
    // The name of an operation does not break.
    await page.goto("/operations/")
    const name = page.getByRole("link", { name: "anime.updateMyListStatus" }).locator("code")
    expect(await name.evaluate((code) => code.getClientRects().length)).toBe(1)
    // What a member is has the most room of its row.
    await page.goto("/operations/anime")
    const row = page.locator("main table").first().locator("tr").last()
    const widths = await row.locator("td").evaluateAll((cells) => cells.map((cell) => cell.clientWidth))
    await page.context().close()
    expect(found).toEqual([])
    expect(widths.length).toBe(3)
    expect(Math.max(...widths.slice(0, 2)) * 1.5).toBeLessThan(widths[2] ?? 0)
  })

  it("a comma stands close to the code before it", async () => {
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto("/errors/")
    const gaps = await page.evaluate(() => {
      const boxOf = (node: Node, start: number, end: number) => {
        const range = document.createRange()
        range.setStart(node, start)
        range.setEnd(node, end)
        return range.getBoundingClientRect()
      }
      return [...document.querySelectorAll("main td > code")].flatMap(({ firstChild: name, nextSibling: next }) =>
        name?.nodeType === Node.TEXT_NODE && next?.textContent?.startsWith(",") === true
          ? boxOf(next, 0, 1).left - boxOf(name, 0, name.textContent?.length ?? 0).right
          : []
      )
    })
    await page.context().close()
    expect(gaps.length).toBeGreaterThan(5)
    expect(gaps.filter((gap) => gap > 3)).toEqual([])
  })
})

it("beside the sidebar of a small window, a title has the width of the page", async () => {
  await using site = await open("/operations/anime", { width: 1024 })
  const title = site.page.getByRole("heading", { level: 1 })
  const copy = site.page.getByRole("button", { name: "Copy page as Markdown" })
  const { height, y } = (await title.boundingBox()) ?? { height: 0, y: 0 }
  const button = await copy.boundingBox()
  expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThanOrEqual(y)
  await copy.evaluate((button) => button.remove())
  expect(await title.boundingBox()).toMatchObject({ height, y })
})

describe("a page does not move while it is opened", () => {
  it("without its outline, which comes last", async () => {
    await using site = await open("/recipes/sveltekit", { width: 1280 })
    const content = async () => {
      const { width = 0, x = 0 } = (await site.page.locator(".vp-doc").boundingBox()) ?? {}
      return { width, x }
    }
    const before = await content()
    await site.page.locator(".aside").evaluate((aside) => aside.remove())
    expect(await content()).toEqual(before)
  })

  it("without scripts: the group of the page is open in the sidebar, and its date is there", async () => {
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto("/operations/anime")
    expect(await page.locator(".VPSidebar").getByRole("link", { name: "Anime", exact: true }).isVisible()).toBe(true)
    await page.goto("/fields")
    const date = page.locator(".VPLastUpdated")
    expect((await date.count()) === 0 || /\d{4}-\d\d-\d\d/.test(await date.innerText())).toBe(true)
    await page.context().close()
  })
})

it.each([
  ["/recipes/react", "Recipes"],
  ["/recipes/sign-in", "Guides"],
  ["/reference/", "Reference"]
])("the bar at the top marks the section of %s", async (path, section) => {
  await using site = await open(path)
  expect(await site.page.locator(".VPNavBarMenu .active").allInnerTexts()).toEqual([section])
  const current = path === linkFrom(".", `docs/sections/${section.toLowerCase()}.md`) ? "page" : "true"
  expect(await site.page.locator(`.VPNavBarMenu [aria-current=${current}]`).allInnerTexts()).toEqual([section])
})

it("a block of code without hovers is no Tab stop, nor a table", () => {
  const stops = [...pages.values()].flatMap((address) => {
    const html = readFileSync(join(folder, address.replace(/md$/, "html")), "utf8")
    return Array.from(html.matchAll(/<(?:pre|table) [^>]*tabindex="0"[^>]*>/g), ([block]) => block)
  })
  expect(stops.filter((block) => !block.includes("twoslash"))).toEqual([])
})

it("without scripts, what is in tabs is all there, Explore says what it needs, and on paper there is nothing to press", async () => {
  const page = await openTab({ javaScriptEnabled: false })
  await page.goto("/")
  for (const text of ["npm install catalog-client", "Effect.gen"]) {
    expect(await page.locator("main code").filter({ hasText: text }).first().isVisible()).toBe(true)
  }
  expect(await page.getByRole("tab").count()).toBe(0)
  await page.emulateMedia({ media: "print" })
  expect(await page.getByRole("button").count()).toBe(0)
  expect(await page.locator("main code").first().isVisible()).toBe(true)
  await page.goto("/explore")
  expect(await page.locator("noscript p").isVisible()).toBe(true)
  await page.context().close()
})

it.each([1280, 768])("a table of text is as wide as the page: %i px", async (width) => {
  const page = await openTab({ javaScriptEnabled: false, viewport: { width, height: 740 } })
  await page.goto("/terms")
  const rooms = await page
    .locator("main table")
    .evaluateAll((tables) => tables.map((table) => (table.parentElement?.clientWidth ?? 0) - table.clientWidth))
  await page.context().close()
  expect(rooms.length).toBeGreaterThan(0)
  expect(Math.max(...rooms)).toBeLessThan(2)
})

it("a block of code has an edge where the browser replaces the colors", async () => {
  const page = await openTab({ javaScriptEnabled: false, forcedColors: "active" })
  await page.goto("/start/promise")
  const edges = await page
    .locator("main pre")
    .evaluateAll((blocks) => blocks.map((block) => getComputedStyle(block).borderTopWidth))
  await page.context().close()
  expect(edges.length).toBeGreaterThan(1)
  expect(new Set(edges)).toEqual(new Set(["1px"]))
})

describe("on a phone", () => {
  const phone = { width: 390 }

  it("the name of a module breaks after a slash, and the page is copied at its end", async () => {
    await using site = await open("/api/oauth", phone)
    const { page } = site
    // The longest name, and the narrowest phone: the site has no smaller width.
    const title = page.getByRole("heading", { level: 3, name: "@catalog-client/oauth/browser" }).locator("code")
    await page.setViewportSize({ width: 320, height: 740 })
    const lines = await title.evaluate((title) => ({
      rows: new Set([...title.getClientRects()].map(({ top }) => top)).size,
      parts: [...title.childNodes].flatMap((node) => (node instanceof Text ? node.data : []))
    }))
    expect(lines).toEqual({ rows: 2, parts: ["@catalog-client/", "oauth/", "browser"] })
    await page.setViewportSize({ width: 390, height: 740 })
    const copy = await page.getByRole("button", { name: "Copy page as Markdown" }).boundingBox()
    expect(copy?.height).toBeGreaterThan(36)
    const text = await page.locator("main .vp-doc").boundingBox()
    expect(copy?.y).toBeGreaterThan((text?.y ?? 0) + (text?.height ?? Number.POSITIVE_INFINITY) - 1)
    // The button that copies a block covers no code.
    const rows = await page.locator("main button.copy").evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { bottom, left } = button.getBoundingClientRect()
        const code = [...(button.parentElement?.querySelectorAll(".line") ?? [])]
        return code.map((line) => line.getBoundingClientRect()).map(({ right, top }) => top >= bottom || right <= left)
      })
    )
    expect(rows.length).toBeGreaterThan(10)
    expect(rows).not.toContain(false)
    // The outline marks the section that is read.
    const heading = page.locator("main h2").last()
    await page.evaluate((id) => location.assign(`#${id}`), (await heading.getAttribute("id")) ?? "")
    // A click by mouse would scroll the page.
    await page.getByRole("button", { name: "On this page" }).evaluate((button) => (button as HTMLElement).click())
    const current = page.locator(".VPLocalNav [aria-current]")
    const section = (await heading.innerText()).replaceAll("\u200b", "").trim()
    await expect.poll(() => current.allInnerTexts()).toEqual([section])
    expect(await violations(page)).toEqual([])
  })

  it("the outline of a long page shows its groups, and what is in one when it is wanted", async () => {
    await using site = await open("/api/catalog-client", phone)
    const { page } = site
    const outline = page.getByRole("navigation", { name: "On this page" })
    // Playwright would scroll the page to the button.
    const press = async () =>
      page.getByRole("button", { name: "On this page" }).evaluate((button) => (button as HTMLElement).click())
    await press()
    const links = outline.getByRole("link")
    const groups = await links.count()
    expect(groups).toBeLessThan(60)
    expect(await outline.getByRole("link", { name: "CallOptions" }).count()).toBe(0)
    await outline.locator("summary", { hasText: "In: Set the options of a call" }).press("Enter")
    await outline.getByRole("link", { name: "CallOptions" }).waitFor()
    expect(await violations(page)).toEqual([])
    await outline.getByRole("link", { name: "CallOptions" }).press("Enter")
    await page.waitForURL("**#calloptions")
    // It opens again where the reader is.
    await press()
    await outline.getByRole("link", { name: "CallOptions" }).and(page.locator("[aria-current]")).waitFor()
    expect(await links.count()).toBeLessThan(groups + 12)
  })

  it("the outline scrolls to the current name, also to the last of a long group", async () => {
    await using site = await open("/api/catalog-client#suggestionsoptions", phone)
    const { page } = site
    await page.getByRole("button", { name: "On this page" }).evaluate((button) => (button as HTMLElement).click())
    const current = page.getByRole("navigation", { name: "On this page" }).locator("[aria-current]")
    const bottom = async () => {
      const { height = Infinity, y = 0 } = (await current.boundingBox()) ?? {}
      return y + height
    }
    await expect.poll(bottom).toBeLessThan(740)
    expect(await current.innerText()).toBe("SuggestionsOptions")
  })

  it("a row of a table is its title, and cells with the heads of their columns", async () => {
    await using site = await open("/terms", phone)
    const table = site.page.locator("main table").first()
    const [, ...heads] = await table.getByRole("columnheader").allTextContents()
    expect(heads.length).toBe(2)
    const cells = await table.getByRole("row").nth(1).getByRole("cell").all()
    const shown = cells.map((cell) =>
      cell.evaluate((cell) => getComputedStyle(cell, "::before").content.split(" /")[0])
    )
    expect(await Promise.all(shown)).toEqual(["none", ...heads.map((head) => JSON.stringify(head))])
    const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()))
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(1)
    // A type and a description need no head.
    await site.page.goto("/operations/records")
    const row = site.page.locator("#anime-mean td")
    const labels = await row.evaluateAll((cells) =>
      cells.map((cell) => getComputedStyle(cell, "::before").display !== "none" && cell.getAttribute("data-label"))
    )
    expect(labels.slice(1)).toEqual([false, "when", false])
    // A name, its type and when it is sent share a line.
    const tops = await row.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top))
    expect(tops.map((top) => top === tops[0])).toEqual([true, true, true, false])
  })

  it.each(sampled(["/", "/explore", "/no/such/page"], 3))(
    "the menu of %s leads to the pages of each section",
    async (path) => {
      await using site = await open(path, phone)
      const { page } = site
      const button = page.getByRole("button", { name: "Main menu" })
      const menu = page.locator(".VPNavScreen")
      // The bar stays, also further down the page.
      await page.evaluate(() => scrollTo(0, 600))
      expect((await button.boundingBox())?.y).toBe(0)
      await button.press("Enter")
      await menu.getByRole("link").last().focus()
      // What the menu covers is no Tab stop.
      await page.keyboard.press("Tab")
      expect(await page.evaluate(() => document.activeElement?.closest(".Layout") ?? null)).toBeNull()
      await page.keyboard.press("Escape")
      await button.and(page.locator(":focus")).press("Enter")
      expect(await violations(page)).toEqual([])
      await menu.getByRole("link", { name: "Guides" }).click()
      await page.waitForURL("**/guides/")
      await menu.waitFor({ state: "detached" })
      await page.locator("main").getByRole("link", { name: "Whole lists" }).click()
      await page.waitForURL("**/whole-lists")
      expect(site.problems.filter((problem) => !problem.includes("404"))).toEqual([])
    }
  )

  it("the sidebar is a Tab stop only while it is open, and then all else is none", async () => {
    await using site = await open("/calls", phone)
    const { page } = site
    const button = page.getByRole("button", { name: "Menu", exact: true })
    const where = () => page.evaluate(() => document.activeElement?.closest(".VPSidebar, .Layout")?.className ?? "none")
    await page.locator(".VPDocFooter a").last().focus()
    await page.keyboard.press("Tab")
    expect(await where()).toBe("none")
    await button.press("Enter")
    await page.locator(".VPSidebar .nav:focus").waitFor()
    const places: Array<string> = []
    for (const key of ["Shift+Tab", "Tab", "Tab"]) {
      await page.keyboard.press(key)
      places.push(await where())
    }
    expect(new Set(places)).toEqual(new Set(["VPSidebar open", "none"]))
    await page.keyboard.press("Escape")
    await button.and(page.locator(":focus")).waitFor()
    expect(site.problems).toEqual([])
  })

  it.each([
    ["On this page", 390],
    ["extra navigation", 900]
  ])("Escape closes a menu, whose button gets the focus: %s, %i px", async (name, width) => {
    await using site = await open("/fields", { width })
    const { page } = site
    const button = page.getByRole("button", { name })
    const isOpen = () => button.getAttribute("aria-expanded")
    await button.press("Enter")
    expect(await isOpen()).toBe("true")
    await page.keyboard.press("Tab")
    expect(await button.and(page.locator(":focus")).count()).toBe(0)
    await page.keyboard.press("Escape")
    expect(await isOpen()).toBe("false")
    await button.and(page.locator(":focus")).press("Enter")
    // It covers nothing that has the focus.
    await page.locator("main a").first().focus()
    await expect.poll(isOpen).toBe("false")
  })

  it("the home page does not move while it loads", async () => {
    await using site = await open("/", { width: 390 })
    // A bar that comes or goes above the page is far more, a button in the bar that is painted early is less.
    expect(await shifts(site.page)).toBeLessThan(0.005)
  })

  it("a list of Explore does not move while it loads", async () => {
    await using site = await open("/explore?view=list", { width: 390 })
    await site.page.locator(".entries li").first().waitFor()
    expect(await shifts(site.page)).toBeLessThan(0.002)
  })

  it("a row of a text and a number stays a row", async () => {
    await using site = await open("/performance", phone)
    const table = site.page
      .getByRole("table")
      .filter({ has: site.page.getByRole("columnheader", { name: "Calls from memory" }) })
    const cells = await table.first().getByRole("row").nth(1).getByRole("cell").all()
    const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()))
    expect(boxes.length).toBe(2)
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
  })
})

it("an unknown address is accessible too, and opens the search with its last part", async () => {
  await using site = await open("/there/is/no/such/whole-lists")
  const { page } = site
  expect(await violationsInAnyLook(page, looksOf(0))).toEqual([])
  await page.getByRole("button", { name: "Search for the page" }).press("Enter")
  await page.locator(".VPLocalSearchBox .result").first().waitFor()
  expect(await page.locator(".search-input").inputValue()).toBe("whole-lists")
  const links = await page
    .locator(".not-found a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")))
  expect(links).toEqual(["/", "/operations/", "/errors/", "/api/#all-names"])
  expect(site.problems.filter((problem) => !problem.includes("404"))).toEqual([])
})

it("an address with capital letters or a slash at its end leads to its page", async () => {
  await using site = await open("/Calls/?from=mail#many-users")
  const { page } = site
  await page.waitForURL("**/calls?from=mail#many-users")
  await page.getByRole("heading", { level: 2, name: "Many users" }).waitFor()
})

it.each(sampled([1280, 390], 2))(
  "the address of an operation in a message leads to its section, below the bar, as a link of a page does: %i px",
  async (width) => {
    await using site = await open("/fields", { width })
    const { page } = site
    const heading = page.locator("#animeranking")
    /** How far the heading is from the top, once it is there and nothing covers it. */
    const shown = async () => {
      await expect
        .poll(() =>
          heading.evaluate((heading) => {
            const { left, top } = heading.getBoundingClientRect()
            return heading.contains(document.elementFromPoint(left + 1, top + 8))
          })
        )
        .toBe(true)
      return (await heading.boundingBox())?.y ?? 0
    }
    await page.goto("/operations/anime.ranking")
    await page.waitForURL("**/operations/anime#animeranking")
    const direct = await shown()
    await page.goto("/operations/")
    await page.locator("main").getByRole("link", { name: "anime.ranking" }).first().click()
    await page.waitForURL("**/operations/anime#animeranking")
    // The browser leaves the room above a heading of this level in view, too: 24 px.
    expect(Math.abs((await shown()) - direct)).toBeLessThan(25)
    if (width > 1000) {
      // The outline is longer than the window, and follows the reader.
      await page.goto("/operations/records")
      const current = page.locator('.VPDocAsideOutline [aria-current="location"]')
      await page.locator("main").getByRole("link", { name: "Video", exact: true }).first().click()
      await expect.poll(() => current.allTextContents()).toEqual(["Video"])
      // The end of the page is reached before its heading is at the top.
      await page.evaluate(() => (location.hash = "#source"))
      await expect.poll(() => current.allTextContents()).toEqual(["Source"])
      const box = await current.boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)).toBeLessThan(800)
    } else {
      // The bar that stays in view. Playwright would scroll the page to it.
      const bar = page.locator(".VPLocalNav")
      const press = (name: string) =>
        bar.getByRole("button", { name }).evaluate((button: HTMLElement) => button.click())
      await press("On this page")
      await expect.poll(() => bar.locator("[aria-current]").allInnerTexts()).toEqual(["anime.ranking"])
      await press("Search")
      await page.getByRole("combobox").waitFor()
    }
    expect(site.problems).toEqual([])
  }
)

it.each(["/errors/#%zz", "/errors/#%", "/operations/anime#%E0%A4"])(
  "a malformed escape in the fragment of %s does no harm",
  async (address) => {
    await using site = await open(address)
    await site.page.evaluate(() => (location.hash = "#%ff"))
    // The page is mounted: its menu works.
    await site.page.getByRole("link", { name: "Terms" }).first().click()
    await site.page.waitForURL("**/terms")
    expect(site.problems).toEqual([])
  }
)

it("a page that cannot be loaded says so, and loads again", async () => {
  await using site = await open("/fields")
  const { page } = site
  await page.route(/errors_index\.md\.[^/]*\.js|hashmap\.json/, (route) => route.abort())
  await page.locator(".VPSidebar").getByRole("link", { name: "Errors", exact: true }).click()
  await page.getByRole("heading", { name: "Not loaded" }).waitFor()
  await expect.poll(() => page.title()).toBe("Not loaded")
  expect(await violations(page)).toEqual([])
  await page.unroute(/errors_index\.md\.[^/]*\.js|hashmap\.json/)
  await page.getByRole("button", { name: "Reload" }).click()
  await page.getByRole("heading", { name: "Errors", level: 1 }).waitFor()
})

it("at most 12 Tab stops are before a page, and the second leads to the sidebar", async () => {
  await using site = await open("/operations/anime")
  const { page } = site
  let stops = 0
  const isInPage = () => page.evaluate(() => document.activeElement?.closest(".VPDoc .content") !== null)
  while (stops < 20 && !(await isInPage())) {
    await page.keyboard.press("Tab")
    stops++
  }
  // The last one is in the page.
  expect(stops - 1).toBeLessThanOrEqual(12)
  expect(stops).toBeGreaterThan(5)
  await page.getByRole("link", { name: "Skip to menu" }).press("Enter")
  await page.locator(".VPSidebar .nav:focus").waitFor()
})

it("a page is printed in the light theme, and shown in the dark one again", async () => {
  await using site = await open("/fields", { dark: true })
  const colors = await site.page.evaluate(() =>
    ["load", "beforeprint", "afterprint"].map((event) => {
      dispatchEvent(new Event(event))
      return getComputedStyle(document.body).color
    })
  )
  expect(colors[2]).toBe(colors[0])
  expect(colors[1]).not.toBe(colors[0])
})

it("a page is copied as Markdown", async () => {
  await using site = await open("/fields")
  const { page } = site
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  // It is told for two seconds, in which a busy machine may not look.
  const told = page.getByRole("status").getByText("Copied.")
  await Promise.all([told.waitFor(), page.getByRole("button", { name: "Copy page as Markdown" }).click()])
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(readFileSync(join(folder, "fields.md"), "utf8"))
  // A block of code too, whose button keeps the focus.
  await told.waitFor({ state: "detached" })
  const button = page.getByRole("button", { name: /^Copy: / }).first()
  await Promise.all([told.waitFor(), button.press("Enter")])
  await told.waitFor({ state: "detached" })
  expect(await button.and(page.locator(":focus")).count()).toBe(1)
  // Markdown has no tabs.
  expect(readFileSync(join(folder, "start/effect.md"), "utf8")).toMatch(
    /With Effect 4:\n\n```ts\n[^~]+ Context[.]Service<Shelf>[^~]+```\n\nWith Effect 3:\n\n```ts\n[^~]+ Effect[.]Service<Shelf>/
  )
  expect(site.problems).toEqual([])
})

describe("search", () => {
  it("is used by keyboard, and finds a section", async () => {
    await using site = await open("/fields")
    const { page } = site
    const button = page.getByRole("button", { name: "Search" })
    const link = page.locator("main").getByRole("link").nth(3)
    for (const [opener, key] of [
      [button, "Enter"],
      [link, "Control+k"]
    ] as const) {
      await opener.press(key)
      await page.locator(".search-input:focus").waitFor()
      await page.keyboard.press("Escape")
      await opener.and(page.locator(":focus")).waitFor()
    }
    await search(page, "whole lists")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/whole-lists(#whole-lists)?$/)
    expect(site.problems).toEqual([])
  })

  it("opens the result of what is typed, however soon Enter follows, and leads on where there is none", async () => {
    await using site = await open("/fields")
    const { page } = site
    await search(page, "nsfw")
    await page.keyboard.press("Control+a")
    await page.keyboard.insertText("circuit breaker")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/breaker#circuit-breaker$/)
    // With Caps Lock.
    await page.keyboard.press("Control+K")
    await page.locator(".search-input:focus").waitFor()
    await page.keyboard.insertText("graphql")
    const box = page.getByRole("dialog", { name: "Search" })
    await box.getByText('No results for "graphql"').waitFor()
    expect(await box.getByRole("status").innerText()).toBe("No results")
    const ways = await box.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")))
    expect(ways).toEqual(["/operations/", "/errors/", "/api/#all-names", "/comparison#whats-missing"])
    expect(await violations(page)).toEqual([])
    await box.getByRole("link", { name: "what the client does not do" }).click()
    await page.waitForURL(/\/comparison#whats-missing$/)
    expect(await box.count()).toBe(0)
    expect(site.problems).toEqual([])
  })

  it("keeps what is typed while it is loaded", async () => {
    await using site = await open("/fields")
    const { page } = site
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route("**/*VPLocalSearchBox*.js", (route) => released.then(() => route.continue()))
    const button = page.getByRole("button", { name: "Search" })
    await button.press("Enter")
    await page.keyboard.type("whole ")
    expect(await violations(page)).toEqual([])
    await page.keyboard.press("Escape")
    await button.and(page.locator(":focus")).press("Enter")
    await page.keyboard.type("whole ")
    release()
    await page.locator(".VPLocalSearchBox .search-input:focus").waitFor()
    await page.keyboard.type("lists")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/whole-lists(#whole-lists)?$/)
    expect(site.problems).toEqual([])
  })

  it("chooses the first result of what is typed, wherever the mouse rests, and does not call common words unknown", async () => {
    await using site = await open("/fields")
    const { page } = site
    await search(page, "timeout")
    const results = page.locator(".VPLocalSearchBox .result")
    await results.nth(2).hover()
    await results.nth(3).hover()
    const chosen = page.locator(".VPLocalSearchBox .result[aria-selected=true]")
    expect(await chosen.getAttribute("id")).toBe("localsearch-item-3")
    await page.locator(".search-input").fill("retry")
    const first = page.locator("#localsearch-item-0[href$='/retries#retries']")
    // What comes later is the excerpts.
    await first.locator("mark").first().waitFor()
    expect(await chosen.getAttribute("id")).toBe("localsearch-item-0")
    await page.locator(".search-input").fill("how")
    await results.first().waitFor({ state: "detached" })
    expect(await page.locator(".no-results").count()).toBe(0)
    await page.locator(".search-input").fill("xyzzyx")
    await page.locator(".no-results").waitFor()
  })

  it.each(looks.slice(isFull ? 0 : 1))("is accessible while it is open: $width px, dark $dark", async (look) => {
    await using site = await open("/fields", look)
    const { page } = site
    await search(page, "Retry-After")
    expect(await violations(page)).toEqual([])
    await page.keyboard.press("Escape")
    expect(await page.locator(".VPLocalSearchBox").count()).toBe(0)
  })

  it("leads to the row of a name, which is marked, and a mouse gets the link to it", async () => {
    await using site = await open("/fields")
    const { page } = site
    const rows: ReadonlyArray<readonly [typed: string, address: string]> = [
      ["rankingType", "/operations/anime#animeranking-rankingtype"],
      ["num_watched_episodes", "/operations/anime#animeupdatemyliststatus-num_watched_episodes"],
      ["mediaType", "/operations/records#anime-media_type"],
      ["media_type", "/operations/records#anime-media_type"]
    ]
    const outlineOf = (row: ReturnType<Page["locator"]>) =>
      row.evaluate((element) => getComputedStyle(element).outlineStyle)
    for (const [typed, address] of rows) {
      await search(page, typed)
      await page.keyboard.press("Enter")
      await page.waitForURL(`**${address}`)
      const row = page.locator("tr:focus")
      expect(await row.getAttribute("id")).toBe(address.split("#")[1])
      expect(await outlineOf(row)).toBe("solid")
    }
    // The search itself shows the row.
    await search(page, "rewatch_value")
    const result = page.locator(".VPLocalSearchBox .result[href$='-rewatch_value']").first()
    await result.filter({ hasText: "rewatch_value? ·" }).waitFor()
    await page.keyboard.press("Escape")
    // As a link from elsewhere opens it.
    await page.reload()
    const row = page.locator("tr:target")
    expect(await outlineOf(row)).toBe("solid")
    await row.hover()
    const link = row.locator(".row-link")
    expect(await link.innerText()).toBe("media_type?")
    expect(await link.getAttribute("href")).toBe("#anime-media_type")
    expect(await link.getAttribute("tabindex")).toBe("-1")
    expect(await violations(page)).toEqual([])
    expect(site.problems).toEqual([])
  })

  it("takes a whole message that is pasted, and shows where the section matches to which its link leads", async () => {
    await using site = await open("/fields")
    const { page } = site
    const { message } = new ClientRestError({
      operation: "catalog.manga.search",
      reason: "Status",
      status: 429,
      method: "GET",
      url: "https://api.myanimelist.net/v2/manga?q=monster&fields=mean,num_chapters,my_list_status",
      body: undefined,
      attempts: 3
    })
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.evaluate((text) => navigator.clipboard.writeText(text), `ClientRestError: ${message}`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route("**/errors/status-429.md", (route) => released.then(() => route.continue()))
    await page.keyboard.press("Control+k")
    await page.locator(".search-input:focus").press("Control+v")
    expect(await page.locator(".search-input").inputValue()).toBe(`ClientRestError: ${message}`)
    const result = page.locator(".VPLocalSearchBox .result").first()
    await expect.poll(() => result.getAttribute("href")).toBe("/errors/status-429#returned-429-too-many-requests")
    // Until its page is loaded, there is room.
    const summary = result.locator(".summary")
    expect(await summary.innerText()).toBe("")
    const box = await result.boundingBox()
    release()
    await expect.poll(() => summary.innerText()).toContain("Too many requests")
    expect(await result.boundingBox()).toEqual(box)
    // Words are marked from their beginnings.
    const marks = page.locator(".VPLocalSearchBox mark")
    await expect.poll(() => summary.locator("mark").count()).toBeGreaterThan(3)
    const before = await marks.evaluateAll((found) => found.map((mark) => mark.previousSibling?.textContent ?? ""))
    expect(before.filter((text) => /\w$/.test(text))).toEqual([])
    expect(site.problems).toEqual([])
  })

  it("knows the text of pages, but no recorded data", () => {
    const chunks = join(folder, "assets/chunks")
    const [index = ""] = readdirSync(chunks).filter((name) => name.startsWith("@localSearchIndexroot"))
    const terms = readFileSync(join(chunks, index), "utf8")
    expect(terms).toContain("createcatalog")
    // The name of a picture.
    expect(terms).not.toContain("30230l")
  })
})

describe("the sidebar", () => {
  it("marks the page, which stands below its section and the pages above it", async () => {
    await using site = await open("/operations/anime")
    const { page } = site
    const sidebar = page.locator(".VPSidebar")
    const current = sidebar.locator("[aria-current=page]")
    expect(await current.allInnerTexts()).toEqual(["Anime"])
    // Of the other sections, the names.
    expect(await sidebar.getByRole("link", { name: "Retries" }).isVisible()).toBe(false)
    const trail = page.getByRole("navigation", { name: "Breadcrumb" })
    expect(await trail.getByRole("listitem").allInnerTexts()).toEqual(["Reference", "Operations", "Anime"])
    expect(await trail.getByRole("link", { name: "Reference" }).getAttribute("href")).toBe("/reference/")
    await sidebar.getByRole("link", { name: "anime.ranking" }).click()
    await page.waitForURL("**/operations/anime#animeranking")
    expect(await current.allInnerTexts()).toEqual(["Anime"])
    // A section is marked where the reader is, however that is reached.
    const section = sidebar.locator("[aria-current=location]")
    await expect.poll(() => section.allInnerTexts()).toEqual(["anime.ranking"])
    await page.locator("#animesearch").evaluate((heading) => heading.scrollIntoView())
    await expect.poll(() => section.allInnerTexts()).toEqual(["anime.search"])
    await trail.getByRole("link", { name: "Operations" }).click()
    await page.getByRole("heading", { name: "Operations", level: 1 }).waitFor()
    expect(await current.allInnerTexts()).toEqual(["Operations"])
    expect(await trail.getByRole("listitem").allInnerTexts()).toEqual(["Reference", "Operations"])
    await trail.getByRole("link", { name: "Reference" }).press("Enter")
    await page.getByRole("heading", { name: "Reference", level: 1 }).waitFor()
    expect(await current.allInnerTexts()).toEqual(["Reference"])
    expect(await trail.count()).toBe(0)
    expect(await violations(page)).toEqual([])
    expect(site.problems).toEqual([])
  })

  it("is scrolled to the page, which keeps the focus", async () => {
    await using site = await open("/errors/install")
    const { page } = site
    const current = page.locator(".VPSidebar").getByRole("link", { name: "Installation" })
    await expect.poll(async () => (await current.boundingBox())?.y).toBeLessThan(800)
    expect(await page.evaluate(() => [document.activeElement?.tagName, scrollY])).toEqual(["BODY", 0])
    // Where it is in view, it stays.
    const top = () => page.locator(".VPSidebar").evaluate((sidebar) => sidebar.scrollTop)
    const before = await top()
    expect(before).toBeGreaterThan(0)
    await page.locator(".VPSidebar").getByRole("link", { name: "TypeError" }).click()
    await page.waitForURL("**/errors/typeerror")
    // A screen reader is told.
    await page.getByRole("status").getByText("TypeError").waitFor()
    await page.getByRole("heading", { name: "TypeError", level: 1 }).waitFor()
    expect(await top()).toBe(before)
  })

  it("keeps what a reader has opened over a reload, which moves nothing", async () => {
    await using site = await open("/terms")
    const { page } = site
    const guides = page.getByRole("button", { name: "Pages of Guides" })
    await page.getByRole("button", { name: "Pages of Recipes" }).press("Enter")
    await guides.press("Enter")
    await page.getByRole("button", { name: "Pages of Recipes" }).press("Enter")
    await page.reload()
    await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}))
    expect(await guides.getAttribute("aria-expanded")).toBe("true")
    expect(await page.getByRole("button", { name: "Pages of Recipes" }).getAttribute("aria-expanded")).toBe("false")
    expect(await shifts(page)).toBe(0)
    // The groups of its page.
    const groups = await page.locator(".VPSidebar h3").filter({ visible: true }).allInnerTexts()
    expect(groups.slice(0, 2)).toEqual(["Set up", "Read"])
    await guides.press("Enter")
    expect(await page.locator(".VPSidebar").getByRole("link", { name: "Fields", exact: true }).isVisible()).toBe(false)
  })

  const sections = [
    ["Guides", "Get an API key"],
    ["Operations", "Anime"],
    ["Recipes", "React and Vue: search, lists, TanStack Query"]
  ] as const
  it.each(sampled(sections, 2))("shows and hides the pages of %s by keyboard", async (section, name) => {
    await using site = await open("/terms")
    const button = site.page.getByRole("button", { name: `Pages of ${section}` })
    const link = site.page.locator(".VPSidebar").getByRole("link", { name, exact: true })
    for (const key of ["Enter", "Space"]) {
      expect(await link.isVisible()).toBe(key === "Space")
      await button.press(key)
      expect(await link.isVisible()).toBe(key === "Enter")
      expect(await button.getAttribute("aria-expanded")).toBe(String(key === "Enter"))
    }
  })
})

it("the outline of a long page shows what is in the group of the reader, and of others what is wanted", async () => {
  await using site = await open("/api/catalog-client")
  const { page } = site
  const outline = page.locator(".VPDocAsideOutline")
  const isShown = (name: string) => outline.getByRole("link", { name, exact: true }).isVisible()
  expect(await isShown("CallOptions")).toBe(false)
  await page.evaluate(() => location.assign("#calloptions"))
  const current = outline.locator("[aria-current]")
  await current.filter({ hasText: "CallOptions" }).waitFor()
  const marker = await outline.locator(".outline-marker").boundingBox()
  const link = await current.boundingBox()
  expect(Math.abs((marker?.y ?? 0) - (link?.y ?? Infinity))).toBeLessThan(10)
  expect(await violations(page)).toEqual([])
  await page.evaluate(() => location.assign("#createcatalog"))
  await current.filter({ hasText: "createCatalog" }).waitFor()
  expect(await isShown("CallOptions")).toBe(false)
  await outline.locator("summary", { hasText: "In: Set the options of a call" }).press("Enter")
  expect(await isShown("CallOptions")).toBe(true)
})

it("the list of all names can be filtered, with the letters that are left", async () => {
  await using site = await open("/api/")
  const { page } = site
  const shown = () => page.locator(".names > :visible").allInnerTexts()
  await page.getByRole("searchbox", { name: "Filter names" }).fill("ratelimitstore")
  const lines = await shown()
  expect(lines.filter((line) => line.length > 1 && !/ratelimitstore/i.test(line))).toEqual([])
  expect(lines).toContain("R")
  expect(lines).not.toContain("A")
  await page.getByRole("searchbox", { name: "Filter names" }).fill("")
  expect((await shown()).length).toBeGreaterThan(300)
  expect(await violations(page)).toEqual([])
})

it("the sections of a page of the reference can be filtered by the names in them, and a link shows one that is not", async () => {
  await using site = await open("/api/core")
  const { page } = site
  const shown = () => page.locator(".vp-doc").locator("h2, .fold > summary").filter({ visible: true }).allInnerTexts()
  const filter = page.getByRole("searchbox", { name: "Filter names" })
  await filter.fill("layerMock")
  const lines = (await shown()).map((line) => line.split("\n")[0]?.trim())
  expect(lines).toEqual(["Make a client", "CatalogClient"])
  await page.evaluate(() => location.assign("#resilienceretry"))
  await expect.poll(() => page.getByRole("heading", { name: "Resilience.retry", exact: true }).isVisible()).toBe(true)
  await page.goto("/api/catalog-client")
  const rows = page.locator(".vp-doc > div > table tr:visible")
  expect(await rows.count()).toBeGreaterThan(10)
  await filter.fill("totalTimeout")
  expect(await rows.count()).toBe(0)
  // A section of which only an option matches names it.
  const section = page.locator('.fold:visible h3[data-option=".totalTimeout"]')
  expect(await section.filter({ hasText: "CatalogOptions" }).count()).toBe(1)
  await filter.fill("zzzz")
  await page.getByRole("button", { name: 'Search the site for "zzzz"' }).click()
  await expect.poll(() => page.locator(".search-input").inputValue()).toBe("zzzz")
  expect(await violations(page)).toEqual([])
})

describe("a section of the reference is folded", () => {
  const section = (page: Page, anchor: string) => page.locator(`details.fold:has([id="${anchor}"])`)
  const isOpen = (page: Page, anchor: string) =>
    section(page, anchor).evaluate((fold) => fold instanceof HTMLDetailsElement && fold.open)

  it("until a reader opens it, or follows a link to a name in it, and is as it was for one who comes back", async () => {
    await using site = await open("/api/catalog-client#resilienceretryoptions-attempts")
    const { page } = site
    expect(await isOpen(page, "resilienceretryoptions")).toBe(true)
    expect(await isOpen(page, "createcatalog")).toBe(false)
    expect(await section(page, "createcatalog").innerText()).toBe("createCatalog\n\nMakes a catalog.")
    await section(page, "selector").locator("summary").press("Enter")
    await section(page, "resilienceretryoptions").getByRole("link", { name: "ClientRestError" }).first().click()
    await page.waitForURL("**#clientresterror")
    expect(await isOpen(page, "clientresterror")).toBe(true)
    const place = () => page.evaluate(() => scrollY)
    await expect.poll(place).toBeGreaterThan(2000)
    const before = await place()
    await page.locator(".VPSidebar").getByRole("link", { name: "API: Effect" }).click()
    await page.waitForURL("**/api/core")
    await page.goBack()
    await expect.poll(() => isOpen(page, "selector")).toBe(true)
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(1000)
    expect(site.problems).toEqual([])
  })

  it("with all others, and all are folded again, by one button", async () => {
    await using site = await open("/api/testing")
    const { page } = site
    const unfolded = () => page.locator("details.fold[open]").count()
    await page.getByRole("button", { name: "Open all sections" }).click()
    expect(await unfolded()).toBe(await page.locator("details.fold").count())
    // One that a reader has folded since does not change what the button says.
    await page.locator("details.fold > summary").first().press("Enter")
    await page.getByRole("button", { name: "Close all sections" }).click()
    expect(await unfolded()).toBe(0)
  })

  it("and is open without scripts", async () => {
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto("/api/testing")
    expect(await page.locator("details.fold table").first().isVisible()).toBe(true)
    await page.context().close()
  })
})

describe("the programs of an operation", () => {
  it("print a long reply, of which the first lines are shown", async () => {
    await using site = await open("/operations/anime")
    const { page } = site
    const reply = page.locator("details", { hasText: "All 28 lines" }).first()
    const height = async () => (await reply.boundingBox())?.height
    expect(await height()).toBeLessThan(400)
    // A link with an anchor, or a search of the browser, still finds what is in the first lines.
    expect(await reply.locator("pre").innerText()).toContain("Diamond no Ace: Second Season")
    await reply.locator("summary").press("Enter")
    // What closes it is in reach.
    expect(await height()).toBeGreaterThan(400)
    expect(await height()).toBeLessThan(700)
    expect(await violations(page)).toEqual([])
    // A run keeps what the reader sees.
    const program = page.locator(".program", { has: reply })
    for (const isOpen of [true, false]) {
      expect(await reply.getAttribute("open")).toBe(isOpen ? "" : null)
      await run(program)
      expect(await reply.getAttribute("open")).toBe(isOpen ? "" : null)
      expect(await reply.locator(".output").innerText()).toContain("Diamond no Ace: Second Season")
      await reply.locator("summary").press("Enter")
    }
    expect(await violations(page)).toEqual([])
  })

  const withoutNull = (json: string): unknown =>
    JSON.parse(json, (_, value: unknown) => (value === null ? undefined : value))

  it("are in tabs, used by keyboard, and the choice holds on the next page", async () => {
    await using site = await open("/operations/anime")
    const { page } = site
    const shown = page.getByRole("tabpanel").first()
    expect(await shown.innerText()).toContain("createCatalog")
    await page.getByRole("tab", { name: "Promise" }).first().press("ArrowRight")
    expect(await shown.innerText()).toContain("Catalog.anime.get")
    // Below the inputs, the signature is of the same tab.
    const signature = page.getByRole("tabpanel").nth(1)
    expect(await signature.innerText()).toContain("ClientRestError | ClientNetworkError, HttpClient | Credentials>")
    await page.goto("/operations/manga")
    await page.getByRole("tab", { name: "Effect", selected: true }).first().waitFor()
    expect(await shown.innerText()).toContain("Catalog.manga.get")
    expect(site.problems).toEqual([])
  })

  it.each([
    { width: 1280, height: 720 },
    { width: 390, height: 740 }
  ])("come first: a link to an operation shows one, whatever comes after it, $width px wide", async (size) => {
    await using site = await open("/operations/anime", size)
    await site.page.setViewportSize(size)
    for (const domain of domains) {
      await site.page.goto(`/operations/${domain}`)
      const hidden = await site.page.evaluate((height) => {
        const room = height - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)
        return Array.from(document.querySelectorAll("main h2"), (heading) => {
          const [code] = Array.from(document.querySelectorAll("main pre")).filter(
            (block) => (heading.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
          )
          const below = (code?.getBoundingClientRect().bottom ?? Infinity) - heading.getBoundingClientRect().top
          return below > room ? [`${heading.id}: ${below} of ${room} px`] : []
        }).flat()
      }, size.height)
      expect(hidden).toEqual([])
    }
  })

  it.each(["Promise", "Effect"])("stand beside what they print, so a link shows the inputs, too: %s", async (tab) => {
    await using site = await open("/operations/anime", { width: 1440 })
    const { page } = site
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole("tab", { name: tab }).first().click()
    for (const domain of domains) {
      await page.goto(`/operations/${domain}`)
      await page.getByRole("tab", { name: tab, selected: true }).first().waitFor()
      const far = await page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>("main h2"), ({ id, offsetTop }) => {
          // An operation without inputs has no table: the next one is of another.
          const table = document.querySelector<HTMLElement>(`main h2[id="${id}"] ~ table`)
          const next = document.querySelector<HTMLElement>(`main h2[id="${id}"] ~ h2`)
          const below = (table?.offsetTop ?? 0) - offsetTop
          return below > 600 && (table?.offsetTop ?? 0) < (next?.offsetTop ?? Infinity) ? [`${id}: ${below} px`] : []
        }).flat()
      )
      expect(far).toEqual([])
    }
  })

  it("wrap only where a line is long, also beside what they print", async () => {
    await using site = await open("/operations/anime", { width: 1440 })
    const wrapped = await site.page.evaluate(() =>
      Array.from(document.querySelectorAll('main [role="tabpanel"]:has(+ .program) pre'))
        .flatMap((program) => Array.from(program.querySelectorAll(".line")))
        .filter((line) => line.getClientRects().length > 1 || line.getBoundingClientRect().height > 30)
        .map((line) => line.textContent ?? "")
        .filter((text) => text.length <= 80)
    )
    expect(wrapped).toEqual([])
  })

  it("have buttons with a name each, and a link to the view of Explore that calls the operation", async () => {
    await using site = await open("/operations/anime")
    const { page } = site
    const names = await page
      .locator("main button.copy")
      .evaluateAll((all) => all.map((button) => button.getAttribute("title")))
    expect(names).toContain("Copy output: anime.get")
    // A tab that is not chosen has a button, too.
    expect(new Set(names).size).toBe(7 * 3)
    expect(await page.getByRole("tablist", { name: "Signature" }).count()).toBe(7)
    expect(await page.getByRole("heading", { name: "anime.get", exact: true }).count()).toBe(1)
    await page.getByRole("link", { name: "Try it in Explore: anime.ranking" }).press("Enter")
    await page.waitForURL("**/explore?view=rankings&from=anime")
    const operation = page.getByRole("combobox", { name: "Operation" })
    await expect.poll(() => operation.inputValue()).toBe("anime.ranking")
    expect(site.problems).toEqual([])
  })

  it.each(sampled(domains, domains.length))("run in the page, and print what is below them: %s", async (domain) => {
    await using site = await open(`/operations/${domain}`)
    const { page } = site
    const programs = await page.locator(".program").all()
    const all = await Promise.all(programs.map((program) => program.locator("code").innerText()))
    expect(all).toHaveLength(await page.locator("main h2 code").count())
    for (const tab of ["Promise", "Effect", "curl"]) {
      await page.getByRole("tab", { name: tab }).first().click()
      for (const [index, program] of programs.entries()) {
        const printed = all[index] ?? ""
        expect(await program.getByRole("button", { name: "Edit" }).count(), tab).toBe(tab === "curl" ? 0 : 1)
        const output = await run(program)
        expect(await program.locator(".exchanges").count(), tab).toBe(1)
        // On the wire, a reply of nothing has a body, and a member can be null.
        if (tab !== "curl") {
          expect.soft(output, tab).toBe(printed.trim())
        } else if (printed.startsWith("{")) {
          expect.soft(withoutNull(output)).toEqual(withoutNull(printed))
        }
      }
    }
    expect(site.problems).toEqual([])
  })
})

// A sample is built without them.
if (isFull) {
  describe("hovers", () => {
    it.each([
      ["Promise", "createCatalog", /^createCatalog.*CatalogOptions.*: Catalog/, "/api/catalog-client#createcatalog"],
      ["Promise", "get", /^AnimeOperations.*=> Promise<.*readonly mean\?: number/s, "/operations/anime#animeget"],
      ["Effect", "get", /=> Effect.*readonly mean\?: number.*ClientRestError/s, "/operations/anime#animeget"]
    ])("show the types of the packages, and where they are explained: %s, %s", async (tab, name, type, address) => {
      await using site = await open("/operations/anime")
      const { page } = site
      await page.getByRole("tab", { name: tab }).first().click()
      const block = page.getByRole("tabpanel").first()
      await block
        .locator(".twoslash-hover", { hasText: new RegExp(`^${name}$`) })
        .filter({ visible: true })
        .last()
        .hover()
      const popup = page.locator(".twoslash-floating .twoslash-popup-code").first()
      await popup.waitFor()
      const text = await popup.innerText()
      expect(text).toMatch(type)
      expect(text).not.toMatch(/\bany\b/)
      const link = page.locator(".twoslash-floating").getByRole("link", { name: "Reference" })
      expect(await link.getAttribute("href")).toBe(address)
      expect(site.problems).toEqual([])
    })

    const shownIn = (page: Page) => page.locator(".twoslash-floating")

    it("open by keyboard: a block is one Tab stop, arrow keys move between its names, and Tab leads to the link", async () => {
      await using site = await open("/operations/anime")
      const { page } = site
      const shown = shownIn(page)
      const focused = page.locator(":focus")
      const press = async (...keys: ReadonlyArray<string>) => {
        for (const key of keys) {
          await page.keyboard.press(key)
        }
      }
      await page.getByRole("button", { name: "Run" }).first().focus()
      await press("Shift+Tab")
      expect(await focused.getAttribute("class")).toMatch(/\btwoslash\b/)
      await press("Tab")
      expect(await focused.innerText()).toBe("Run")
      await press("Shift+Tab", "ArrowRight", "ArrowDown", "ArrowUp")
      await page.getByRole("button", { name: "createCatalog", expanded: true }).waitFor()
      await shown.getByText("CatalogOptions").first().waitFor()
      expect(await shown.count()).toBe(1)
      expect(await focused.getAttribute("aria-describedby")).toBe(await shown.getAttribute("id"))
      expect(await violationsInAnyLook(page)).toEqual([])
      await press("Escape")
      await shown.waitFor({ state: "detached" })
      expect(await focused.innerText()).toBe("createCatalog")
      await press("Enter")
      await shown.waitFor()
      await press("Tab")
      expect(await focused.innerText()).toBe("Reference")
      await press("Tab")
      await shown.waitFor({ state: "detached" })
      expect(await focused.innerText()).toBe("Run")
      expect(await page.locator("pre.twoslash [role=button]").count()).toBe(0)
      await press("Shift+Tab", "ArrowRight")
      await shown.waitFor()
      await press("Tab", "Enter")
      await page.waitForURL("**/api/catalog-client#createcatalog")
      expect(site.problems).toEqual([])
    })

    it("close when the mouse leaves fast, and stay while it is on them", async () => {
      await using site = await open("/operations/anime")
      const { page } = site
      const shown = shownIn(page)
      const name = page.locator("pre.twoslash .twoslash-hover", { hasText: /^createCatalog$/ }).first()
      // There is room for the hover above and below.
      await name.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - innerHeight * 0.8))
      const { x = 0, y = 0 } = (await name.boundingBox()) ?? {}
      await page.mouse.move(x + 20, y + 60)
      await page.mouse.move(x + 20, y + 8)
      await shown.waitFor()
      await shown.getByRole("link", { name: "Reference" }).hover()
      await page.waitForTimeout(600)
      expect(await shown.count()).toBe(1)
      await page.mouse.move(x + 20, y + 8)
      for (const step of [28, 68, 98]) {
        await page.mouse.move(x + 20, y + step)
      }
      await shown.waitFor({ state: "detached" })
    })

    it("close by Escape while the mouse is on a name or on its hover", async () => {
      await using site = await open("/operations/anime")
      const { page } = site
      const shown = shownIn(page)
      const name = page.locator("pre.twoslash .twoslash-hover", { hasText: /^createCatalog$/ }).first()
      for (const isOnHover of [false, true]) {
        await name.hover()
        await shown.waitFor()
        if (isOnHover) {
          await shown.getByRole("link", { name: "Reference" }).hover()
        }
        await page.keyboard.press("Escape")
        await shown.waitFor({ state: "detached" })
        await page.mouse.move(4, 400)
      }
      expect(await violations(page)).toEqual([])
    })

    it("open by a tap, as wide as a phone, and close by a tap elsewhere", async () => {
      await using site = await open("/operations/user", { width: 390, touch: true })
      const { page } = site
      const shown = shownIn(page)
      const names = page.locator("pre.twoslash .twoslash-hover").filter({ visible: true })
      for (const name of await names.filter({ hasText: /^(createCatalog|animeList|items|reply)$/ }).all()) {
        await name.tap()
        await shown.waitFor()
        const { x = -1, width = 0 } = (await shown.boundingBox()) ?? {}
        expect(x).toBeGreaterThan(0)
        expect(x + width).toBeLessThan(390)
        expect(await scrolledSideways(page)).toEqual([])
        // The margin of the page.
        await page.touchscreen.tap(4, 400)
        await shown.waitFor({ state: "detached" })
      }
      await names.first().tap()
      await shown.waitFor()
      await page.mouse.wheel(0, 200)
      await shown.waitFor({ state: "detached" })
      await names.first().tap()
      await shown.getByRole("link", { name: "Reference" }).tap()
      await page.waitForURL("**/api/catalog-client#createcatalog")
      expect(site.problems).toEqual([])
    })
  })
}

describe("a page of text", () => {
  const contentOf = (path: string) => readFileSync(join(folder, path))

  it("loads no SDK", async () => {
    await using site = await open("/errors/")
    const scripts = site.requests.filter((path) => path.endsWith(".js"))
    expect(scripts.length).toBeGreaterThan(2)
    // In every bundle with Effect.
    expect(scripts.filter((path) => contentOf(path).includes('Symbol.for("effect/Effect")'))).toEqual([])
  })

  it("keeps a number with a space, an option of a command and the name of a package on a line", () => {
    expect(contentOf("api/catalog-client.html").toString()).toContain("30\u00a0000 milliseconds")
    expect(contentOf("install.html").toString()).toContain('<span class="word">--allow-net</span>')
    expect(contentOf("install.html").toString()).toMatch(/class="word\b[^>]*> @catalog-client\/core@effect3</)
  })

  it("says what npm does not have yet above the line that leads to a command", () => {
    for (const address of pages.values()) {
      const [html, copy] = [contentOf(address.replace(/md$/, "html")).toString(), contentOf(address).toString()]
      expect(html, address).not.toMatch(/(?<!>With [\w ]+):<\/p>\s*<p>The packages aren't on npm/)
      expect(copy, address).not.toMatch(/(?<!^With [\w ]+):\n\nThe packages aren't on npm/m)
    }
  })

  const weights = new Map<string, number>()
  const weightOf = (path: string): number => {
    const known = weights.get(path) ?? gzipSync(contentOf(path)).length
    weights.set(path, known)
    return known
  }

  it("weighs at most 160 kB compressed, with its styles and scripts", () => {
    const heavy = [...pages.values()].flatMap((address) => {
      const html = address.replace(/md$/, "html")
      const assets = contentOf(html)
        .toString()
        .matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)
      const paths = new Set([html, ...[...assets].map(([, path = ""]) => path)])
      const weight = [...paths].reduce((sum, path) => sum + weightOf(path), 0)
      return weight > 160_000 ? `${address}: ${weight} bytes` : []
    })
    expect(heavy).toEqual([])
  })

  it("loads at most 200 kB compressed to run a program", () => {
    const chunks = "assets/chunks"
    const loadedBy = (path: string, loaded = new Set<string>()): ReadonlySet<string> => {
      if (!loaded.has(path)) {
        loaded.add(path)
        for (const [, imported = ""] of contentOf(path)
          .toString()
          .matchAll(/(?:from|import) *[`"](\.[^`"]+)[`"]/g)) {
          loadedBy(join(dirname(path), imported), loaded)
        }
      }
      return loaded
    }
    const programs = readdirSync(join(folder, chunks)).filter((file) => file.startsWith("virtual_program-"))
    const heavy = programs.flatMap((file) => {
      const weight = [...loadedBy(`${chunks}/${file}`)].reduce((sum, path) => sum + weightOf(path), 0)
      return weight > 200_000 ? `${file}: ${weight} bytes` : []
    })
    expect(programs.length).toBeGreaterThan(50)
    expect(heavy).toEqual([])
  })
})

describe("what a screen reader is told", () => {
  const snapshotsOf = async (path: string, ...selectors: ReadonlyArray<string>) => {
    await using site = await open(path)
    const snapshots = selectors.map((selector) => site.page.locator(selector).first().ariaSnapshot())
    // The date of a page is that of its last commit, if there is one.
    const date = /\n *- paragraph:\n *- text: "Last updated:"\n *- time: .*/
    return (await Promise.all(snapshots)).map((snapshot) => `${snapshot.replace(date, "")}\n`)
  }

  it("of the start page", async () => {
    const [content] = await snapshotsOf("/", "#VPContent")
    await expect(content).toMatchFileSnapshot("snapshots/start.txt")
  })

  it("of an operation", async () => {
    const [main] = await snapshotsOf("/operations/forum", "main")
    await expect(main).toMatchFileSnapshot("snapshots/operation.txt")
  })

  it("of the errors, at their beginning, and of the top of each page", async () => {
    const [table, top] = await snapshotsOf("/errors/", "main table", "header")
    await expect(table).toMatchFileSnapshot("snapshots/errors.txt")
    await expect(top).toMatchFileSnapshot("snapshots/top.txt")
  })
})
