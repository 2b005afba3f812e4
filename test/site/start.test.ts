import type { Locator, Page } from "playwright"
import { describe, expect, it } from "vitest"
import { isFull, sampled } from "../../packages/core/test/support/full.js"
import { blocksIn, read } from "../readme.js"
import { looksOf, open, violationsInAnyLook } from "./site.js"

/** Pages with programs that a reader can run, and their files. `test/readme.test.ts` runs those of all but browser.md on Node. */
const pages = {
  "/": "docs/index.md",
  "/start/promise": "docs/start/promise.md",
  "/start/effect": "docs/start/effect.md",
  "/start/browser": "docs/start/browser.md",
  ...(isFull && {
    "/overview": "README.md",
    "/errors": "docs/errors.md",
    "/testing": "docs/testing.md",
    "/your-own-operation": "docs/your-own-operation.md"
  })
}

/** What each program of a page prints, as the page says. */
const outputsOf = (file: string): ReadonlyArray<string> =>
  blocksIn(read(file)).flatMap(({ language, output }) =>
    language === "ts" && output !== undefined ? [output.trimEnd()] : []
  )

const isLoaded = (requests: ReadonlyArray<string>) => requests.some((path) => path.includes("program-"))

/** The files of the editor, and of what changed programs import, that were requested. */
const editorFiles = (requests: ReadonlyArray<string>) => [
  ...new Set(requests.flatMap((path) => /\/(edited|registry-\w+)\.[^/]+\.js$/.exec(path)?.[1] ?? []))
]

/** Turns a program into an editor with the keyboard. */
const edit = async (program: Locator): Promise<Locator> => {
  await program.getByRole("button", { name: "Edit" }).press("Enter")
  const editor = program.page().getByRole("textbox", { name: "Program" }).last()
  await editor.and(program.page().locator(":focus")).waitFor()
  return editor
}

/** Runs a program with the keyboard; what it shows then. */
const run = async (program: Locator): Promise<string> => {
  await program.getByRole("button", { name: "Run" }).press("Enter")
  await program.and(program.page().locator('[aria-busy="false"]')).waitFor()
  const frame = program.locator("iframe")
  const isPage = (await frame.count()) > 0
  const shown = isPage ? frame.contentFrame().locator("body") : program.locator(".output")
  return (await shown.innerText()).trim().replaceAll(/\n+/g, "\n")
}

/** What each of some programs shows, in turn in one editor. */
const shownBy = async (program: Locator, editor: Locator, sources: ReadonlyArray<string>): Promise<Array<string>> => {
  const shown: Array<string> = []
  for (const source of sources) {
    await editor.fill(source)
    shown.push(await run(program))
  }
  return shown
}

/** The tabs of programs with promises and with Effect. */
const facesOf = (page: Page) => page.getByRole("tablist", { name: "Promises or Effect" })

/** The programs of a page, with those in tabs in view. */
const programsOf = async (page: Page) => {
  const [first, ...others] = await facesOf(page).getByRole("tab").all()
  const programs = await page.locator(".program").all()
  if (first === undefined) {
    return programs.map((program) => ({ program, show: () => Promise.resolve() }))
  }
  return programs.map((program, at) => ({ program, show: () => (others[at - 1] ?? first).press("Enter") }))
}

const cases = Object.entries(pages).map(([path, file], index) => ({ path, file, index }))
const isOnlyHere = ({ path }: (typeof cases)[number]) => path === "/start/browser"
const others = cases.filter((page) => !isOnlyHere(page))

it.each([...sampled(others, others.length), ...cases.filter(isOnlyHere)])(
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
  expect(await violationsInAnyLook(page)).toEqual([])
  await program.getByRole("link").last().click()
  await page.waitForURL("**/errors#status-404")
  expect(problems).toEqual([])
})

it("a program that cannot be loaded says so, and offers to reload", async () => {
  await using site = await open("/start/promise")
  const { page } = site
  await page.route("**/*program-*.js", (route) => route.abort())
  const program = page.locator(".program").first()
  await program.getByRole("button", { name: "Run" }).press("Enter")
  await program.getByRole("alert").getByText("This program could not be loaded.").waitFor()
  expect(await program.getByRole("button", { name: "Reload" }).count()).toBe(1)
  expect(await violationsInAnyLook(page, looksOf(0))).toEqual([])
  await page.unrouteAll()
  await program.getByRole("button", { name: "Try again" }).press("Enter")
  await program.getByText("18689 Diamond no Ace").waitFor()
  expect(await program.getByRole("alert").count()).toBe(0)
})

