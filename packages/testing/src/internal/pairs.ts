/** The names and values of a query, a form or headers. Their iterators are not in every version of the DOM's types. */
export const pairsOf = (
  values: Pick<URLSearchParams, "forEach"> | Pick<globalThis.Headers, "forEach">
): Array<[name: string, value: string]> => {
  const pairs: Array<[string, string]> = []
  values.forEach((value, name) => pairs.push([name, value]))
  return pairs
}
