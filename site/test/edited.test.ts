import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Locator } from "playwright"
import { describe, expect, it } from "vitest"
import { isFull, sampled } from "../../packages/core/test/support/full.js"
import { editorFiles, isLoaded, onlyInPage, onNodeToo, outputsOf, programsOf, run } from "./programs.js"
import { folder, looksOf, open, violationsInAnyLook } from "./site.js"

/** Turns a program into an editor with the keyboard. */
const edit = async (program: Locator): Promise<Locator> => {
  await program.getByRole("button", { name: "Edit" }).press("Enter")
  const editor = program.page().getByRole("textbox", { name: "Program" }).last()
  await editor.and(program.page().locator(":focus")).waitFor()
  return editor
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

/** What is said of a program before its output, once its types were checked. */
const typesOf = async (program: Locator): Promise<string> => {
  await program
    .page()
    .waitForFunction(() => !document.querySelector(".program")?.textContent?.includes("Checking types"))
  return (await program.locator(".editor-types").allInnerTexts()).join("\n")
}

describe("a program that is edited", () => {
  it("has its types checked where it was changed, with promises and with Effect", async () => {
    await using site = await open("/start/promise")
    const { page } = site
    const program = page.locator(".program").first()
    expect(site.requests.filter((path) => path.includes("types-"))).toEqual([])
    const editor = await edit(program)
    const loads = await program.locator(".editor-types").innerText()
    // It is loaded before a change.
    await expect.poll(() => site.requests.filter((path) => path.includes("types-"))).toHaveLength(2)
    const size = (path: RegExp) =>
      readdirSync(join(folder, "assets"))
        .filter((file) => path.test(file))
        .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, "assets", file))).length, 0)
    const said = (size(/^types-(checker|catalog)/) / 1e6).toFixed(1)
    expect(loads).toBe(
      `Ctrl+Enter runs the program, Ctrl+Space suggests names, Ctrl+I shows a type. Types are checked as you type, and shown as you point: this loads ${said} MB once.`
    )
    expect(size(/^types-effect/)).toBeLessThan(275_000)
    await editor.fill(`import { createCatalog } from "catalog-client"
const { anime } = createCatalog({ clientId: process.env["CATALOG_CLIENT_ID"]! })
const { mean, synopsis } = await anime.get({ id: 30230 }, { fields: ["mean"] })
console.log(JSON.stringify({ mean, synopsis }))`)
    await program.getByText(/^1 type error:/).waitFor()
    expect(await run(program)).toBe('{"mean":8.3}')
    // As in the page, with the colours of JSON.
    expect(await program.locator(".output .g").innerText()).toBe('"mean"')
    expect(await typesOf(program)).toBe(
      "1 type error:\nLine 3: Property 'synopsis' does not exist on type " +
        "'{ readonly id: number; readonly title: string; readonly mean?: number | undefined; }'."
    )
    const marked = () =>
      page.evaluate(() => [...(CSS.highlights.get("type-mistake") ?? [])].map((range) => (range as Range).toString()))
    expect(await marked()).toEqual(["synopsis"])
    await program.getByRole("button", { name: "Line 3" }).press("Enter")
    await editor.and(page.locator(":focus")).waitFor()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe("synopsis")
    expect(await violationsInAnyLook(page, looksOf(1))).toEqual([])
    // Checked again after a change, without a run.
    await editor.fill((await editor.inputValue()).replace('"mean"', '"meen", "synopsis"').replace("mean,", ""))
    await expect
      .poll(() => typesOf(program))
      .toMatch(
        /^2 type errors:\nLine 3: No field is called meen: correct it, or use Fields\.unchecked\.\n.*\nLine 4: No value exists in scope for the shorthand property 'mean'/
      )
    await editor.fill(`import * as core from "@catalog-client/core"
import { EmbeddedServer } from "@catalog-client/testing/node"
import { Effect } from "effect"
const reply = core.Catalog.anime.get({ id: 30230 }, { fields: ["mean", "tile"] })
export const url = Effect.map(EmbeddedServer, ({ url }) => url)`)
    await expect
      .poll(() => typesOf(program))
      .toMatch(/^1 type error:\nLine 4: No field is called tile: .*\n.* Did you mean '"title"'\?$/)
    expect(await marked()).toEqual(['"tile"'])
    // A program without an import is a module, too.
    await editor.fill("console.log(await Promise.resolve(1))")
    await expect.poll(() => typesOf(program)).toBe("No type errors.")
    await editor.fill("const one two")
    await expect.poll(() => typesOf(program)).toMatch(/^1 syntax error:\nLine 1: /)
    expect(await editor.getAttribute("aria-label")).toMatch(/^Program: \w/)
    expect(await page.locator(`#${await editor.getAttribute("aria-describedby")}`).innerText()).toContain(
      "syntax error"
    )
    await page.route("**/types-*", (route) => route.abort())
    await page.reload()
    await page.getByRole("textbox", { name: "Program" }).waitFor()
    await run(program)
    expect(await typesOf(program)).toBe("Types could not be checked: the compiler was not loaded.")
  })

  it("suggests names at the caret, and shows the type of one", async () => {
    await using site = await open("/start/promise")
    const { page, problems } = site
    const program = page.locator(".program").first()
    const editor = await edit(program)
    const list = page.getByRole("listbox", { name: "Suggestions" })
    const selected = async () => {
      const id = await editor.getAttribute("aria-activedescendant")
      return id === null ? undefined : page.locator(`#${id}[aria-selected=true]`).innerText()
    }
    await editor.press("Control+End")
    await editor.pressSequentially("\nconst { mean } = await catalog.anime.")
    await list.getByRole("option", { name: "seasonal" }).waitFor()
    expect(await selected()).toBe("get")
    expect(await page.locator(".editor-popup").innerText()).toMatch(
      /\nget<.*\(params: AnimeParams, .*\n\s*Reads one anime\.$/
    )
    await editor.press("ArrowUp")
    expect(await selected()).toBe("deleteFromList")
    await editor.press("Escape")
    await expect.poll(selected).toBe(undefined)
    await editor.press("Control+ ")
    await expect.poll(selected).toBe("get")
    await editor.press("Tab")
    // What an argument is, then its members: they are shown without a key, and Enter is a new line until one is selected.
    const popup = page.locator(".editor-popup")
    await editor.pressSequentially("(")
    await popup.getByText("get(params, options?)\nparams: { id }").waitFor()
    await page.getByRole("status").getByText("params: { id }").waitFor()
    await editor.pressSequentially("{ ")
    await list.getByRole("option", { name: "id" }).waitFor()
    expect(await selected()).toBe(undefined)
    await editor.press("Enter")
    expect(await editor.inputValue()).toMatch(/anime\.get\(\{ \n {2}$/)
    await editor.press("Control+z")
    await editor.press("Control+ ")
    await expect.poll(selected).toBe("id")
    await editor.press("Enter")
    await editor.pressSequentially(": 30230 },")
    await popup.getByText("options: { fields?, ").waitFor()
    await editor.press("Escape")
    expect(await popup.isVisible()).toBe(false)
    await editor.pressSequentially(" { fields: [")
    await list.getByRole("option", { name: "alternative_titles" }).waitFor()
    await editor.press("ArrowDown")
    await expect.poll(selected).toBe('"alternative_titles"')
    expect(await violationsInAnyLook(page, looksOf(0))).toEqual([])
    await editor.pressSequentially('"me')
    await expect
      .poll(() => list.getByRole("option").allInnerTexts())
      .toEqual(expect.arrayContaining(["mean", "media_type"]))
    await list.getByRole("option", { name: "mean" }).click()
    await editor.pressSequentially("] })")
    expect(await editor.inputValue()).toMatch(/anime\.get\({ id: 30230 }, { fields: \["mean"\] }\)$/)
    await expect.poll(() => typesOf(program)).toBe("No type errors.")
    // A name that is not imported, with its import: a part of one that there is, or a new line. Undo takes back both.
    const before = await editor.inputValue()
    await editor.pressSequentially("\nisNotF")
    await expect.poll(selected).toBe("isNotFound catalog-client")
    await editor.press("Enter")
    expect(await editor.inputValue()).toBe(
      `${before.replace("{ createCatalog }", "{ createCatalog, isNotFound }")}\nisNotFound`
    )
    await editor.press("Control+z")
    await editor.pressSequentially("\nresil")
    expect(await editor.inputValue()).toBe(`${before}\nisNotF\nresil`)
    await expect.poll(selected).toBe("Resilience catalog-client")
    await editor.press("Escape")
    await editor.fill(before.replace(/^import { EmbeddedCatalog .*\n/m, "") + "\n")
    await editor.pressSequentially("Embed")
    await expect.poll(selected).toBe("EmbeddedCatalog catalog-client/testing")
    await editor.press("Tab")
    expect(await editor.inputValue()).toContain(
      'from "catalog-client"\nimport { EmbeddedCatalog } from "catalog-client/testing"\n'
    )
    await expect.poll(() => typesOf(program)).toBe("No type errors.")
    // Enter begins a line where the name is written already.
    await editor.pressSequentially("\ncatalog")
    await expect.poll(selected).toBe("catalog")
    await editor.press("Enter")
    expect(await editor.inputValue()).toMatch(/\ncatalog\n$/)
    await editor.pressSequentially("for (const a of [1]) {\nconso")
    await expect.poll(selected).toBe("console")
    // What is wrong with half a name is not said while its list is open: this is longer than the pause before a check.
    await page.waitForTimeout(600)
    expect(await program.locator(".editor-types").innerText()).toBe("Checking types…")
    await editor.press("Enter")
    await editor.pressSequentially(".log(a)\n}")
    expect(await editor.inputValue()).toMatch(/\nfor \(const a of \[1\]\) \{\n {2}console\.log\(a\)\n\}$/)
    await expect.poll(() => typesOf(program)).toBe("No type errors.")
    const name = (await editor.inputValue()).indexOf("mean")
    await editor.evaluate((field: HTMLTextAreaElement, at) => field.setSelectionRange(at, at), name)
    await editor.press("Control+i")
    await page.locator(".editor-popup").getByText("mean: number | undefined").waitFor()
    await editor.press("Escape")
    expect(await page.locator(".editor-popup").isVisible()).toBe(false)
    await page.locator(".token", { hasText: "createCatalog" }).first().hover({ force: true })
    await page.locator(".editor-popup").getByText("Makes a catalog.").waitFor()
    expect(problems).toEqual([])
  })

  it("has its types checked by a run alone if the connection is to save data, and on a touch screen says no keys", async () => {
    await using site = await open("/start/promise", { width: 390, touch: true })
    const { page } = site
    await page.evaluate(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }))
    const program = page.locator(".program").first()
    const editor = await edit(program)
    await editor.fill("const a: string = 1")
    // Longer than the pause after which others are checked.
    await page.waitForTimeout(600)
    expect(await typesOf(program)).toMatch(/^Types are checked when you run it: /)
    expect(site.requests.filter((path) => path.includes("types-"))).toEqual([])
    await run(program)
    await program.getByText(/^1 type error:/).waitFor()
  })

  it("shows that an output is older than the program, and hides one of another program", async () => {
    await using site = await open("/start/promise")
    const { page } = site
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    const program = page.locator(".program").first()
    const sample = program.locator(".language-text").first()
    const old = program.getByText("The output is from before your change.")
    const editor = await edit(program)
    expect(await old.count()).toBe(0)
    await editor.fill("console.log(1)")
    await old.waitFor()
    expect(await sample.isVisible()).toBe(true)
    await program.getByRole("button", { name: "Copy", exact: true }).press("Enter")
    await program.getByText("Program copied.").waitFor()
    expect(await run(program)).toBe("1")
    expect(await old.count()).toBe(0)
    await editor.fill("console.log(2)")
    await old.waitFor()
    expect(await program.getByText("Program copied.").count()).toBe(0)
    await expect.poll(() => typesOf(program)).toContain("No type errors.")
    expect(await violationsInAnyLook(page, looksOf(0))).toEqual([])
    await page.reload()
    await editor.waitFor()
    expect(await sample.isVisible()).toBe(false)
    expect(await run(program)).toBe("2")
    await program.getByRole("button", { name: "Reset" }).press("Enter")
    expect(await sample.isVisible()).toBe(true)
    expect(await old.count()).toBe(0)
  })

  it("has types for each module that it can import", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    await editor.fill('import "nothing"')
    const [, names = ""] = /can import: ([^ ].*)\. \(line 1\)/.exec(await run(program)) ?? []
    expect(names).toContain("catalog-client/oauth")
    await editor.fill(
      names
        .split(", ")
        .map((name, at) => `import * as module${at} from "${name}"`)
        .join("\n")
    )
    await expect.poll(() => typesOf(program)).toBe("No type errors.")
  })

  it("is shared by a link, which does not run it", async () => {
    await using site = await open("/start/promise")
    const { page } = site
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    const programs = page.locator(".program")
    const second = programs.nth(1)
    const editor = await edit(second)
    const changed = "document.title = `changed „${1 + 1}“`"
    await editor.fill(changed)
    await second.getByRole("button", { name: "Copy", exact: true }).press("Enter")
    await second.getByText("Program copied.").waitFor()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    expect(await copied()).toBe(changed)
    await second.getByRole("button", { name: "Copy link" }).press("Enter")
    await second.getByText("Link copied.").waitFor()
    const link = await copied()
    expect(link.length).toBeLessThan(120)
    await page.evaluate(() => sessionStorage.clear())
    await page.goto("about:blank")
    await page.goto(link)
    await second.getByText("This program is from a link. Read it before you run it.").waitFor()
    expect(await editor.inputValue()).toBe(changed)
    expect(await page.getByRole("textbox", { name: "Program" }).count()).toBe(1)
    expect(await page.title()).not.toContain("changed")
    expect(await second.getByRole("button", { name: /^Run: / }).count()).toBe(1)
    await run(second)
    expect(await page.title()).toBe("changed „2“")
    // What is changed then is kept over a reload, in place of the link.
    await editor.fill("2")
    await expect.poll(() => new URL(page.url()).hash).toBe("")
    await page.reload()
    await editor.waitFor()
    expect(await editor.inputValue()).toBe("2")
    await page.evaluate(() => sessionStorage.clear())
    await page.goto("about:blank")
    await page.goto(link.slice(0, -9))
    await second.getByText("part of the link is missing").waitFor()
  })

  it.each([...sampled(onNodeToo, onNodeToo.length, 1), ...(isFull ? onlyInPage : [])])(
    "a program that is not changed prints what the page says: $path",
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
    expect(await violationsInAnyLook(page, looksOf(1))).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await editor.press("Tab")
    expect(await page.locator(":focus").innerText()).toBe("Run again")
    await editor.press("Escape")
    expect(await page.locator(":focus").innerText()).toBe("Run again")
    await program.getByRole("button", { name: "Reset" }).press("Enter")
    expect(await editor.count()).toBe(0)
    expect(await page.locator(".language-ts").first().isVisible()).toBe(true)
    expect(await page.locator(":focus").innerText()).toBe("Edit")
    await program.getByRole("button", { name: "Undo reset" }).press("Enter")
    await editor.and(page.locator(":focus")).waitFor()
    expect(await editor.inputValue()).toContain("limit: 1 as number")
    await program.getByRole("button", { name: "Reset" }).press("Enter")
    // Who edits again begins with the page's program.
    await edit(program)
    expect(await editor.inputValue()).toContain("limit: 5")
    await program.getByRole("button", { name: "Reset" }).press("Enter")
    expect(await program.innerText()).toBe(before)
    expect(problems).toEqual([])
  })

  it("begins where it was on a phone, where the letters of an editor are larger", async () => {
    await using site = await open("/start/promise", { width: 390, touch: true })
    const { page } = site
    const block = page.locator(".language-ts").first()
    await block.evaluate((block) => scrollTo({ top: scrollY + block.getBoundingClientRect().top - 200 }))
    const { height = 0, y: top } = (await block.boundingBox()) ?? {}
    await edit(page.locator(".program").first())
    const editor = await page.locator(".prism-code-editor").boundingBox()
    expect(editor?.y).toBe(top)
    // No line breaks within a name: a long one is scrolled to.
    const lines = await page.locator(".pce-line").evaluateAll((lines) => lines.map((line) => line.clientHeight))
    expect(new Set(lines).size).toBe(1)
    expect(editor?.height).toBeGreaterThan(0.8 * height)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const textarea = page.locator(".pce-textarea")
    await textarea.press("Control+End")
    await textarea.pressSequentially(" // a comment that is longer than the screen of a phone is wide")
    expect(await page.locator(".prism-code-editor").evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100)
  })

  it("shows its mistakes, and runs again after each", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    const shown = await shownBy(program, editor, [
      "const a =\n  one two",
      "const a = 1\nconst a = 2",
      'import { pad } from "padding"\npad()',
      'import { createCatalgo } from "catalog-client"\ncreateCatalgo()',
      "console.log([1, { two: 2 }])\nnull!.three"
    ])
    expect(shown).toEqual([
      'Uncaught SyntaxError: Unexpected token, expected ";" (line 2, column 7)',
      "Uncaught SyntaxError: Identifier 'a' has already been declared (line 2, column 7)",
      expect.stringMatching(
        /^Uncaught Error: Cannot find the module "padding"\. .*@catalog-client\/node, .*, catalog-client, .*, effect, effect\/http\. \(line 1\)$/
      ),
      'Uncaught SyntaxError: "catalog-client" has no export "createCatalgo" in this page. (line 2)',
      "[ 1, { two: 2 } ]\nUncaught TypeError: Cannot read properties of null (reading 'three') (line 2)"
    ])
    await editor.fill("await new Promise(() => {})")
    await program.getByRole("button", { name: "Run" }).press("Enter")
    await editor.fill("console.log(1)")
    await editor.press("Control+Enter")
    await expect.poll(() => program.locator(".output").innerText()).toBe("1\n")
    expect(site.problems).toEqual([])
  })

  it("is stopped by the button that ran it, and keeps its text", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    const source = `console.log(1)
for (let turns = 0; ; turns++) {
  document.body.dataset.turns = String(turns)
  await new Promise((resolve) => setTimeout(resolve))
}`
    await editor.fill(source)
    const button = program.getByRole("button", { name: ": Search for titles" }).first()
    await button.press("Enter")
    const turns = () => site.page.evaluate(() => Number(document.body.dataset["turns"] ?? 0))
    await expect.poll(turns).toBeGreaterThan(1)
    expect(await button.getAttribute("aria-label")).toBe("Stop: Search for titles")
    expect(await program.getByRole("status").textContent()).toBe("Running…")
    await button.and(site.page.locator(":focus")).press("Enter")
    expect(await program.locator(".output").innerText()).toBe("1\nStopped.\n")
    expect(await program.getByRole("status").textContent()).toBe("Stopped.")
    const stopped = await turns()
    await site.page.waitForTimeout(100)
    expect(await turns()).toBeLessThan(stopped + 2)
    expect(await button.innerText()).toBe("Run again")
    expect(await editor.inputValue()).toBe(source)
    // A double click runs it once.
    await editor.fill("await new Promise((resolve) => setTimeout(resolve, 500))\nconsole.log(2)")
    await button.dblclick()
    await program.and(site.page.locator('[aria-busy="false"]')).waitFor()
    expect(await program.locator(".output").innerText()).toBe("2\n")
    expect(site.problems).toEqual([])
  })

  it("imports sign-in, and the packages for Effect if it names them", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    await editor.fill(`import { createCatalog, isSignInRequired } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import { serve } from "catalog-client/testing"
const session = createSession({ clientId: "my-client-id", redirectUri: "http://localhost:8080/callback" })
console.log(await createCatalog({ session }).user.me().catch(isSignInRequired))
const { accessToken, profile } = await serve({ port: 4010 })
console.log((await createCatalog({ accessToken, profile }).user.me()).name)`)
    expect(await run(program)).toBe("true\nsample_reader")
    expect(await program.getByRole("listitem").allInnerTexts()).toEqual(["GET /v2/users/@me 200"])
    expect(editorFiles(site.requests)).toEqual(["edited", "registry-catalog"])
    await editor.fill(`import { Catalog, CatalogClient } from "@catalog-client/core"
import { layerClient } from "@catalog-client/node"
import { EmbeddedServer } from "@catalog-client/testing/node"
import { Effect } from "effect"
const program = Effect.gen(function* () {
  const { anime } = yield* CatalogClient
  console.log((yield* anime.get({ id: 30230 })).id, (yield* EmbeddedServer).url, Object.keys(Catalog).length)
})
const services = [layerClient({ clientId: "my-client-id" }), EmbeddedServer.layer({ port: 4010 })] as const
await Effect.runPromise(Effect.provide(program, services))`)
    expect(await run(program)).toBe("30230 http://127.0.0.1:4010/v2 4")
    expect(editorFiles(site.requests)).toEqual(["edited", "registry-catalog", "registry-effect"])
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
    const line = client.split("\n").length + 2
    await run(first)
    await expect
      .poll(() => first.locator(".output").innerText())
      .toMatch(
        RegExp(
          `\nUncaught Client\\w+Error: catalog\\.anime\\.seasonal .* \\(line ${line}\\) \\{\n  operation: 'catalog\\.anime\\.seasonal',\n`
        )
      )
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

  it("prints as in Node, with a link at the end of an error alone", async () => {
    await using site = await open("/start/promise")
    const program = site.page.locator(".program").first()
    const editor = await edit(program)
    await editor.fill(`
      console.table([{ id: 1, title: "Monster", genres: ["Drama"] }, { id: 2, title: "犬夜叉", main: { a: 1, b: 2, c: 3 } }])
      console.table({ a: { id: 1, mean: null } , b: 2 }, ["id"])
      console.dir({ see: ["https://nodejs.org/api", "https://images.example/1.jpg"] })
      console.trace("(see https://nodejs.org/docs). https://127.0.0.1:49152/v2")
      console.assert(1 === 1, "right")
      console.assert(1 > 2, "wrong. See https://catalog-client.github.io/catalog-client/e/typeerror")
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
Assertion failed wrong. See https://catalog-client.github.io/catalog-client/e/typeerror`.trimStart()
    )
    const links = await program.locator(".output").getByRole("link").all()
    // Only that of an error is one.
    expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual(["/errors/typeerror"])
    expect(await site.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await editor.fill("const nothing = 1")
    expect(await run(program)).toBe("The program printed nothing.")
    expect(await program.getByRole("status").textContent()).toBe("The program printed nothing.")
  })

  it("a program is saved before it runs, and its endless loops are ended", async () => {
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
    const changed = 'import "catalog-client"\nconsole.log(2)'
    await (await edit(program)).fill(changed)
    await page.route("**/registry-*.js", (route) => route.abort())
    await program.getByRole("button", { name: "Run" }).press("Enter")
    await program.getByRole("alert").waitFor()
    expect(await program.getByRole("button", { name: /^Run: / }).count()).toBe(1)
    await page.unrouteAll()
    await program.getByRole("button", { name: "Reload" }).press("Enter")
    const editor = page.getByRole("textbox", { name: "Program" })
    await editor.waitFor()
    expect(await editor.inputValue()).toBe(changed)
    expect(await run(program)).toBe("2")
    await program.getByRole("button", { name: "Reset" }).press("Enter")
    await page.reload()
    await program.getByRole("button", { name: "Edit" }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it("a program says so if its editor cannot be loaded", async () => {
    await using site = await open("/start/promise")
    const { page } = site
    await page.route("**/edited.*.js", (route) => route.abort())
    const program = page.locator(".program").first()
    await program.getByRole("button", { name: "Edit" }).press("Enter")
    await program.getByRole("alert").getByText("This editor could not be loaded.").waitFor()
    await program.getByRole("button", { name: "Close" }).press("Enter")
    expect(await program.getByRole("alert").count()).toBe(0)
    expect(await run(program)).toBe(outputsOf("docs/start/promise.md")[0])
  })
})
