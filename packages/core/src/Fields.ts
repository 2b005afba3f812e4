/**
 * Selectors as values: of all fields, and of fields that the client does not know.
 *
 * @since 0.2.0
 */
// internal/declaration/inputs.ts sends them.
import type * as Schema from "effect/Schema"
import { elementOf, membersOf } from "./internal/model/ast.js"
import { Anime, AnimeNode, Manga, MangaNode } from "./model/Item.js"
import { AnimeListStatus, MangaListStatus } from "./model/ListStatus.js"
import { AnimeListEntry, MangaListEntry } from "./model/Page.js"
import { User } from "./model/User.js"
import type { Unchecked } from "./Selector.js"

export type { FieldsDefault as Default } from "./Face.js"
export type { AnySelector, Selected, Selector, Unchecked } from "./Selector.js"

/**
 * A selector that may have fields that the client does not know yet: in the reply, they are `unknown`. The service ignores
 * names that it does not know.
 *
 * @example
 * ```ts
 * import { Catalog, Fields } from "@catalog-client/core"
 *
 * export const anime = Catalog.anime.get({ id: 30230 }, { fields: Fields.unchecked("mean", "mood") })
 * ```
 */
export const unchecked = <const Part extends string>(...selector: ReadonlyArray<Part>): Unchecked<Part> =>
  selector as Unchecked<Part>

const allFields = <M>(model: Schema.Schema<M>): ReadonlyArray<string> =>
  [...membersOf(model.ast)].flatMap(([name, { isOptional, type }]) => {
    const element = elementOf(type)
    const person = element && membersOf(element).get("node")?.type
    return name === "my_list_status" || name === "list_status"
      ? [`${name}{${[...membersOf(type).keys()].join(",")}}`]
      : person !== undefined && membersOf(person).has("first_name")
        ? [`${name}{${[...membersOf(person).keys()].join(",")}}`]
        : isOptional
          ? [name]
          : []
  })

/**
 * Selectors of all fields of a record. A nested item (of a relation or a recommendation) has its default
 * members.
 *
 * @example
 * ```ts
 * import { Catalog, Fields } from "@catalog-client/core"
 *
 * export const anime = Catalog.anime.get({ id: 30230 }, { fields: Fields.all.anime })
 * ```
 */
export const all: {
  readonly [
    K in "anime" | "manga" | "user" | "animeListStatus" | "mangaListStatus" | "animeListEntry" | "mangaListEntry"
  ]: ReadonlyArray<string>
} = {
  get anime() {
    return allFields(Anime)
  },
  get manga() {
    return allFields(Manga)
  },
  get user() {
    return allFields(User)
  },
  get animeListStatus() {
    return allFields(AnimeListStatus)
  },
  get mangaListStatus() {
    return allFields(MangaListStatus)
  },
  get animeListEntry() {
    return [...allFields(AnimeListEntry), ...allFields(AnimeNode)]
  },
  get mangaListEntry() {
    return [...allFields(MangaListEntry), ...allFields(MangaNode)]
  }
}
