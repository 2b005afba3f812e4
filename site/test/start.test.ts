import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"
import { expect, it } from "vitest"
import { isFull, sampled } from "../../packages/core/test/support/full.js"
import { editorFiles, facesOf, isLoaded, onlyInPage, onNodeToo, outputsOf, programsOf, run } from "./programs.js"
import { looksOf, open, violationsInAnyLook } from "./site.js"

it.each([...sampled(onNodeToo, onNodeToo.length), ...onlyInPage])(
  "the programs of $path print what it says, each time they run",
  async ({ file, index, path }) => {
    await using site = await open(path)
    const { page, problems, requests } = site
    const outputs = outputsOf(file)
    expect(outputs.length).toBeGreaterThan(0)
    expect(isLoaded(requests)).toBe(false)
    const shown: Array<ReadonlyArray<string>> = []
    for (const { program, show } of await programsOf(page)) {
      await show()
      shown.push([await run(program), await run(program)])
    }
    expect(shown).toEqual(outputs.map((output) => [output, output]))
    expect(isLoaded(requests)).toBe(true)
    expect(editorFiles(requests)).toEqual([])
    if (path === "/" || path.startsWith("/start/")) {
      expect(await violationsInAnyLook(page, looksOf(index))).toEqual([])
    }
    expect(problems).toEqual([])
  }
)

it("a program shows the requests that it sent", async () => {
  await using site = await open("/start/promise")
  const program = site.page.locator(".program").nth(3)
  await run(program)
  const output = await run(program)
  expect(await program.getByRole("status").textContent()).toBe(`Ran: ${output.split("\n").length} lines printed.`)
  expect(await program.getByRole("listitem").allInnerTexts()).toEqual([
    "GET /v2/anime/30230?fields=num_episodes,my_list_status 200",
    "PATCH /v2/anime/30230/my_list_status 200"
  ])
})

it("a program that fails shows the error, with a link to its page", async () => {
  await using site = await open("/start/promise")
  const { page, problems } = site
  await page.route("**/*program-*.js", async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll("30230", "999999") })
  })
  const program = page.locator(".program").nth(1)
  const error = /^Uncaught ClientRestError: catalog\.anime\.get failed: GET .* 404 \(not_found\)/
  expect(await run(program)).toMatch(error)
  expect(await program.getByRole("status").textContent()).toMatch(error)
  expect(await program.getByRole("listitem").allInnerTexts()).toEqual([
    "GET /v2/anime/999999?fields=mean,num_episodes,genres{name} 404"
  ])
  expect(await violationsInAnyLook(page, looksOf(1))).toEqual([])
  await program.getByRole("link").last().click()
  await page.waitForURL("**/errors/status-404")
  expect(problems).toEqual([])
})

it("a program that cannot be loaded says so, which can be closed, and offers to reload", async () => {
  await using site = await open("/start/promise")
  const { page } = site
  await page.route("**/*program-*.js", (route) => route.abort())
  const program = page.locator(".program").first()
  await program.getByRole("button", { name: "Run" }).press("Enter")
  await program.getByRole("alert").getByText("This program could not be loaded.").waitFor()
  expect(await program.getByRole("button", { name: "Reload" }).count()).toBe(1)
  expect(await violationsInAnyLook(page, looksOf(0))).toEqual([])
  await program.getByRole("button", { name: "Close" }).press("Enter")
  await program.getByRole("alert").waitFor({ state: "detached" })
  await program.getByRole("button", { name: "Run" }).and(page.locator(":focus")).press("Enter")
  await page.unrouteAll()
  await program.getByRole("button", { name: "Try again" }).press("Enter")
  await program.getByText("18689 Diamond no Ace").waitFor()
  await program.getByRole("alert").waitFor({ state: "detached" })
})

it.each(isFull ? [390, 1280] : [390])("the output of a program is in view after a run: %i px", async (width) => {
  await using site = await open("/start/promise", { width })
  const { page } = site
  const program = page.locator(".program").nth(1)
  const button = program.getByRole("button", { name: "Run" })
  await button.evaluate((button) => scrollBy(0, button.getBoundingClientRect().bottom - innerHeight))
  await run(program)
  const { y } = (await program.locator(".output").boundingBox()) ?? { y: Infinity }
  expect(y).toBeLessThanOrEqual((page.viewportSize()?.height ?? 0) - 149)
  expect((await button.boundingBox())?.y).toBeGreaterThan(0)
  expect(await page.locator(":focus").innerText()).toBe("Run again")
})

it("the tabs of the home page move by arrow keys, and stay chosen", async () => {
  await using site = await open("/")
  const { page } = site
  const chosen = facesOf(page).getByRole("tab", { selected: true })
  const program = page.getByRole("tabpanel", { name: /Promise|Effect/ }).first()
  await page.getByRole("tab", { name: "Promise" }).first().press("ArrowRight")
  // All groups of the page follow.
  await expect.poll(async () => new Set(await chosen.allInnerTexts())).toEqual(new Set(["Effect"]))
  expect(await program.innerText()).toContain("Effect.gen")
  await page.reload()
  await expect.poll(async () => new Set(await chosen.allInnerTexts())).toEqual(new Set(["Effect"]))
  await chosen.first().focus()
  await page.keyboard.press("Home")
  expect(await program.innerText()).toContain("await catalog.anime.search")
})

