/**
 * Selectors as values: of everything, of fields that the client does not know, and the Schema of a selected record.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import {
  anything,
  arrayOf,
  type Ast,
  elementOf,
  type Member,
  member,
  membersOf,
  recordOf
} from "./internal/model/ast.js"
import { Anime, AnimeNode, Manga, MangaNode } from "./model/Item.js"
import { AnimeListStatus, MangaListStatus } from "./model/ListStatus.js"
import { AnimeListEntry, MangaListEntry } from "./model/Page.js"
import { defaultMembers, onDemand, type RecordKind } from "./internal/model/defaultMembers.js"
import { parse, type Selection } from "./internal/model/selection.js"
import { User } from "./model/User.js"
import type { Selected, Selector, Unchecked } from "./Selector.js"

export type { Unchecked }

const pick = (ast: Ast, keeps: (name: string) => boolean): Ast =>
  recordOf([...membersOf(ast)].flatMap(([name, member]) => (keeps(name) ? [member] : [])))

const isOneOf = (names: ReadonlyArray<string>) => (name: string) => names.includes(name)

const kindOf = (ast: Ast): RecordKind | undefined => {
  const members = membersOf(ast)
  return (Object.keys(defaultMembers) as ReadonlyArray<RecordKind>).find((kind) => members.has(kind))
}

const defaultOf = (ast: Ast): Ast => {
  const kind = kindOf(ast)
  if (kind !== undefined) {
    return pick(ast, isOneOf(defaultMembers[kind]))
  }
  const members = membersOf(ast)
  const node = members.get("node")
  if (node === undefined) {
    return ast
  }
  const others = [...members.values()].filter(({ name }) => name !== "node" && name !== "list_status")
  return recordOf([member("node", defaultOf(node.type), node.isOptional), ...others])
}

const bare = (name: string, ast: Ast): Ast => {
  if (name === "my_list_status" || name === "list_status") {
    return pick(ast, (member) => !isOneOf(onDemand)(member))
  }
  const element = elementOf(ast)
  if (element !== undefined) {
    return membersOf(element).has("node") ? arrayOf(defaultOf(element)) : ast
  }
  return name === "node" ? defaultOf(ast) : ast
}

const valueOf = (name: string, ast: Ast, inner: Selection): Ast => {
  if (inner.size === 0) {
    return bare(name, ast)
  }
  const element = elementOf(ast)
  return element === undefined ? (membersOf(ast).size > 0 ? narrow(ast, inner) : ast) : arrayOf(narrow(element, inner))
}

const named = (members: ReadonlyMap<string, Member>, selection: Selection) =>
  [...selection].flatMap(([name, inner]) => {
    const known = members.get(name)
    return known?.isOptional === false
      ? []
      : [member(name, known === undefined ? anything : valueOf(name, known.type, inner), true)]
  })

const narrow = (ast: Ast, selection: Selection): Ast => {
  const members = membersOf(ast)
  const node = members.get("node")
  if (node === undefined) {
    return recordOf([...[...members.values()].filter(({ isOptional }) => !isOptional), ...named(members, selection)])
  }
  const own = new Map([...selection].filter(([name]) => name !== "node" && members.has(name)))
  const ofNode = new Map([...[...selection].filter(([name]) => !members.has(name)), ...(selection.get("node") ?? [])])
  const others = [...members.values()].filter(({ isOptional, name }) => !isOptional && name !== "node")
  return recordOf([
    ...(!node.isOptional || selection.has("node") || ofNode.size > 0
      ? [member("node", ofNode.size === 0 ? defaultOf(node.type) : narrow(node.type, ofNode), node.isOptional)]
      : []),
    ...others,
    ...named(members, own)
  ])
}

/**
 * The Schema of a record as a selector narrows it, to validate, encode, cache or generate exactly that.
 *
 * Decoding drops the members that were not named. `model` is a Schema of this package: `Anime`, `Manga`, `User`, a list
 * status or an entry of a page.
 *
 * @example
 * ```ts
 * import { Anime, Fields } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * const Scored = Fields.schema(Anime, ["mean", "start_season{year}"])
 *
 * export const write = Schema.encodeSync(Schema.parseJson(Scored))
 * export const scored: typeof Scored.Type = { id: 30230, title: "Diamond no Ace: Second Season", mean: 8.3 }
 * ```
 */
export const schema = <M, const S extends Selector<M> | undefined = never>(
  model: Schema.Schema<M>,
  selector?: S | Selector<M>
): Schema.Schema<Selected<M, S>> => {
  const selection = parse(selector ?? "")
  return Schema.make(selection.size === 0 ? defaultOf(model.ast) : narrow(model.ast, selection))
}

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

const everything = <M>(model: Schema.Schema<M>): ReadonlyArray<string> =>
  [...membersOf(model.ast)].flatMap(([name, { isOptional, type }]) => {
    const element = elementOf(type)
    const person = element && membersOf(element).get("node")?.type
    return name === "my_list_status" || name === "list_status"
      ? [`${name}{${[...membersOf(type).keys()].join(",")}}`]
      : person !== undefined && kindOf(person) === "first_name"
        ? [`${name}{${[...membersOf(person).keys()].join(",")}}`]
        : isOptional
          ? [name]
          : []
  })

/**
 * Selectors of all fields of a record. A nested item (of a relation or a recommendation) has the members that it has
 * without `fields`.
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
    return everything(Anime)
  },
  get manga() {
    return everything(Manga)
  },
  get user() {
    return everything(User)
  },
  get animeListStatus() {
    return everything(AnimeListStatus)
  },
  get mangaListStatus() {
    return everything(MangaListStatus)
  },
  get animeListEntry() {
    return [...everything(AnimeListEntry), ...everything(AnimeNode)]
  },
  get mangaListEntry() {
    return [...everything(MangaListEntry), ...everything(MangaNode)]
  }
}
