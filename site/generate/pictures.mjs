// The pictures that `npm run pictures` writes into docs/pictures: the demo as SVG with a light and a dark palette, made offline, the
// same bytes each time. With `-- site`, Chromium also takes those of the built site: Explore, and the one that previews of a link show.
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { chromium } from "playwright"
import { chromiumArgs, findExecutable } from "../../test/executables.mjs"
import { isMain, root } from "../../scripts/workspace.mjs"

export const folder = join(root, "docs/pictures")

const light =
  "--ground:#fff;--edge:#b9c6ca;--text:#1f2a30;--soft:#55656c;--fill:#eef4f4;--accent:#0b6075;--good:#16794c"
const dark =
  "--ground:#11181c;--edge:#43545b;--text:#dbe4e8;--soft:#a3b3b9;--fill:#1a2529;--accent:#74cbe0;--good:#5bd69a"

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const alternative =
  "npm run demo in a terminal: each operation with its request and its reply, then three errors that say what to do."

/** A picture in both palettes, with its text alternative. @param {number} width @param {number} height @param {string} content */
const svg = (width, height, content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${alternative}</title>
<style>svg{${light}}@media (prefers-color-scheme:dark){svg{${dark}}}
text{font:15px system-ui,"DejaVu Sans",sans-serif;fill:var(--text)}.soft{fill:var(--soft);font-size:13px}.code{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:13px}.bold{font-weight:600}.middle{text-anchor:middle}.end{text-anchor:end}
.box{fill:var(--fill);stroke:var(--edge)}.ground{fill:var(--ground);stroke:var(--edge)}.line{stroke:var(--accent);stroke-width:1.5;fill:none}.lane{stroke:var(--edge);stroke-dasharray:4 4}.good{fill:var(--good)}.accent{fill:var(--accent)}.code{white-space:pre}.shown{animation:shown 10ms linear both}@keyframes shown{from{opacity:0}to{opacity:1}}@media (prefers-reduced-motion:reduce){.shown{animation:none}}</style>
<rect class="ground" width="100%" height="100%" rx="8"/>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="accent" d="M0 0 8 4 0 8z"/></marker></defs>
${content}
</svg>
`

/**
 * The beginning and the end of `npm run demo` as a terminal, whose lines appear one after the other; all at once for who prefers no motion.
 *
 * @param {string} output
 */
export const terminal = (output) => {
  const columns = 100
  const lines = output.split("\n")
  const from = lines.findIndex((line) => line.startsWith("✓"))
  const failures = lines.findIndex((line) => line.startsWith("Three failures"))
  const shown = [
    "$ npm run demo",
    "",
    ...lines.slice(from, from + 12),
    "    …",
    "",
    ...lines.slice(failures, failures + 14)
  ].map((line) => {
    // The port changes.
    const known = line.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010")
    return known.length > columns ? `${known.slice(0, columns - 1)}…` : known
  })
  const content = shown.map((line, index) => {
    const [, mark = "", name = "", rest = line] = /^(✓) (catalog\.[\w.]+|Client\w+)(.*)$/.exec(line) ?? []
    const parts =
      mark === ""
        ? `<tspan>${escaped(line)}</tspan>`
        : `<tspan class="good">${mark}</tspan> <tspan class="bold">${name}</tspan><tspan class="accent">${escaped(rest)}</tspan>`
    const delay = (0.2 + index * 0.05).toFixed(2)
    return `<text class="code shown" xml:space="preserve" style="animation-delay:${delay}s" x="18" y="${62 + index * 20}">${parts}</text>`
  })
  return svg(
    850,
    72 + shown.length * 20,
    [
      '<rect class="box" width="100%" height="32" rx="8"/>',
      '<text x="425" y="21" class="soft middle">catalog-client</text>',
      ...content
    ].join("\n")
  )
}

/** Writes what needs no browser. */
const draw = () => {
  mkdirSync(folder, { recursive: true })
  const demo = execFileSync(process.execPath, [join(root, "scripts/demo.mjs")], { encoding: "utf8" })
  writeFileSync(join(folder, "demo.svg"), terminal(demo))
}

/** What a preview of a link to the site shows. */
const preview = `<!doctype html><meta charset="utf-8"><style>
body{margin:0;width:1200px;height:630px;box-sizing:border-box;padding:70px 80px;background:#0e1f21;border-top:12px solid #2fb5ad;color:#fff;font:30px system-ui,"DejaVu Sans",sans-serif}
p{margin:0;color:#8fd6d0}h1{font-size:62px;line-height:1.2;margin:22px 0 40px}
pre{margin:0;padding:28px 34px;border-radius:12px;background:#091416;color:#d7e6e6;font:27px/1.5 ui-monospace,"DejaVu Sans Mono",monospace}b{font-weight:400;color:#7ee0b0}
</style><p>catalog-client</p><h1>The MyAnimeList API, typed<br>by the fields you ask for</h1>
<pre>const anime = await catalog.anime.get(
  { id: 1 }, { fields: ["mean"] })

<b>Cowboy Bebop: 8.75 out of 10</b></pre>`

/** Takes pictures of the built site in both themes, and that of previews. */
const photograph = async () => {
  const site = join(root, ".cache/site")
  const types = new Map([
    ["css", "text/css"],
    ["html", "text/html"],
    ["js", "text/javascript"],
    ["svg", "image/svg+xml"]
  ])
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site")
    const path = [pathname, `${pathname}.html`]
      .map((name) => join(site, name))
      .find((file) => /[.]\w+$/.test(file) && existsSync(file))
    response.writeHead(path === undefined ? 404 : 200, {
      "content-type": types.get(path?.split(".").at(-1) ?? "") ?? "text/plain"
    })
    response.end(path === undefined ? "" : readFileSync(path))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  const browser = await chromium.launch({ args: chromiumArgs, executablePath: findExecutable("chromium") ?? "" })
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const page = await browser.newPage({ colorScheme, reducedMotion: "reduce", viewport: { width: 1200, height: 640 } })
    await page.goto(`http://127.0.0.1:${port}/explore?view=season&year=2017`)
    await page.locator(".card").nth(3).waitFor()
    await page.waitForLoadState("networkidle")
    // Only the catalog and the inspector, and no time, which differs.
    await page.addStyleTag({ content: ".VPNav, .explore .trial, h1, .explore-page > p { display: none !important }" })
    await page.locator(".explore").evaluate((explore) => {
      explore.querySelectorAll(".explore-main details").forEach((part) => part.removeAttribute("open"))
      const texts = document.createTreeWalker(explore, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        node.nodeValue = node.nodeValue?.replaceAll(/\d+ ms/g, "250 ms") ?? ""
      }
    })
    // Colors change slowly.
    await page.waitForTimeout(1_000)
    const clip = { x: 0, y: 96, width: 1200, height: 544 }
    await page.screenshot({ animations: "disabled", clip, path: join(folder, `explore-${colorScheme}.png`) })
    await page.close()
  }
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  await page.setContent(preview)
  await page.screenshot({ path: join(folder, "preview.png") })
  await browser.close()
  server.close()
}

if (isMain(import.meta)) {
  draw()
  if (process.argv.includes("site")) {
    await photograph()
  }
}
