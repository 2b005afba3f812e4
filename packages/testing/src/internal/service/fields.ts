/**
 * Which fields a reply has: those that it always has, and those that `fields` selects. The fields that only anime or only
 * manga have are in `anime.ts` and `manga.ts`, those of a user in `users.ts`.
 */
import type { Kind, Member, View } from "./kind.js"
import { narrow, ofNode, type Selection } from "./selector.js"
import type { Entry, Item } from "./store.js"

/** Members that are shown as they are stored. */
export const stored = <R extends object>(
  ...names: ReadonlyArray<keyof R & string>
): ReadonlyArray<[string, Member<R>]> =>
  names.map((name) => [name, (record, selection) => narrow(record[name], selection)])

/** An item as it is shown: always `id`, `title` and the picture, and the requested members. */
export const showItem = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  item: I,
  selection: Selection | undefined,
  view: View
): Record<string, unknown> => {
  const shown: Record<string, unknown> = { id: item.id, title: item.title }
  if (item.main_picture !== undefined) {
    shown["main_picture"] = item.main_picture
  }
  for (const [name, inner] of selection ?? []) {
    const member = kind.members.get(name) ?? (view.single ? kind.details.get(name) : undefined)
    const value = name === "my_list_status" ? showOwnStatus(kind, item.id, inner, view) : member?.(item, inner, view)
    if (value !== undefined) {
      shown[name] = value
    }
  }
  return shown
}

/** A list status: its default members, and those requested in its braces. */
export const showStatus = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  entry: E,
  wants: (name: string) => boolean
): Record<string, unknown> => {
  const shown: Record<string, unknown> = {}
  for (const name of kind.statusMembers) {
    if (entry[name] !== undefined) {
      shown[name] = entry[name]
    }
  }
  for (const name of kind.statusExtras) {
    if (wants(name)) {
      shown[name] = entry[name]
    }
  }
  return shown
}

const showOwnStatus = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  id: number,
  selection: Selection,
  view: View
): unknown => {
  const entry = view.viewer === undefined ? undefined : kind.list(view.viewer).get(id)
  return entry === undefined ? undefined : showStatus(kind, entry, (name) => selection.has(name))
}

const relationTitle = (word: string): string => {
  const blanks = word.replaceAll("_", " ")
  return blanks.slice(0, 1).toUpperCase() + blanks.slice(1)
}

/** A related item is shown without the members that only a single item has, so that relations do not nest without end. */
const neighbour = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  id: number,
  selection: Selection | undefined,
  view: View
): Record<string, unknown> | undefined => {
  const item = kind.shelf(view.store).byId.get(id)
  return item === undefined ? undefined : showItem(kind, item, ofNode(selection), { ...view, single: false })
}

/** Relations of anime to anime, and of manga to manga: live, others are not shown. Unknown items are left out. */
const showRelated =
  <I extends Item>(from: "anime" | "manga", to: "anime" | "manga"): Member<I> =>
  ({ related }, selection, view) =>
    related.flatMap(({ id, kind, relation_type }) => {
      const node = kind === to && from === to ? neighbourOf(to, id, selection, view) : undefined
      return node === undefined ? [] : [{ node, relation_type, relation_type_formatted: relationTitle(relation_type) }]
    })

const neighbourOf = (
  name: "anime" | "manga",
  id: number,
  selection: Selection | undefined,
  view: View
): Record<string, unknown> | undefined =>
  name === "anime" ? neighbour(view.kinds.anime, id, selection, view) : neighbour(view.kinds.manga, id, selection, view)

/** The members that every item has. */
export const itemMembers = <I extends Item>(): ReadonlyArray<[string, Member<I>]> => [
  // The live service returns an empty value and leaves nothing out.
  [
    "alternative_titles",
    ({ alternative_titles }, selection) => narrow({ synonyms: [], en: "", ja: "", ...alternative_titles }, selection)
  ],
  ...stored<I>(
    "main_picture",
    "start_date",
    "end_date",
    "synopsis",
    "mean",
    "rank",
    "popularity",
    "num_list_users",
    "num_scoring_users",
    "num_favorites",
    "nsfw",
    "genres",
    "created_at",
    "updated_at",
    "media_type",
    "status"
  )
]

/** The members that every single item has. */
export const itemDetails = <I extends Item>(name: "anime" | "manga"): ReadonlyArray<[string, Member<I>]> => [
  // The live service returns an empty value and leaves nothing out.
  ["background", ({ background }) => background ?? ""],
  ["pictures", ({ main_picture }, selection) => narrow(main_picture === undefined ? [] : [main_picture], selection)],
  ["related_anime", showRelated<I>(name, "anime")],
  ["related_manga", showRelated<I>(name, "manga")],
  [
    "recommendations",
    ({ recommendations }, selection, view) =>
      recommendations.flatMap(({ id, num_recommendations }) => {
        const node = neighbourOf(name, id, selection, view)
        return node === undefined ? [] : [{ node, num_recommendations }]
      })
  ]
]