it("the home page shows what its program prints beside it, while it is edited, too, and a screen reader is told how much a run has printed", async () => {
  await using site = await open("/")
  const { page } = site
  const program = page.locator(".program").first()
  const status = program.getByRole("status")
  const [output = ""] = outputsOf("docs/index.md")
  expect(await program.innerText()).toContain(output)
  const [code, beside] = await Promise.all(
    [page.locator("main .language-ts").first(), program].map((part) => part.boundingBox())
  )
  expect(beside?.x).toBeGreaterThan((code?.x ?? 0) + (code?.width ?? Infinity) - 1)
  expect(await status.textContent()).toBe("")
  expect(await run(program)).toBe(output)
  expect(await status.textContent()).toBe("Ran: 3 lines printed.")
  expect(await page.locator("[aria-live], [role=status]").filter({ hasText: output }).count()).toBe(0)
  // Its lines wrap, so there is nothing to scroll to.
  expect(await program.getByRole("group", { name: "Output" }).getAttribute("tabindex")).toBeNull()
  await program.getByRole("button", { name: /^Edit/ }).click()
  const editor = page.locator(".prism-code-editor")
  await editor.waitFor()
  await expect
    .poll(async () => {
      const [left, right] = await Promise.all([editor, program].map((part) => part.boundingBox()))
      return (right?.x ?? NaN) - (left?.x ?? NaN) - (left?.width ?? NaN)
    })
    .toBe(24)
  // On a phone, too, both links are in one row.
  await page.setViewportSize({ width: 390, height: 844 })
  const links = await page.locator(".actions a").all()
  const [first, second] = await Promise.all(links.map((link) => link.boundingBox()))
  expect(second?.y).toBe(first?.y ?? NaN)
})

it("the home page shows which members a reply has, for each choice of fields", async () => {
  await using site = await open("/")
  const card = site.page.locator(".requested-fields")
  const height = async () => (await card.boundingBox())?.height
  const before = await height()
  const shown = () => card.locator("pre").innerText()
  const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch() })
  const { id, title, mean, rank, source } = await catalog.anime.get({ id: 1 }, { fields: ["mean", "rank", "source"] })
  expect(await shown()).toContain(`anime.mean //=> ${mean}\n`)
  await card.getByRole("checkbox", { name: "mean" }).uncheck()
  await card.getByRole("checkbox", { name: "source" }).check()
  await card.getByRole("checkbox", { name: "rank" }).check()
  const program = await shown()
  expect(program).toContain('{ fields: ["rank", "source"] }')
  expect(Array.from(program.matchAll(/^anime\.(\w+) +(.+)$/gm), ([, name, comment]) => [name, comment])).toEqual([
    ["id", `//=> ${id}`],
    ["title", `//=> ${title}`],
    ["mean", "// doesn't compile"],
    ["rank", `//=> ${rank}`],
    ["source", `//=> ${source}`]
  ])
  // Nothing below moves.
  expect(await height()).toBe(before)
  expect(site.problems).toEqual([])
})

it("packages can be installed with npm, pnpm, Yarn and Bun", async () => {
  await using site = await open("/recipes/react")
  const { page } = site
  const commands: Array<string> = []
  for (const name of ["npm", "pnpm", "Yarn", "Bun"]) {
    await page.getByRole("tab", { name, exact: true }).first().click()
    commands.push(await page.getByRole("tabpanel", { name, exact: true }).first().locator("code:visible").innerText())
  }
  expect(commands.map((command) => command.trim().split("\n"))).toEqual(
    [
      ["npm install", "npm install --save-dev"],
      ["pnpm add", "pnpm add --save-dev"],
      ["yarn add", "yarn add --dev"],
      ["bun add", "bun add --dev"]
    ].map(([add, addForDevelopment]) => [
      `${add} catalog-client react@19 react-dom@19`,
      `${addForDevelopment} @types/react@19 @types/react-dom@19`
    ])
  )
  expect(site.problems).toEqual([])
})

it("a program that Effect 3 has other names for is shown for both, and the choice holds", async () => {
  await using site = await open("/start/effect")
  const { page } = site
  const panel = (version: string) => page.getByRole("tabpanel", { name: version, exact: true }).last()
  const shown = (version: string) => panel(version).locator("code:visible").first().innerText()
  expect(await shown("Effect 4")).toContain("extends Context.Service<Shelf>")
  expect(await panel("Effect 4").getByRole("button", { name: "Run" }).count()).toBe(1)
  await page.getByRole("tab", { name: "Effect 3", exact: true }).last().click()
  expect(await shown("Effect 3")).toContain("extends Effect.Service<Shelf>")
  // The page has Effect 4, so it only shows what the program prints.
  expect(await panel("Effect 3").innerText()).toContain("not available (503)")
  expect(await panel("Effect 3").getByRole("button", { name: "Run" }).filter({ visible: true }).count()).toBe(0)
  await page.reload()
  await page.getByRole("tab", { name: "Effect 3", selected: true }).first().waitFor()
  expect(site.problems).toEqual([])
})

it("the page of a program can be used, and is dark where the site is", async () => {
  await using site = await open("/start/browser", { dark: true })
  const program = site.page.locator(".program").nth(1)
  await run(program)
  const body = program.locator("iframe").contentFrame().locator("body")
  expect(await body.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(255, 255, 255)")
  await body.getByRole("searchbox").fill("cowboy")
  await expect
    .poll(() => body.getByRole("listitem").allInnerTexts())
    .toEqual(["Cowboy Bebop, 8.75", "Cowboy Bebop: Tengoku no Tobira, 8.38"])
  expect(site.problems).toEqual([])
})
