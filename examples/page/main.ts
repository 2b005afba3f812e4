/**
 * Searches as the user types, and reads the next page on demand. A new search cancels the previous one.
 */
import { createCatalog, isCancelled, isRateLimited, isTimeout } from "catalog-client"

// A path of the page's own origin: the server behind it adds the client ID.
const catalog = createCatalog({ baseUrl: "/catalog", timeout: 10_000 })

const element = <A extends HTMLElement>(id: string, type: new () => A): A => {
  const found = document.getElementById(id)
  if (!(found instanceof type)) {
    throw new Error(`The page has no element "${id}"`)
  }
  return found
}

const input = element("search", HTMLInputElement)
const status = element("status", HTMLParagraphElement)
const results = element("results", HTMLOListElement)
const more = element("more", HTMLButtonElement)

const explain = (error: unknown): string => {
  if (isTimeout(error)) {
    return "The catalog takes too long. Try again."
  }
  if (isRateLimited(error)) {
    return `Try again in ${Math.ceil((error.retryAfter ?? 60_000) / 1000)} s.`
  }
  return "Something went wrong. Try again."
}

let current = new AbortController()

const search = (q: string): void => {
  current.abort()
  current = new AbortController()
  const { signal } = current
  results.replaceChildren()
  more.hidden = true
  status.textContent = ""
  // The service refuses shorter ones.
  if (q.trim().length < 3) {
    return
  }

  const options = { fields: ["mean"], prefetch: 0, signal } as const
  const pages = catalog.anime.search.pages({ q, limit: 5 }, options)[Symbol.asyncIterator]()
  const readOn = async (): Promise<void> => {
    more.disabled = true
    try {
      const { done, value: page } = await pages.next()
      if (signal.aborted) {
        return
      }
      for (const { node } of done ? [] : page.data) {
        const item = document.createElement("li")
        item.textContent = node.mean === undefined ? node.title : `${node.title} (${node.mean})`
        results.append(item)
      }
      more.hidden = done === true || page.paging?.next === undefined
      status.textContent = results.childElementCount === 0 ? "Nothing found." : `${results.childElementCount} shown`
    } catch (error) {
      if (isCancelled(error)) {
        return
      }
      status.textContent = explain(error)
    } finally {
      if (!signal.aborted) {
        more.disabled = false
      }
    }
  }
  showMore = readOn
  void readOn()
}

let showMore: (() => Promise<void>) | undefined
more.addEventListener("click", () => void showMore?.())

let pause: ReturnType<typeof setTimeout> | undefined
input.addEventListener("input", () => {
  clearTimeout(pause)
  pause = setTimeout(() => search(input.value), 200)
})
