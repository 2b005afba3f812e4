// The pictures of the pages, which `npm run pictures` writes into docs/pictures: SVG with a light and a dark palette, made offline, the
// same bytes each time. With `-- site`, Chromium also takes those of the built site: Explore, and the one that previews of a link show.
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { chromium } from "playwright"
import { chromiumArgs, findProgram } from "../programs.mjs"
import { isProgram, root } from "../setup.mjs"

export const folder = join(root, "docs/pictures")

const light =
  "--ground:#fff;--edge:#b9c6ca;--text:#1f2a30;--soft:#55656c;--fill:#eef4f4;--accent:#0b6075;--good:#16794c"
const dark =
  "--ground:#11181c;--edge:#43545b;--text:#dbe4e8;--soft:#a3b3b9;--fill:#1a2529;--accent:#74cbe0;--good:#5bd69a"

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/**
 * A picture in both palettes, with its text alternative.
 *
 * @param {number} width
 * @param {number} height
 * @param {string} alternative
 * @param {string} content
 * @param {string} [style]
 */
const svg = (width, height, alternative, content, style = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(alternative)}</title>
<style>svg{${light}}@media (prefers-color-scheme:dark){svg{${dark}}}
text{font:15px system-ui,"DejaVu Sans",sans-serif;fill:var(--text)}.soft{fill:var(--soft);font-size:13px}.code{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:13px}.bold{font-weight:600}.middle{text-anchor:middle}.end{text-anchor:end}
.box{fill:var(--fill);stroke:var(--edge)}.ground{fill:var(--ground)}.line{stroke:var(--accent);stroke-width:1.5;fill:none}.lane{stroke:var(--edge);stroke-dasharray:4 4}.good{fill:var(--good)}.accent{fill:var(--accent)}${style}</style>
<rect class="ground" width="100%" height="100%" rx="8"/>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="accent" d="M0 0 8 4 0 8z"/></marker></defs>
${content}
</svg>
`

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} [look]
 */
const text = (x, y, words, look = "") => `<text x="${x}" y="${y}" class="${look}">${escaped(words)}</text>`

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
const box = (x, y, width, height) => `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`

/** @param {ReadonlyArray<readonly [x: number, y: number]>} points */
const arrow = (points) =>
  `<path class="line" marker-end="url(#tip)" d="M${points.map(([x, y]) => `${x} ${y}`).join("L")}"/>`

/** Who asks whom, from top to bottom. */
const signIn = () => {
  const lanes = ["Your program", "The user's browser", "MyAnimeList"]
  /** @type {ReadonlyArray<readonly [from: number, to: number, words: string]>} */
  const steps = [
    [0, 1, "opens the sign-in page"],
    [1, 2, "the user signs in, and allows it"],
    [2, 1, "back to your redirect URL"],
    [1, 0, "with a code, for one use"],
    [0, 2, "the code, and what proves that it asked"],
    [2, 0, "access token and refresh token"],
    [0, 2, "calls, with the access token"],
    [0, 2, "later: the refresh token"],
    [2, 0, "new tokens"]
  ]
  const at = (/** @type {number} */ lane) => 110 + lane * 270
  const bottom = 88 + steps.length * 44
  return svg(
    760,
    bottom + 16,
    "A sign-in: your program opens the sign-in page in the user's browser. The user signs in at MyAnimeList and allows it. The browser comes back with a code. Your program exchanges the code for an access token and a refresh token, calls the API with the access token, and later gets new tokens for the refresh token.",
    [
      ...lanes.flatMap((name, lane) => [
        box(at(lane) - 90, 16, 180, 36),
        text(at(lane), 39, name, "bold middle"),
        `<path class="lane" d="M${at(lane)} 52V${bottom}"/>`
      ]),
      ...steps.flatMap(([from, to, words], index) => {
        const y = 92 + index * 44
        const side = to > from ? 1 : -1
        return [
          arrow([
            [at(from) + 4 * side, y],
            [at(to) - 4 * side, y]
          ]),
          text((at(from) + at(to)) / 2, y - 7, words, "soft middle")
        ]
      })
    ].join("\n")
  )
}

/** The policies around a request, the outermost first. */
const policies = () => {
  const boxes = [
    ["your own policy", "sees the call as the caller does"],
    ["cache", "a kept reply costs nothing"],
    ["dedupe", "equal reads share one request"],
    ["retry", "each attempt passes what is inside"],
    ["breaker", "counts attempts, not calls"],
    ["rateLimit", "counts every request"],
    ["timeout", "limits one request"]
  ]
  const step = 34
  return svg(
    760,
    boxes.length * 2 * step + 74,
    `The policies as boxes in boxes, from the outside: ${boxes.map(([name]) => name).join(", ")}. The request is in the middle.`,
    [
      ...boxes.flatMap(([name = "", why = ""], index) => [
        box(16 + index * 26, 16 + index * step, 728 - index * 52, boxes.length * 2 * step + 42 - index * 2 * step),
        text(30 + index * 26, 38 + index * step, name, "code bold"),
        text(730 - index * 26, 38 + index * step, why, "soft end")
      ]),
      text(380, 16 + boxes.length * step + 26, "GET /v2/anime/1", "code accent middle")
    ].join("\n")
  )
}

/** What a call goes through, and what it can fail with at each place. */
const call = () => {
  const places = [
    ["checks the input", "ClientValidationError"],
    ["reads the credential", "ClientAuthError"],
    ["waits for policies", "ClientNetworkError"],
    ["sends one request", "ClientNetworkError"],
    ["reads the status", "ClientRestError"],
    ["checks the reply", "ClientRestError"]
  ]
  const row = 48
  const bottom = 72 + places.length * row
  return svg(
    640,
    bottom + 62,
    `One call, from the program to its reply: ${places.map(([does, error]) => `it ${does}, or fails with ${error}`).join("; ")}.`,
    [
      text(30, 40, 'catalog.anime.get({ id: 1 }, { fields: ["mean"] })', "code bold"),
      ...places.flatMap(([does = "", error = ""], index) => {
        const y = 64 + index * row
        return [
          arrow([
            [140, y - 12],
            [140, y - 1]
          ]),
          box(30, y, 220, 34),
          text(140, y + 22, does, "middle"),
          arrow([
            [252, y + 17],
            [420, y + 17]
          ]),
          text(436, y + 22, error, "code")
        ]
      }),
      arrow([
        [140, bottom - 20],
        [140, bottom + 8]
      ]),
      text(30, bottom + 32, '{ id: 1, title: "Cowboy Bebop", mean: 8.75 }', "code bold good"),
      text(436, 56, "or fails with", "soft")
    ].join("\n")
  )
}

/** The pictures that nothing but this file decides. */
export const drawings = () =>
  new Map([
    ["call.svg", call()],
    ["policies.svg", policies()],
    ["sign-in.svg", signIn()]
  ])

/**
 * The beginning and the end of `npm run demo` as a terminal, whose lines appear one after the other; all at once for who prefers no motion.
 *
 * @param {string} output
 */
export const terminal = (output) => {
  const columns = 96
  const lines = output.split("\n")
  const from = lines.findIndex((line) => line.startsWith("✓"))
  const failures = lines.findIndex((line) => line.startsWith("Three failures"))
  const shown = [
    "$ npm run demo",
    "",
    ...lines.slice(from, from + 12),
    "    …",
    "",
    ...lines.slice(failures, failures + 11)
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
    const delay = (0.4 + index * 0.18).toFixed(2)
    return `<text class="code shown" xml:space="preserve" style="animation-delay:${delay}s" x="18" y="${62 + index * 20}">${parts}</text>`
  })
  return svg(
    820,
    72 + shown.length * 20,
    "npm run demo in a terminal: each operation with its request and its reply, then three errors that say what to do.",
    [
      '<rect class="box" width="100%" height="32" rx="8"/>',
      text(410, 21, "catalog-client", "soft middle"),
      ...content
    ].join("\n"),
    ".code{white-space:pre}.shown{animation:shown 10ms linear both}@keyframes shown{from{opacity:0}to{opacity:1}}@media (prefers-reduced-motion:reduce){.shown{animation:none}}"
  )
}

/** Writes what needs no browser. */
const draw = () => {
  mkdirSync(folder, { recursive: true })
  const demo = execFileSync(process.execPath, [join(root, "scripts/demo.mjs")], { encoding: "utf8" })
  for (const [file, picture] of drawings().set("demo.svg", terminal(demo))) {
    writeFileSync(join(folder, file), picture)
  }
}

/** What a preview of a link to the site shows. */
const preview = `<!doctype html><meta charset="utf-8"><style>
body{margin:0;width:1200px;height:630px;box-sizing:border-box;padding:70px 80px;background:#0e1f21;border-top:12px solid #2fb5ad;color:#fff;font:30px system-ui,"DejaVu Sans",sans-serif}
p{margin:0;color:#8fd6d0}h1{font-size:62px;line-height:1.2;margin:22px 0 40px}
pre{margin:0;padding:28px 34px;border-radius:12px;background:#091416;color:#d7e6e6;font:27px/1.5 ui-monospace,"DejaVu Sans Mono",monospace}b{font-weight:400;color:#7ee0b0}
</style><p>catalog-client</p><h1>The MyAnimeList API,<br>typed and checked</h1>
<pre>const anime = await catalog.anime.get(
  { id: 1 }, { fields: ["mean"] })

<b>Cowboy Bebop: 8.75 of 10</b></pre>`

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
  const browser = await chromium.launch({ args: chromiumArgs, executablePath: findProgram("chromium") ?? "" })
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

if (isProgram(import.meta)) {
  draw()
  if (process.argv.includes("site")) {
    await photograph()
  }
}
