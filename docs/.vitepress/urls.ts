// Addresses as the site shows and makes them.

/** The path and the query of a URL, decoded. */
export const decoded = (url: string): string => {
  const { pathname, search } = new URL(url)
  return decodeURIComponent(pathname + search.replaceAll("+", " "))
}

/** The anchor of a heading, as GitHub makes it, so that a link is right in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-")