it.each(isFull ? [390, 1280] : [390])("what a program shows is in view after a run: %i px", async (width) => {
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

describe("a program that is edited", () => {
  it.each([...sampled(others, others.length, 1), ...(isFull ? cases.filter(isOnlyHere) : [])])(
    "prints the same while it is not changed: $path",
    async ({ file, path }) => {
      await using site = await open(path)
      const shown: Array<string> = []
      for (const { program, show } of await programsOf(site.page)) {
        await show()
        await edit(program)
        shown.push(await run(program))
      }
      expect(shown).toEqual(outputsOf(file))
      expect(isLoaded(site.requests)).toBe(false)
      expect(site.problems).toEqual([])
    }
  )

  it("runs as changed, and is reset", async () => {
    await using site = await open("/start/promise")
    const { page, problems, requests } = site
    const program = page.locator(".program").first()
    const before = await program.innerText()
    const placeOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { height, left, top, width } = element.getBoundingClientRect()
          return { height, left, top: top + scrollY, width }
        })
    const place = await placeOf(".language-ts")
    const editor = await edit(program)
    expect(await placeOf(".prism-code-editor")).toEqual(place)
    expect(editorFiles(requests)).toEqual(["edited"])
    await editor.fill((await editor.inputValue()).replace("limit: 5", "limit: 1 as number"))
    expect(await run(program)).toBe("18689 Diamond no Ace")
    expect(await program.getByRole("listitem").allInnerTexts()).toEqual(["GET /v2/anime?q=diamond&limit=1 200"])
    // Effect is not needed.
    expect(editorFiles(requests)).toEqual(["edited", "registry-catalog"])
    expect(await violationsInAnyLook(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await program.innerText()).toContain("Types are not checked here.")
    await editor.press("Tab")
    expect(await page.locator(":focus").innerText()).toBe("Run again")
    await editor.press("Escape")
    expect(await page.locator(":focus").innerText()).toBe("Run again")
    await program.getByRole("button", { name: "Reset" }).press("Enter")
    expect(await program.innerText()).toBe(before)
    expect(await editor.count()).toBe(0)
    expect(await page.locator(".language-ts").first().isVisible()).toBe(true)
    expect(await page.locator(":focus").innerText()).toBe("Edit")
    expect(problems).toEqual([])
  })

  it("shows its mistakes, and runs again after each", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    const shown = await shownBy(program, editor, [
      "const a =\n  one two",
      "const a = 1\nconst a = 2",
      'import { pad } from "padding"\npad()',
      'import { createCatalgo } from "@catalog-client/node"\ncreateCatalgo()',
      "console.log([1, { two: 2 }])\nnull!.three"
    ])
    expect(shown).toEqual([
      'Uncaught SyntaxError: Unexpected token, expected ";" (line 2, column 7)',
      "Uncaught SyntaxError: Identifier 'a' has already been declared (line 2, column 7)",
      expect.stringMatching(
        /^Uncaught Error: Cannot find the module "padding"\. .*@catalog-client\/node, .*, effect\. \(line 1\)$/
      ),
      'Uncaught SyntaxError: "@catalog-client/node" has no export "createCatalgo" in this page. (line 2)',
      "[ 1, { two: 2 } ]\nUncaught TypeError: Cannot read properties of null (reading 'three') (line 2)"
    ])
    await editor.fill("await new Promise(() => {})")
    await program.getByRole("button", { name: "Run" }).press("Enter")
    await editor.fill("console.log(1)")
    expect(await run(program)).toBe("1")
    expect(site.problems).toEqual([])
  })

  it("shows its errors that come after its end, or that nothing waits for", async () => {
    await using site = await open("/start/promise")
    const [first, second] = await site.page.locator(".program").all()
    if (first === undefined || second === undefined) {
      throw new Error("The page has two programs.")
    }
    const editor = await edit(first)
    const client = await editor.inputValue()
    const autumn = 'await catalog.anime.seasonal({ year: 2017, season: "autumn" })'
    await editor.fill(`${client}\nasync function main() {\n  ${autumn}\n}\nmain()`)
    expect(await run(first)).toMatch(/\nUncaught Client\w+Error: catalog\.anime\.seasonal .* \(line 12\)$/)
    await editor.fill("Promise.resolve().then(() => null!.three)")
    expect(await run(first)).toBe("Uncaught TypeError: Cannot read properties of null (reading 'three') (line 1)")
    await editor.fill('console.log(1)\naddEventListener("late", () => {\n  throw new Error("late")\n})')
    expect(await run(first)).toBe("1")
    const output = await run(second)
    await site.page.evaluate(() => dispatchEvent(new Event("late")))
    await expect.poll(() => first.locator(".output").innerText()).toBe("1\nUncaught Error: late (line 3)\n")
    expect(await second.locator(".output").innerText()).toBe(`${output}\n`)
    expect(site.problems).toEqual([])
  })

  it("prints as in Node, with links to addresses outside the page", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    await editor.fill(`
      console.table([{ id: 1, title: "Monster", genres: ["Drama"] }, { id: 2, title: "犬夜叉", main: { a: 1, b: 2, c: 3 } }])
      console.table({ a: { id: 1, mean: null } , b: 2 }, ["id"])
      console.dir({ see: ["https://nodejs.org/api", "https://images.example/1.jpg"] })
      console.trace("(see https://nodejs.org/docs). https://127.0.0.1:49152/v2")
      console.assert(1 === 1, "right")
      console.assert(1 > 2, "wrong")
    `)
    expect(await run(program)).toBe(
      `
┌─────────┬────┬───────────┬─────────────┬──────────┐
│ (index) │ id │ title     │ genres      │ main     │
├─────────┼────┼───────────┼─────────────┼──────────┤
│ 0       │ 1  │ 'Monster' │ [ 'Drama' ] │          │
│ 1       │ 2  │ '犬夜叉'  │             │ [Object] │
└─────────┴────┴───────────┴─────────────┴──────────┘
┌─────────┬────┬────────┐
│ (index) │ id │ Values │
├─────────┼────┼────────┤
│ a       │ 1  │        │
│ b       │    │ 2      │
└─────────┴────┴────────┘
{ see: [ 'https://nodejs.org/api', 'https://images.example/1.jpg' ] }
(see https://nodejs.org/docs). https://127.0.0.1:49152/v2
Assertion failed wrong`.trimStart()
    )
    const links = await program.locator(".output").getByRole("link").all()
    expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual([
      "https://nodejs.org/api",
      "https://nodejs.org/docs"
    ])
    expect(await site.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await editor.fill("const nothing = 1")
    expect(await run(program)).toBe("The program printed nothing.")
    expect(await program.getByRole("status").textContent()).toBe("The program printed nothing.")
  })

  it("ends its endless loops, and is kept before it runs", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    // Three seconds are thirty turns of a loop.
    await site.page.evaluate(() => {
      let now = 0
      performance.now = () => (now += 100)
    })
    const error = "Uncaught Error: This loop ran for 3 seconds without a pause, so it was stopped."
    const shown = await shownBy(program, editor, [
      "while (true) {}",
      "let i = 0\ndo {\n  i++\n} while (i > 0)",
      "for (;;) {}",
      "for (let i = (0); i < 1; i--) {}",
      "for (let i = 0; /* ever */ ; i++) {\n  await i\n}",
      "`${(() => { while (1); })()}`",
      'for (const text of ["while (1)", `for (;;)`, { for: 1 }.for, /while (1)/.source]) { console.log(text) } // for (;;)',
      "for (let i = 0; i < 100; i++) {\n  await new Promise((resolve) => setTimeout(resolve))\n}\nconsole.log(2)",
      "console.log(Object.values(sessionStorage).length)"
    ])
    expect(shown).toEqual([
      `${error} (line 1)`,
      `${error} (line 4)`,
      `${error} (line 1)`,
      `${error} (line 1)`,
      `${error} (line 1)`,
      `${error} (line 1)`,
      "while (1)\nfor (;;)\n1\nwhile (1)",
      "2",
      "1"
    ])
  })

  it("keeps what was changed over a reload, until it is reset", async () => {
    await using site = await open("/start/promise")
    const { page } = site
    const program = page.locator(".program").first()
    await (await edit(program)).fill("console.log(2)")
    await page.route("**/registry-*.js", (route) => route.abort())
    await program.getByRole("button", { name: "Run" }).press("Enter")
    await program.getByRole("alert").waitFor()
    expect(await program.getByRole("button", { name: "Run", exact: true }).count()).toBe(1)
    await page.unrouteAll()
    await program.getByRole("button", { name: "Reload" }).press("Enter")
    const editor = page.getByRole("textbox", { name: "Program" })
    await editor.waitFor()
    expect(await editor.inputValue()).toBe("console.log(2)")
    expect(await run(program)).toBe("2")
    await program.getByRole("button", { name: "Reset" }).press("Enter")
    await page.reload()
    await program.getByRole("button", { name: "Edit" }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it("says so if its editor cannot be loaded", async () => {
    await using site = await open("/start/promise")
    const { page } = site
    await page.route("**/edited.*.js", (route) => route.abort())
    const program = page.locator(".program").first()
    await program.getByRole("button", { name: "Edit" }).press("Enter")
    await program.getByRole("alert").getByText("This editor could not be loaded.").waitFor()
    expect(await run(program)).toBe(outputsOf("docs/start/promise.md")[0])
  })
})

it("the tabs of the home page move by arrow keys, and stay chosen", async () => {
  await using site = await open("/")
  const { page } = site
  const chosen = () => facesOf(page).getByRole("tab", { selected: true })
  const program = page.getByRole("tabpanel", { name: /Promise|Effect/ })
  await page.getByRole("tab", { name: "Promise" }).press("ArrowRight")
  await expect.poll(() => chosen().innerText()).toBe("Effect")
  expect(await program.innerText()).toContain("Effect.gen")
  await page.reload()
  await expect.poll(() => chosen().innerText()).toBe("Effect")
  await chosen().focus()
  await page.keyboard.press("Home")
  expect(await program.innerText()).toContain("await catalog.anime.get")
})

it("the home page shows what a program prints only after a run, and a screen reader is told how much it is", async () => {
  await using site = await open("/")
  const { page } = site
  const program = page.locator(".program").first()
  const status = program.getByRole("status")
  const [output = ""] = outputsOf("docs/index.md")
  expect(await program.innerText()).not.toContain(output)
  expect(await status.textContent()).toBe("")
  expect(await run(program)).toBe(output)
  expect(await status.textContent()).toBe("Ran: 1 line printed.")
  expect(await page.locator("[aria-live], [role=status]").filter({ hasText: output }).count()).toBe(0)
  await program.getByRole("button", { name: "Edit" }).focus()
  await page.keyboard.press("Tab")
  await program.getByRole("group", { name: "Output" }).and(page.locator(":focus")).waitFor()
})

it("packages can be installed with npm, pnpm, Yarn and Bun", async () => {
  await using site = await open("/recipes/jest")
  const { page } = site
  const commands: Array<string> = []
  for (const name of ["npm", "pnpm", "Yarn", "Bun"]) {
    await page.getByRole("tab", { name, exact: true }).click()
    commands.push(await page.getByRole("tabpanel", { name, exact: true }).locator("code:visible").innerText())
  }
  const added = /install (--save-dev )?(.+)/.exec(commands[0] ?? "")?.[2] ?? "nothing"
  expect(commands.map((command) => command.trim())).toEqual(
    ["npm install --save-dev", "pnpm add --save-dev", "yarn add --dev", "bun add --dev"].map((add) => `${add} ${added}`)
  )
  expect(site.problems).toEqual([])
})

it("a program that Effect 4 has other names for is shown for both, and the choice holds", async () => {
  await using site = await open("/start/effect")
  const { page } = site
  const panel = (version: string) => page.getByRole("tabpanel", { name: version, exact: true }).last()
  const shown = (version: string) => panel(version).locator("code:visible").first().innerText()
  expect(await shown("Effect 3")).toContain("extends Effect.Service<Shelf>")
  expect(await panel("Effect 3").getByRole("button", { name: "Run" }).count()).toBe(1)
  await page.getByRole("tab", { name: "Effect 4", exact: true }).last().click()
  expect(await shown("Effect 4")).toContain("extends Context.Service<Shelf>")
  // The page has Effect 3, so it only shows what the program prints.
  expect(await panel("Effect 4").innerText()).toContain("not available (503)")
  expect(await panel("Effect 4").getByRole("button", { name: "Run" }).filter({ visible: true }).count()).toBe(0)
  await page.reload()
  await page.getByRole("tab", { name: "Effect 4", selected: true }).first().waitFor()
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
