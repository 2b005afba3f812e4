/**
 * Selectors as values: selectors of everything, strict selectors, and the Schema of what a selector leaves of a record.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { Anime, Manga } from "./model/Item.js"
import { AnimeListStatus, MangaListStatus } from "./model/ListStatus.js"
import { AnimeListEntry, MangaListEntry } from "./model/Page.js"
import { User } from "./model/User.js"
import { onDemand, parse, row, type Misspelt, type Selected, type Selection, type Selector } from "./Selector.js"

const resolve = (ast: AST.AST): AST.AST => (AST.isSuspend(ast) ? resolve(ast.f()) : ast)

const membersOf = (ast: AST.AST): ReadonlyMap<string, AST.PropertySignature> => {
  const record = resolve(ast)
  return new Map(
    AST.isTypeLiteral(record) ? record.propertySignatures.map((member) => [String(member.name), member]) : []
  )
}

const struct = (members: Iterable<AST.PropertySignature>): AST.AST => new AST.TypeLiteral([...members], [])

const pick = (ast: AST.AST, keeps: (name: string) => boolean): AST.AST =>
  struct([...membersOf(ast)].flatMap(([name, member]) => (keeps(name) ? [member] : [])))

const member = (name: string, type: AST.AST, isOptional: boolean): AST.PropertySignature =>
  new AST.PropertySignature(name, type, isOptional, true)

const isOneOf = (names: ReadonlyArray<string>) => (name: string) => names.includes(name)

const elementOf = (ast: AST.AST): AST.AST | undefined => (AST.isTupleType(ast) ? ast.rest[0]?.type : undefined)

const arrayOf = (element: AST.AST): AST.AST => new AST.TupleType([], [new AST.Type(element)], true)

const isRequired = (members: ReadonlyMap<string, AST.PropertySignature>, name: string): boolean =>
  members.get(name)?.isOptional === false

const nodeRow = (ast: AST.AST): AST.AST => {
  const members = membersOf(ast)
  return isRequired(members, "title") ? rowOf(ast) : members.has("first_name") ? pick(ast, isOneOf(["id"])) : ast
}

const rowOf = (ast: AST.AST): AST.AST => {
  const members = membersOf(ast)
  if (isRequired(members, "title")) {
    return pick(ast, isOneOf(row.item))
  }
  if (isRequired(members, "name")) {
    return pick(ast, isOneOf(row.user))
  }
  const node = members.get("node")
  if (node === undefined) {
    return ast
  }
  const others = [...members.values()].filter(({ name }) => name !== "node" && name !== "list_status")
  return struct([member("node", nodeRow(node.type), node.isOptional), ...others])
}

const bare = (name: string, ast: AST.AST): AST.AST => {
  if (name === "my_list_status" || name === "list_status") {
    return pick(ast, (member) => !isOneOf(onDemand)(member))
  }
  const element = elementOf(ast)
  if (element !== undefined) {
    return membersOf(element).has("node") ? arrayOf(rowOf(element)) : ast
  }
  return name === "node" ? nodeRow(ast) : ast
}

const valueOf = (name: string, ast: AST.AST, inner: Selection): AST.AST => {
  if (inner.size === 0) {
    return bare(name, ast)
  }
  const element = elementOf(ast)
  return element === undefined
    ? AST.isTypeLiteral(resolve(ast))
      ? narrow(ast, inner)
      : ast
    : arrayOf(narrow(element, inner))
}

const named = (members: ReadonlyMap<string, AST.PropertySignature>, selection: Selection) =>
  [...selection].flatMap(([name, inner]) => {
    const known = members.get(name)
    return known?.isOptional === false
      ? []
      : [member(name, known === undefined ? AST.unknownKeyword : valueOf(name, known.type, inner), true)]
  })

const narrow = (ast: AST.AST, selection: Selection): AST.AST => {
  const members = membersOf(ast)
  const node = members.get("node")
  if (node === undefined) {
    return struct([...[...members.values()].filter(({ isOptional }) => !isOptional), ...named(members, selection)])
  }
  const own = new Map([...selection].filter(([name]) => name !== "node" && members.has(name)))
  const ofNode = new Map([...[...selection].filter(([name]) => !members.has(name)), ...(selection.get("node") ?? [])])
  const ranking = members.get("ranking")
  return struct([
    ...(!node.isOptional || selection.has("node") || ofNode.size > 0
      ? [member("node", ofNode.size === 0 ? nodeRow(node.type) : narrow(node.type, ofNode), node.isOptional)]
      : []),
    ...(ranking === undefined ? [] : [ranking]),
    ...named(members, new Map([...own].filter(([name]) => name !== "ranking")))
  ])
}

/**
 * The Schema of what a selector leaves of a record, to validate, encode, cache or generate exactly that.
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
  return Schema.make(selection.size === 0 ? rowOf(model.ast) : narrow(model.ast, selection))
}

const misspelt = (ast: AST.AST, selection: Selection): ReadonlyArray<string> => {
  const members = membersOf(ast)
  const node = members.get("node")
  return [...selection].flatMap(([name, inner]) => {
    const known = members.get(name)
    if (known === undefined) {
      return node === undefined ? [name] : misspelt(node.type, new Map([[name, inner]]))
    }
    return misspelt(elementOf(known.type) ?? known.type, inner).map((below) => `${name}.${below}`)
  })
}

/**
 * Gives back a selector in which each name is known. A misspelt name does not compile, and the error names it. Where
 * the types cannot see the names (a selector that is only known to be a string), a misspelt name throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { Anime, Catalog, Fields } from "@catalog-client/core"
 *
 * const fields = Fields.strict(Anime, ["mean", "my_list_status{tags}"])
 *
 * export const anime = Catalog.anime.get({ id: 30230 }, { fields })
 * ```
 */
export const strict = <M, const S extends Selector<M>>(
  model: Schema.Schema<M>,
  selector: S & ([Misspelt<M, S>] extends [never] ? unknown : { readonly "no field is called": Misspelt<M, S> })
): S => {
  const [bad] = misspelt(model.ast, parse(selector))
  if (bad !== undefined) {
    throw new TypeError(`no field is called ${bad}`)
  }
  return selector
}

const everything = <M>(model: Schema.Schema<M>): ReadonlyArray<string> =>
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
 * Selectors of everything that a record has. An item that a record leads to (a relation, a recommendation) holds what
 * it has without `fields`.
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
    return [...everything(AnimeListEntry), ...everything(Anime)]
  },
  get mangaListEntry() {
    return [...everything(MangaListEntry), ...everything(Manga)]
  }
}
