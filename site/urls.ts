// Addresses as the site shows and makes them.

/** The path and the query of a URL as they are sent, and as messages and the operations' pages have them. */
export const targetOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The section of the page of errors to which a short address leads, as messages have one. */
export const errorSectionOf = (address: string): string | undefined =>
  /^https:\/\/[^/]+\.github\.io\/[^/]+\/e\/([\w-]+)$/.exec(address)?.[1]

/** The anchor of a heading, as GitHub makes it, so that a link is right in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-")

/** The last part of the short address of an error's section: its heading, or what comes before a colon there. */
export const shortNameOf = (heading: string): string => anchorOf(heading.replace(/:.*/, ""))

/** The headings of docs/errors.md, by the last parts of their short addresses. */
export const errorHeadings = (page: string): ReadonlyMap<string, string> =>
  new Map(Array.from(page.matchAll(/^###? (.+)$/gm), ([, heading = ""]) => [shortNameOf(heading), heading]))
