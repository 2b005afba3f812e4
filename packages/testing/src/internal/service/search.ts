/** Finding items by their names. */
import { byPopularity, inOrder, type Order } from "./kind.js"
import type { Item } from "./store.js"

const folded = (text: string): string => text.normalize("NFKC").toLowerCase()

const namesOf = new WeakMap<Item, ReadonlyArray<string>>()

const names = (item: Item): ReadonlyArray<string> => {
  const names = namesOf.get(item)
  if (names !== undefined) {
    return names
  }
  const { synonyms = [], en, ja } = item.alternative_titles ?? {}
  const all = [item.title, en, ja, ...synonyms].flatMap((name) =>
    name === undefined || name === "" ? [] : [folded(name)]
  )
  namesOf.set(item, all)
  return all
}

const matches: ReadonlyArray<(name: string, wanted: string) => boolean> = [
  (name, wanted) => name === wanted,
  (name, wanted) => name.startsWith(wanted),
  (name, wanted) => name.includes(` ${wanted}`),
  (name, wanted) => name.includes(wanted),
  (name, wanted) => wanted.split(/\s+/).every((word) => name.includes(word))
]

const noMatch = Number.POSITIVE_INFINITY

/** How well an item matches a search: the kind of match first, then the title before other names. */
const distance = (item: Item, wanted: string): number =>
  names(item).reduce((nearest, name, index) => {
    const match = matches.findIndex((matching) => matching(name, wanted))
    return match < 0 ? nearest : Math.min(nearest, match + (index === 0 ? 0 : 0.5))
  }, noMatch)

const nearest: Order<{ readonly item: Item; readonly far: number }> = inOrder(
  (a, b) => a.far - b.far,
  (a, b) => byPopularity(a.item, b.item)
)

/** The items that match, the best match first, then the most popular. */
export const find = <I extends Item>(items: ReadonlyArray<I>, words: string): ReadonlyArray<I> => {
  const wanted = folded(words)
  return items
    .map((item) => ({ item, far: distance(item, wanted) }))
    .filter(({ far }) => far < noMatch)
    .sort(nearest)
    .map(({ item }) => item)
}
