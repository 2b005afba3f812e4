// The programs of pages, as a reader runs them.
import type { Locator, Page } from "playwright"
import { isFull } from "../../packages/core/test/support/full.js"
import { blocksIn, read } from "../../test/readme.js"

/** Pages with programs that a reader can run, and their files. `test/readme.test.ts` runs those of all but browser.md on Node. */
const pages = {
  "/": "docs/index.md",
  "/api-key": "docs/api-key.md",
  "/start/promise": "docs/start/promise.md",
  "/start/effect": "docs/start/effect.md",
  "/start/browser": "docs/start/browser.md",
  ...(isFull && {
    "/errors/status-429": "docs/errors/status-429.md",
    "/testing": "docs/testing.md",
    "/your-own-operation": "docs/your-own-operation.md"
  })
}

/** What each program of a page prints, as the page says. */
export const outputsOf = (file: string): ReadonlyArray<string> =>
  blocksIn(read(file)).flatMap(({ language, output, section }) =>
    // The site shows what one prints on Effect 3, and does not run it.
    language === "ts" && output !== undefined && section !== "Effect 3" ? [output.trimEnd()] : []
  )

/** Whether a program of the page was requested. */
export const isLoaded = (requests: ReadonlyArray<string>) => requests.some((path) => path.includes("program-"))

/** The files of the editor, and of what changed programs import, that were requested. */
export const editorFiles = (requests: ReadonlyArray<string>) => [
  ...new Set(requests.flatMap((path) => /\/(edited|registry-\w+)\.[^/]+\.js$/.exec(path)?.[1] ?? []))
]

/** Runs a program with the keyboard; what it shows then. */
export const run = async (program: Locator): Promise<string> => {
  await program.getByRole("button", { name: /^Run/ }).press("Enter")
  await program.and(program.page().locator('[aria-busy="false"]')).waitFor()
  const frame = program.locator("iframe")
  const isPage = (await frame.count()) > 0
  const shown = isPage ? frame.contentFrame().locator("body") : program.locator(".output")
  return (await shown.innerText()).trim().replaceAll(/\n+/g, "\n")
}

/** The tabs of programs with promises and with Effect. */
export const facesOf = (page: Page) => page.getByRole("tablist", { name: "Program" })

/** The programs of a page, and what brings one into view that is in a tab or folded. */
export const programsOf = async (page: Page) => {
  const [first, ...others] = await facesOf(page).getByRole("tab").all()
  const programs = await page.locator(".program").all()
  if (first === undefined) {
    const unfold = (part: Element) => part.closest("details")?.setAttribute("open", "")
    return programs.map((program) => ({ program, show: () => program.evaluate(unfold) }))
  }
  return programs.map((program, at) => ({ program, show: () => (others[at - 1] ?? first).press("Enter") }))
}

const cases = Object.entries(pages).map(([path, file], index) => ({ path, file, index }))

/** Pages whose programs run on Node too, and those whose programs need a page. */
export const [onNodeToo, onlyInPage] = [
  cases.filter(({ path }) => path !== "/start/browser"),
  cases.filter(({ path }) => path === "/start/browser")
] as const
