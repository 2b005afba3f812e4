// The pictures of docs/pictures on the site: each has a file for the light and for the dark theme, which a reader can choose.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { MarkdownRenderer } from "vitepress"
import type { Plugin } from "vitest/config"
import { base, root } from "./pages.js"

const folder = join(root, "docs/pictures")

const palettes = /svg\{([^}]*)\}@media \(prefers-color-scheme:dark\)\{svg\{([^}]*)\}\}/

/** The files of the site's folder `pictures`. An SVG has both palettes, and becomes two. */
const files = (): ReadonlyMap<string, string | Buffer> =>
  new Map(
    readdirSync(folder).flatMap((name): ReadonlyArray<[string, string | Buffer]> => {
      const content = readFileSync(join(folder, name))
      if (!name.endsWith(".svg")) {
        return [[name, content]]
      }
      const svg = content.toString()
      return [
        [name.replace(".svg", "-light.svg"), svg.replace(palettes, "svg{$1}")],
        [name.replace(".svg", "-dark.svg"), svg.replace(palettes, "svg{$2}")]
      ]
    })
  )

/** Writes them beside the pages. */
export const writePictures = (outDir: string): void => {
  mkdirSync(join(outDir, "pictures"), { recursive: true })
  for (const [name, content] of files()) {
    writeFileSync(join(outDir, "pictures", name), content)
  }
}

/** Serves them while the pages are written. */
export const servedPictures = (): Plugin => ({
  name: "pictures",
  configureServer: ({ middlewares }) => {
    middlewares.use("/pictures", ({ url = "" }, response, next) => {
      const content = files().get(url.slice(1))
      if (content === undefined) {
        next()
        return
      }
      response.setHeader("content-type", url.endsWith(".svg") ? "image/svg+xml" : "image/png")
      response.end(content)
    })
  }
})

/** Its width and height, so that nothing moves when it arrives. */
const sizeOf = (file: string): readonly [width: string | number, height: string | number] => {
  const content = readFileSync(join(folder, file))
  const [, width = "", height = ""] = / width="(\d+)" height="(\d+)"/.exec(content.toString()) ?? []
  // The first chunk of a PNG has them.
  return file.endsWith(".svg") ? [width, height] : [content.readUInt32BE(16), content.readUInt32BE(20)]
}

/** Teaches the renderer to show a picture as the theme is. GitHub shows an SVG as the browser is, and of other pictures the light one. */
export const pictures = (md: MarkdownRenderer): void => {
  const image = md.renderer.rules.image
  md.renderer.rules.image = (tokens, at, options, env, self) => {
    const token = tokens[at]
    const [, name, extension] =
      /(?:^|\/)pictures\/(\w+(?:-\w+)*?)(?:-light)?\.(svg|png)$/.exec(token?.attrGet("src") ?? "") ?? []
    if (name === undefined) {
      return image?.(tokens, at, options, env, self) ?? ""
    }
    const [width, height] = sizeOf(extension === "svg" ? `${name}.svg` : `${name}-light.png`)
    const alternative = md.utils.escapeHtml(token?.content ?? "")
    // Vite would look for an address that is not an expression among the files.
    const images = ["light", "dark"]
      .map(
        (theme) =>
          `<img class="picture ${theme}" :src="'${base}pictures/${name}-${theme}.${extension}'" alt="${alternative}" width="${width}" height="${height}" loading="lazy">`
      )
      .join("")
    return extension === "svg"
      ? `<span class="diagram" role="group" aria-label="Diagram" tabindex="0">${images}</span>`
      : images
  }
}
