/** The names and values of a query, a form or headers. Not every version of the DOM's types declares their iterators. */
export const pairsOf = (
  values: Pick<URLSearchParams, "forEach"> | Pick<globalThis.Headers, "forEach">
): Array<[name: string, value: string]> => {
  const pairs: Array<[string, string]> = []
  values.forEach((value, name) => pairs.push([name, value]))
  return pairs
}
