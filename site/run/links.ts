// A link to a changed program: `#code=2.…` for the third program of its page.

import { hasLink, linkStart } from "./program.js"

const through = (
  bytes: BlobPart,
  stream: ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource>
): Promise<ArrayBuffer> => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer()

/** The address of a program, at a place of its page. */
export const linkTo = async (source: string, at: number): Promise<string> => {
  const bytes = new Uint8Array(await through(source, new CompressionStream("deflate-raw")))
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
  return `${location.href.replace(/#.*/, "")}${linkStart}${at}.${text}`
}

/** The place that the page's address has a program for. */
export const linkedPlace = (): number | undefined => {
  const [, at] = /^#code=(\d+)\./.exec(location.hash) ?? []
  return at === undefined ? undefined : Number(at)
}

/** The program of the page's address; none if it was cut off. */
export const linkedProgram = async (): Promise<string | undefined> => {
  try {
    const text = location.hash.replace(/.*\./, "").replaceAll("-", "+").replaceAll("_", "/")
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")))
  } catch {
    return undefined
  }
}

/** Takes the program from the address, which a reload would show instead of what was changed since. */
export const dropLink = (): void => {
  if (hasLink()) {
    history.replaceState(history.state, "", location.pathname + location.search)
  }
}
