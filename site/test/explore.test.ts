import { Catalog } from "@catalog-client/core"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Locator, Page } from "playwright"
import { describe, expect, it } from "vitest"
import { views } from "../explore/explore.js"
import { troubleNames, troubles } from "../explore/faults.js"
import { isFull, sampled } from "../../packages/core/test/support/full.js"
import { folder, type Look, looksOf, open, restyle, unseenStops, violations } from "./site.js"

const explore = async (query = "?latency=0", look?: Look) => {
  const site = await open(`/explore${query}`, look)
  await site.page.getByRole("tab", { name: "Search" }).waitFor()
  return site
}

/** Shows a view by keyboard: from the tab that is chosen, as many steps to the right as it takes. */
const show = async (page: Page, view: string): Promise<void> => {
  const tabs = page.getByRole("tablist", { name: "Views" })
  await tabs.getByRole("tab", { selected: true }).focus()
  for (let steps = 0; steps < Object.keys(views).length; steps++) {
    if ((await tabs.getByRole("tab", { selected: true }).textContent())?.trim() === view) {
      return
    }
    await page.keyboard.press("ArrowRight")
  }
  throw new Error(`There is no view ${view}`)
}

const press = async (element: Locator, key = "Enter"): Promise<void> => {
  await element.focus()
  await element.press(key)
}

/** Chooses an option by its first letters, as the keyboard does. */
const choose = async (select: Locator, label: string): Promise<void> => {
  await select.focus()
  await select.selectOption({ label })
}

/** The button that makes the view's last call again. */
const again = (page: Page): Locator => page.getByRole("button", { name: /^Call .* again$/ })

/** Opens the part with the faults. */
const unfold = async (page: Page): Promise<void> => {
  await press(page.locator(".trial:has(details:not([open])) summary"))
}

const panel = (page: Page): Locator => page.locator("#view-panel")

/** On a phone they are in a sheet, which is closed at first. */
const calls = (page: Page): Locator =>
  page
    .getByRole("list", { name: "Calls, the latest first", includeHidden: true })
    .getByRole("listitem", { includeHidden: true })

/** Waits until no call is in flight. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector(".explore .calls .pending") === null)
}

const found = (page: Page, text: string | RegExp): Promise<void> => panel(page).getByText(text).first().waitFor()

/** Shows the fields that can be chosen. On a phone, and beside a title, they are folded. */
const unfoldFields = async (page: Page): Promise<void> => {
  for (const summary of await panel(page).locator("details:not([open]) > summary").all()) {
    await press(summary)
  }
}

