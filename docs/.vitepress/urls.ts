// Addresses as the site shows them.

/** The path and the query of a URL, decoded. */
export const decoded = (url: string): string => {
  const { pathname, search } = new URL(url)
  return decodeURIComponent(pathname + search.replaceAll("+", " "))
}
