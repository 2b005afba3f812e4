// What the search finds: a word that a reader has mistyped is corrected.

/** What the search knows of a result: its address, the words of the query, and for each word that they match the indexed fields. */
export interface Result {
  readonly id: string
  readonly queryTerms: ReadonlyArray<string>
  readonly match: Readonly<Record<string, ReadonlyArray<string>>>
}

/** How the search takes a text apart (search.ts). */
interface Words {
  readonly tokenize: (text: string) => ReadonlyArray<string>
  readonly processTerm: (term: string) => string
}

/** What a search needs of MiniSearch. */
interface Index<R extends Result> {
  search(text: string, options?: object): ReadonlyArray<R>
}

/** How many letters of a word change until it is another one. Two in the other order are one change. */
const changesBetween = (word: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let above: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= word.length; row++) {
    const here = [row]
    for (let at = 1; at <= other.length; at++) {
      const [last = "", letter = ""] = [word[row - 1], other[at - 1]]
      const isSwapped = word[row - 2] === letter && other[at - 2] === last
      here.push(
        Math.min(
          (above[at] ?? 0) + 1,
          (here[at - 1] ?? 0) + 1,
          (above[at - 1] ?? 0) + (last === letter ? 0 : 1),
          isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity
        )
      )
    }
    before = above
    above = here
  }
  return above.at(-1) ?? 0
}

const lettersOf = (word: string): string => Array.from(word).sort().join("")

/** Whether a word is another one with letters left out. */
const isShorter = (word: string, other: string): boolean =>
  Array.from(word).reduce((at, letter) => (at < 0 ? at : other.indexOf(letter, at) + 1 || -1), 0) > 0

/** How many sections have a rare word, at most. */
const most = 50

/** The word of at least so many sections that a reader has mistyped: the most similar one, and of these the most frequent one. */
const meantBy = <R extends Result>(
  index: Index<R>,
  typed: string,
  { processTerm }: Words,
  least: number
): string | undefined => {
  const word = typed.toLowerCase()
  if (!/^[a-z]{4,}$/.test(word)) {
    return undefined
  }
  // `ratelimiting`
  const stem = word.replace(/(?:ing|ed|er|ers)$/, "")
  if (stem !== word && stem.length > 3 && index.search(stem, { fuzzy: false, prefix: true }).length > 0) {
    return stem
  }
  const counts = new Map<string, number>()
  for (const { match } of index.search(word, {
    fields: ["title", "aliases", "file", "text", "code"],
    fuzzy: 2,
    prefix: false,
    tokenize: (text: string) => [text]
  })) {
    for (const other of Object.keys(match)) {
      counts.set(other, (counts.get(other) ?? 0) + 1)
    }
  }
  // Of many, the index has one: `retires` is one letter from `retries`, and two from `retry`.
  const plurals = Array.from(
    word,
    (letter, at) => word.slice(0, at) + (word[at + 1] ?? "") + letter + word.slice(at + 2)
  )
  const forms = [word, processTerm(word), ...plurals.filter((form) => form.endsWith("ies")).map(processTerm)]
  const [best] = [...counts]
    .map(([other, count]) => {
      const changes = Math.min(...forms.map((form) => changesBetween(form, other)))
      // Two letters in the other order are the usual mistake, then a letter that is missing, and the first letter is seldom wrong.
      const likely =
        (forms.some((form) => lettersOf(form) === lettersOf(other)) ? 0.6 : isShorter(word, other) ? 0.3 : 0) -
        (other[0] === word[0] ? 0 : 0.5)
      return { other, count, changes, distance: changes - likely }
    })
    .filter(({ changes, count, other }) => other !== word && count >= least && changes <= (word.length < 8 ? 1 : 2))
    .sort((one, other) => one.distance - other.distance || other.count - one.count)
  return best?.other
}

/** How many results the box shows. */
const shown = 16

/** Of a page with many results, the best two stand where they are, and the others at the end of the list, unless a reader named them. */
const spread = <R extends Result>(results: ReadonlyArray<R>): ReadonlyArray<R> => {
  const counts = new Map<string, number>()
  const first = results.slice(0, shown).map((result) => {
    const [page = ""] = result.id.split("#")
    const count = (counts.get(page) ?? 0) + 1
    counts.set(page, count)
    return { result, isMore: count > 2 && !Object.keys(result.match).some((word) => word.startsWith(":")) }
  })
  return [false, true].flatMap((more) => first.flatMap(({ isMore, result }) => (isMore === more ? result : [])))
}

/**
 * What a search finds. A word that occurs nowhere is the one that it looks like; if it looks like none, the others have to be rare: not
 * everywhere, as those of `dry run` are.
 */
export const found = <R extends Result>(
  index: Index<R>,
  text: string,
  words: Words,
  isCorrected = false
): ReadonlyArray<R> => {
  const results = index.search(text)
  const terms = words.tokenize(text)
  // A pasted message has no such end, and other words.
  const typed = terms.slice(0, Math.max(0, terms.indexOf("⇄"))).filter((term) => /^[^ :/]*\w[^ :/]*$/.test(term))
  // A name, a question, or two words in a row.
  const isPhrase = results.some(({ queryTerms }) => queryTerms.some((term) => /[ :]/.test(term)))
  const known = new Set(results.flatMap(({ match }) => Object.keys(match)))
  const unknown = typed.filter((term) => ![...known].some((word) => word.startsWith(words.processTerm(term))))
  // What one section has, and no title or alias, may be a mistake that it shows: `limt`.
  const isShown = (term: string) => {
    const fields = results.flatMap(({ match }) => match[words.processTerm(term)] ?? [])
    return fields.length === 1 && /^(?:code|text)$/.test(String(fields))
  }
  const corrected = isCorrected
    ? text
    : typed
        .filter((term) => unknown.includes(term) || (typed.length < 4 && isShown(term)))
        .reduce(
          (text, term) => text.replace(term, meantBy(index, term, words, unknown.includes(term) ? 1 : most) ?? term),
          text
        )
  if (corrected !== text) {
    return found(index, corrected, words, true)
  }
  const isRare = (term: string) => {
    const { length } = results.filter(({ match }) => words.processTerm(term) in match)
    return length > 0 && length <= most
  }
  // A name that does not exist is its words: `isCatalogError`.
  if (results.length === 0 && /[a-z][A-Z]/.test(text)) {
    return found(index, text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " "), words)
  }
  return isPhrase || unknown.length * 2 < typed.length || typed.some(isRare) ? spread(results) : []
}