/** What a user does in each view, by keyboard alone. */
const walks: Readonly<Record<keyof typeof views, (page: Page) => Promise<void>>> = {
  search: async (page) => {
    await found(page, "3 results.")
    await unfoldFields(page)
    await press(panel(page).getByRole("checkbox", { name: "rank" }), "Space")
    await found(page, "readonly rank?: number")
    await found(page, /^rank \d/)
    await press(panel(page).getByRole("radio", { name: "Manga" }), "Space")
    await found(page, /^\d+ results?\.|No results\./)
  },
  season: async (page) => {
    await found(page, "8 shown, and there are more.")
    await unfoldFields(page)
    await press(panel(page).getByRole("checkbox", { name: "synopsis" }), "Space")
    await found(page, "readonly synopsis?: string")
    await settled(page)
    await press(panel(page).getByRole("button", { name: "More" }))
    await found(page, /^1\d shown/)
  },
  list: async (page) => {
    const title = "Diamond no Ace: Second Season"
    await found(page, "The first 20 entries.")
    await found(page, "Watching includes titles that you are rewatching.")
    await press(panel(page).getByRole("button", { name: `+1 for ${title}` }))
    await found(page, `${title} was saved.`)
    await found(page, "25/51")
    await press(panel(page).getByRole("button", { name: `Remove ${title}` }))
    await found(page, `${title} was removed.`)
    await press(panel(page).getByRole("radio", { name: "Manga" }), "Space")
    await panel(page)
      .getByRole("button", { name: /^\+1 for Berserk/ })
      .waitFor()
    await press(panel(page).getByRole("button", { name: /^\+1 for Berserk/ }))
    await found(page, /^Berserk.* was saved\.$/)
    await press(panel(page).getByRole("button", { name: /^Remove Berserk/ }))
    await found(page, /^Berserk.* was removed\.$/)
  },
  title: async (page) => {
    await panel(page).getByRole("heading", { name: "Diamond no Ace: Second Season" }).waitFor()
    await press(panel(page).getByRole("button", { name: "Diamond no Ace: Act II" }))
    await panel(page).getByRole("heading", { name: "Diamond no Ace: Act II" }).waitFor()
    await panel(page).and(page.locator(":focus")).waitFor()
    const top = () =>
      panel(page)
        .locator("article")
        .evaluate((article) => article.getBoundingClientRect().top)
    const before = await top()
    await press(panel(page).getByRole("combobox", { name: "On your list" }), "ArrowDown")
    await page.keyboard.press("ArrowDown")
    await found(page, "Saved.")
    expect(await top()).toBe(before)
    await unfoldFields(page)
    await found(page, "readonly studios?: ReadonlyArray<{ readonly name?: string }>")
    await press(panel(page).getByRole("checkbox", { name: "studios" }), "Space")
    await panel(page).getByText("Production I.G").waitFor({ state: "detached" })
    expect(await panel(page).locator("pre").innerText()).not.toContain("studios")
    const operations = await calls(page).locator("[aria-pressed]").allTextContents()
    expect(operations.slice(1, 3).map((name) => name.trim())).toEqual(["anime.updateMyListStatus", "anime.get"])
  },
  rankings: async (page) => {
    await found(page, "The first 10 titles.")
    for (const name of ["Suggestions for you", "Manga"]) {
      await press(panel(page).getByRole("radio", { name }), "Space")
      await settled(page)
    }
    await press(panel(page).getByRole("button").first())
    // A title of the ranking is shown, and is a manga.
    await panel(page).getByText("chapters", { exact: true }).waitFor()
  },
  forum: async (page) => {
    await found(page, /^\d+ boards\.$/)
    await press(panel(page).getByRole("button", { name: "Anime Discussion" }))
    await panel(page).getByRole("heading", { name: "Topics in Anime Discussion" }).waitFor()
    await panel(page).getByRole("searchbox").fill("baseball")
    await press(panel(page).getByRole("searchbox"))
    await press(panel(page).getByRole("button", { name: "Poll: best baseball series" }))
    await found(page, "Which baseball series should a beginner watch first?")
    // What opened it is gone.
    await panel(page).and(page.locator(":focus")).waitFor()
    await press(panel(page).getByRole("button", { name: "More posts" }))
    await found(page, /^10 posts/)
    const posts = (await panel(page).locator("article .text").allInnerTexts()).join("\n")
    expect(posts).toContain("the dub & the original")
    expect(posts).not.toMatch(/<|\[\/|\[(?:quote|b|i|url)\b/)
  },
  profile: async (page) => {
    await found(page, "sample_reader")
    await choose(panel(page).getByRole("combobox"), "paper_lantern: long public lists")
    await press(panel(page).getByRole("button", { name: "Show" }))
    await found(page, "6 anime and 6 manga of paper_lantern, the best first.")
    const link = panel(page).getByRole("link", { name: "What to do about it" })
    expect(await link.getAttribute("href")).toBe("/errors/status-404")
    await choose(panel(page).getByRole("combobox"), "@me: you")
    await press(panel(page).getByRole("button", { name: "Show" }))
    await found(page, "sample_reader")
  }
}

it("Explore is used by keyboard, reaches all operations, and is accessible in each view", async () => {
  await using site = await explore()
  const { page } = site
  // The link of its title would have no width.
  expect(await page.locator(".explore-page h1").getByRole("link").count()).toBe(0)
  const called = new Set<string>()
  const inspected = sampled(Object.values(views), 4)
  for (const [view, [name, label]] of Object.entries(views).entries()) {
    await show(page, label)
    await settled(page)
    await walks[name as keyof typeof views](page)
    await settled(page)
    for (const text of await calls(page).locator("[aria-pressed]").allTextContents()) {
      called.add(text.trim().replace(/\.collect$/, ""))
    }
    for (const look of looksOf(view)) {
      await restyle(page, look)
      if (inspected.includes(label)) {
        expect(await violations(page), label).toEqual([])
        expect(await unseenStops(page), label).toEqual([])
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), label).toBeLessThanOrEqual(0)
    }
  }
  const all = Object.entries(Catalog).flatMap(([domain, operations]) =>
    Object.keys(operations).map((name) => `${domain}.${name}`)
  )
  expect([...called].sort()).toEqual(all.sort())
  expect(site.problems).toEqual([])
}, 240_000)

it("Explore cancels a search that the next letter overtakes, and explains a word that is too short", async () => {
  await using site = await explore()
  const { page } = site
  await settled(page)
  await unfold(page)
  // So that the next letter overtakes it on any machine.
  await choose(page.getByRole("combobox", { name: "Fault" }), troubles.stops.label)
  const input = page.getByRole("searchbox", { name: "Search for" })
  await input.fill("narut")
  await page.locator("dd").getByText("narut", { exact: true }).waitFor()
  await input.press("o")
  await page.locator("dd").getByText("naruto", { exact: true }).waitFor()
  await settled(page)
  await found(page, /^\d results\.$/)
  expect(await calls(page).filter({ hasText: "cancelled" }).count()).toBe(1)
  expect(await calls(page).first().textContent()).toContain("done · 1 exchange")
  await input.fill("na")
  const error = panel(page).getByRole("alert")
  await error.waitFor()
  expect(await error.innerText()).toContain("ClientRestError")
  expect(await error.innerText()).toContain("status: 400")
  expect(await violations(page)).toEqual([])
  // A page in place of this one would end what the reader has begun.
  const link = error.getByRole("link", { name: "What to do about it" })
  expect(await link.getAttribute("href")).toBe("/operations/anime#animesearch")
  expect(await link.getAttribute("target")).toBe("_blank")
  expect(site.problems).toEqual([])
})

it("Explore calls an operation that is picked by keyboard, in a view that was not shown before", async () => {
  await using site = await explore()
  const { page } = site
  await settled(page)
  const picker = page.getByRole("combobox", { name: "Operation" })
  await picker.focus()
  await page.keyboard.type("anime.su")
  await page.getByRole("tab", { name: "Rankings", selected: true }).waitFor()
  await settled(page)
  expect(await calls(page).allTextContents()).toEqual([
    expect.stringContaining("anime.suggestions"),
    expect.stringContaining("anime.search")
  ])
  await picker.and(page.locator(":focus")).waitFor()
  // The last choice of several.
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowDown")
  await page.getByText("Press Remove on a title below to call it.").waitFor()
  await settled(page)
  expect(await picker.inputValue()).toBe("anime.deleteFromList")
  expect(await violations(page)).toEqual([])
  await press(
    panel(page)
      .getByRole("button", { name: /^Remove/ })
      .first()
  )
  await page.getByRole("heading", { name: "anime.deleteFromList" }).waitFor()
  expect(await page.getByText("Press Remove").count()).toBe(0)
  expect(site.problems).toEqual([])
})

describe("the inspector of Explore", () => {
  it("shows a request a parameter a line, copies its URL, and shows an error that is in view once", async () => {
    await using site = await explore("?latency=0&view=title")
    const { page } = site
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await settled(page)
    await page.getByText("/v2/anime/30230", { exact: true }).waitFor()
    const parameter = page.locator(".exchange > dl > div")
    const value = await parameter.locator("dd").textContent()
    expect(await parameter.locator("dt").textContent()).toBe("fields")
    expect(value).toMatch(/^main_picture,alternative_titles\{ja\},/)
    await press(page.getByRole("button", { name: "Copy URL of request 1" }))
    await page.getByText("Copied.").waitFor()
    const url = await page.evaluate(() => navigator.clipboard.readText())
    expect(url).toMatch(/^https:.*\/v2\/anime\/30230\?fields=main_picture%2Calternative_titles%7Bja%7D%2C/)
    expect(new URL(url).searchParams.get("fields")).toBe(value)

    await unfold(page)
    await choose(page.getByRole("combobox", { name: "Fault" }), troubles.unavailable.label)
    await press(again(page))
    await page.getByRole("alert").waitFor()
    const messages = page.getByText(/returned 503/).filter({ visible: true })
    expect(await messages.count()).toBe(1)
    await press(page.getByText("Error of the call"))
    await expect.poll(() => messages.count()).toBe(2)
    await press(calls(page).nth(1).getByRole("button"))
    // The inspector shows it alone once the view has gone. On the way there, other views may call.
    await show(page, "Forum")
    await settled(page)
    await press(
      calls(page)
        .filter({ hasText: /anime[.]get.*failed/ })
        .getByRole("button")
    )
    await expect.poll(() => messages.count()).toBe(1)
    expect(site.problems).toEqual([])
  })

  it("shows a call that the cache answers, and its code by keyboard", async () => {
    await using site = await explore()
    const { page } = site
    await unfold(page)
    await press(page.getByRole("checkbox", { name: "cache" }), "Space")
    const button = page.getByRole("button", { name: "Call anime.search again" })
    await press(button)
    await page.getByText("Reply after 1 exchange.").waitFor()
    await press(button)
    await page.getByText("Reply without a request.").waitFor()
    expect(await calls(page).first().textContent()).toContain("0 exchanges: shared another call's")
    await press(calls(page).nth(1).getByRole("button"))
    await press(page.getByRole("tab", { name: "Exchanges" }), "ArrowRight")
    const code = page.getByRole("tabpanel", { name: "Promise" })
    await code.getByText("policies: [Resilience.cache({").waitFor()
    const { y = Infinity } = (await code.getByRole("button", { name: "Copy" }).boundingBox()) ?? {}
    expect(y).toBeLessThan(700)
    // It is edited where it stands.
    await press(code.getByRole("button", { name: "Edit: anime.search" }))
    const editor = page.getByRole("textbox", { name: "Program" })
    await editor.and(page.locator(":focus")).waitFor()
    await editor.fill((await editor.inputValue()).replace('"genres"', '"rank"'))
    await editor.press("Control+Enter")
    await code.locator(".output").getByText('"rank"').first().waitFor()
    expect(await violations(page)).toEqual([])
    await press(code.getByRole("button", { name: "Reset: anime.search" }))
    await press(page.getByRole("tab", { name: "Promise" }), "Home")
    await page.keyboard.press("ArrowRight")
    for (const name of ["Effect", "curl"]) {
      await page.keyboard.press("ArrowRight")
      await page.getByRole("tabpanel", { name }).getByText("anime").first().waitFor()
    }
    expect(await violations(page)).toEqual([])
    expect(await page.content()).not.toContain("embedded-token")
    expect(site.problems).toEqual([])
  })

  it("cancels a call in flight", async () => {
    await using site = await explore("")
    const { page } = site
    await settled(page)
    await unfold(page)
    await choose(page.getByRole("combobox", { name: "Fault" }), troubles.slow.label)
    await press(again(page))
    await press(page.getByRole("button", { name: "Cancel anime.search" }))
    await page.getByRole("alert").getByText("ClientNetworkError").waitFor()
    await page.getByRole("list", { name: "Calls, the latest first" }).and(page.locator(":focus")).waitFor()
    expect(await calls(page).first().textContent()).toContain("cancelled")
    expect(site.problems).toEqual([])
  })
})

it.each(sampled([390, 1280], 2))(
  "Explore shows a title from its beginning, and Back leads to its card: %i px",
  async (width) => {
    await using site = await explore("?view=season", { width })
    const { page } = site
    await found(page, "8 shown, and there are more.")
    const card = panel(page).locator(".card").last()
    const title = (await card.locator(".card-title").textContent()) ?? ""
    await press(card)
    const heading = panel(page).getByRole("heading", { name: title, exact: true })
    await heading.waitFor()
    const { y = 0 } = (await heading.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(64)
    expect(y).toBeLessThan(width === 390 ? 640 : 800)
    await page.goBack()
    await card.and(page.locator(":focus")).waitFor()
    expect((await card.boundingBox())?.y).toBeLessThan(740)
    // The page and its service are the same as before.
    expect(await calls(page).count()).toBe(2)
    expect(site.problems).toEqual([])
  }
)

it("a choice looks different from the rest where the browser replaces the colors", async () => {
  await using site = await explore("?view=season")
  const { page } = site
  await unfold(page)
  await press(again(page))
  await page.getByText(/^Reply after/).waitFor()
  await page.keyboard.press("Control+k")
  await page.locator(".search-input:focus").waitFor()
  await page.keyboard.insertText("timeout")
  await page.locator(".result").first().waitFor()
  await page.emulateMedia({ forcedColors: "active" })
  try {
    for (const [all, chosen] of [
      ["[aria-label=Views] [role=tab]", "[aria-selected=true]"],
      [".calls li", ":has([aria-pressed=true])"],
      [".result", "[aria-selected=true]"]
    ] as const) {
      const looks = (selector: string) =>
        page.locator(selector).evaluateAll((elements) =>
          elements.map((element) => {
            const { borderBottomColor, borderBottomWidth, outlineStyle } = getComputedStyle(element)
            return `${borderBottomColor} ${borderBottomWidth} ${outlineStyle}`
          })
        )
      const [look, ...others] = new Set([
        ...(await looks(`${all}${chosen}`)),
        ...(await looks(`${all}:not(${chosen})`))
      ])
      expect(look, all).toBeDefined()
      // The rest look the same.
      expect(others, all).toHaveLength(1)
    }
  } finally {
    await page.emulateMedia({ forcedColors: "none" })
  }
})

it("on a phone, parts of Explore are folded and say what they hold, and the inspector is a sheet at the bottom", async () => {
  await using site = await explore("?view=season&fields=mean,studios&fault=html", { width: 390 })
  const { page } = site
  await settled(page)
  const trial = page.getByRole("region", { name: "Break the service" })
  const button = again(page)
  const studios = panel(page).getByRole("checkbox", { name: "studios" })
  expect(await button.or(studios).count()).toBe(0)
  const tabs = await page
    .locator("[aria-label=Views] > *")
    .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect()).map(({ right, y }) => ({ right, y })))
  // All are in view, in two rows.
  expect(new Set(tabs.map(({ y }) => y)).size).toBe(2)
  expect(Math.max(...tabs.map(({ right }) => right))).toBeLessThan(390)
  await panel(page).getByText("mean, studios").click()
  expect(await studios.isChecked()).toBe(true)
  // An error is a line for each of its members.
  const lines = await panel(page).getByRole("alert").locator("strong, code").all()
  expect(lines.length).toBeGreaterThan(2)
  const boxes = await Promise.all(lines.map((line) => line.boundingBox()))
  expect(new Set(boxes.map((box) => box?.x)).size).toBe(1)
  await trial.getByText("HTML instead of JSON").first().click()
  await button.waitFor()
  // What is pressed next fails, too, further down.
  await choose(trial.getByRole("combobox", { name: "Fault" }), "503, twice")
  await panel(page).getByRole("combobox", { name: "Season" }).selectOption("spring")
  await calls(page).nth(1).waitFor({ state: "attached" })
  await settled(page)
  const failed = page.getByRole("button", { name: /^Inspector anime\.seasonal failed$/ })
  const { y: bar = 0 } = (await failed.boundingBox()) ?? {}
  const error = await panel(page).getByRole("alert").boundingBox()
  expect(error?.y).toBeGreaterThan(64)
  expect((error?.y ?? 0) + (error?.height ?? 0)).toBeLessThan(bar)
  // For axe-core, what is scrolled below the bar at the top is a target that is too small.
  await page.evaluate(() => scrollTo(0, 0))
  expect(await violations(page)).toEqual([])

  const list = page.getByRole("list", { name: "Calls, the latest first" })
  const handle = page.getByRole("button", { name: /^Inspector anime\.seasonal/ })
  expect(await list.count()).toBe(0)
  expect(await handle.evaluate((handle) => innerHeight - handle.getBoundingClientRect().bottom)).toBeLessThan(2)
  await press(handle)
  await list.waitFor()
  expect(await violations(page)).toEqual([])
  const { top, sideways } = await page.locator(".sheet").evaluate((sheet) => ({
    top: sheet.getBoundingClientRect().top,
    sideways: document.documentElement.scrollWidth - innerWidth
  }))
  expect(top).toBeGreaterThan(100)
  expect(sideways).toBeLessThanOrEqual(0)
  const isClosed = async () => {
    await handle.and(page.locator(":focus")).waitFor()
    expect(await list.count()).toBe(0)
  }
  await page.keyboard.press("Escape")
  await isClosed()
  await press(handle)
  await page.getByRole("button", { name: "Close the inspector" }).click()
  await isClosed()
  await handle.click()
  // Over the heading of the page.
  await page.mouse.click(200, top / 2)
  await isClosed()
  expect(site.problems).toEqual([])
})

/** The faults that are tried in the page; all of them with `full` tests. */
const tried = isFull ? troubleNames : (["expired"] as const)

it.each(tried)("a fault of Explore shows its error, and what helps: %s", async (name) => {
  await using site = await explore()
  const { page } = site
  const trial = page.getByRole("region", { name: "Break the service" })
  // A fault is for the next request, whichever it is.
  await settled(page)
  await unfold(page)
  await choose(trial.getByRole("combobox", { name: "Fault" }), troubles[name].label)
  const button = again(page)
  await press(button)
  await trial.getByRole("alert").waitFor()
  expect(await trial.getByRole("alert").innerText()).toMatch(/^Client(Rest|Network)Error/)
  expect(await trial.getByRole("link").getAttribute("href")).toMatch(/^\/errors\//)
  expect(await violations(page)).toEqual([])
  if (name === "expired") {
    await press(trial.getByRole("button", { name: "Renew the token" }))
  } else if (name === "html") {
    await choose(trial.getByRole("combobox", { name: "Fault" }), "None: the service works")
  } else {
    await press(trial.getByRole("checkbox", { name: "retry" }), "Space")
  }
  await press(button)
  await trial.getByText(/^Reply after \d/).waitFor()
  expect(site.problems).toEqual([])
})

it("Explore tells a screen reader the same as always", async () => {
  await using site = await explore()
  const { page } = site
  for (const [name, label] of sampled(Object.entries(views), 3)) {
    await show(page, label)
    await settled(page)
    const told = await panel(page).ariaSnapshot()
    // Enough to see the form of each part.
    await expect(`${told.split("\n").slice(0, 60).join("\n")}\n`).toMatchFileSnapshot(`snapshots/explore-${name}.txt`)
  }
  const folded = await page.getByRole("region", { name: "Break the service" }).ariaSnapshot()
  expect(folded).toContain("Fault: none · Policies: none")
  await unfold(page)
  const trial = await page.getByRole("region", { name: "Break the service" }).ariaSnapshot()
  await expect(`${trial}\n`).toMatchFileSnapshot("snapshots/explore-trial.txt")
})

it("Explore and its service weigh at most 180 kB compressed", () => {
  const chunks = join(folder, "assets/chunks")
  const own = readdirSync(chunks).filter((file) => /^Explore\..*\.js$/.test(file))
  expect(own).toHaveLength(1)
  const sizes = own.map((file) => gzipSync(readFileSync(join(chunks, file))).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(180_000)
})
