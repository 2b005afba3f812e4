// What doc comments say, and whether one says the same as another.
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"
import { found, isNamespace, load } from "../../../scripts/generate/declarations.mjs"
import { effectFolders, root } from "../../../scripts/workspace.mjs"
import { checker, docsOf, isOptional, isValue, membersOf } from "./exports.mjs"

/** @import { Section, Member } from "./exports.mjs" */

/** @type {typeof import("../../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** The comment at the top of the source behind a file of declarations. @param {string} declarations */
export const introductionOf = (declarations) => {
  const places = ["src", "src/entries"].map((folder) =>
    declarations.replace(/[/]dist[/](?!.*[/]dist[/])/, `/${folder}/`)
  )
  // What the package for promises takes from another one.
  const shared = effectFolders.map((name) => join(root, "packages", name, "src", basename(declarations)))
  const source = [...places, ...shared].map((file) => file.replace(/[.]d[.]c?ts$/, ".ts")).find(existsSync)
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(source ? readFileSync(source, "utf8") : "") ?? []
  return comment
    .replaceAll(/^ *[*] ?/gm, "")
    .replace(/^@since.*$/m, "")
    .replaceAll(/\{@link\s+([^}]+?)\}/g, "`$1`")
    .trim()
}

/** The first words about a namespace. @param {ts.Symbol} namespace */
export const introductionTo = ({ declarations: [declaration] = [] }) =>
  introductionOf(declaration?.getSourceFile().fileName ?? "").split("\n\n")[0] ?? ""

/** @param {string} text */
export const wordsIn = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu))

/** @param {string} text */
export const firstSentenceOf = (text) => text.split(/(?<=[.]) (?=[A-Z`])/)[0] ?? ""

/** What a name is, and what it does in one sentence, without markup. @param {Section} section */
export const aboutOf = ({ name, statements, symbol }) => {
  const isCalled = () => checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
  const kind = isNamespace(symbol)
    ? "namespace"
    : (symbol.flags & ts.SymbolFlags.Class) !== 0
      ? name.endsWith("Error")
        ? "error"
        : "class"
      : !isValue({ symbol })
        ? "type"
        : isCalled()
          ? "function"
          : "constant"
  const [text = ""] = isNamespace(symbol)
    ? [introductionTo(symbol)]
    : statements.flatMap(docsOf).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
  const [paragraph = ""] = text.split("\n\n")
  const line = firstSentenceOf(paragraph.replaceAll(/\s+/g, " ")).replaceAll(/\{@link\s+([^}]+?)\}/g, "$1")
  return { kind, line: line.replaceAll("`", "") }
}

/** The words that a section says, whichever package it is of. @param {Section} section @param {ReadonlyArray<Member>} members */
export const wordsOf = ({ statements, symbol }, members) =>
  wordsIn(
    [...statements, ...members.map(({ node }) => node)]
      .flatMap(docsOf)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
      .concat(isNamespace(symbol) ? introductionTo(symbol) : members.map(({ symbol }) => symbol.name))
      .join(" ")
  )

/** Whether a section says little that another one does not: one word of six at most. @param {ReadonlySet<string>} words @param {ReadonlySet<string>} known */
export const isSaid = (words, known, least = 6) =>
  words.size > 0 && [...words].filter((word) => !known.has(word)).length <= words.size / least

/** The tags of a node's comment. @param {ts.Node} node @param {string} name */
const tagsOf = (node, name) =>
  docsOf(node).flatMap(({ tags = [] }) =>
    tags.flatMap((tag) => (tag.tagName.text === name ? [ts.getTextOfJSDocComment(tag.comment)?.trim() ?? ""] : []))
  )

/** The default of an option, as a program would write it; nothing where a comment has none. @param {ts.Node} node */
export const defaultOf = (node) => tagsOf(node, "default")[0] ?? ""

/** The programs in the comment of a node; those that Effect 3 has otherwise, for both versions. @param {ts.Node} node */
export const examplesOf = (node) => {
  const file = node.getSourceFile().fileName
  const ofEffect3 = file.replace(join(root, "effect4/dist"), join(root, "packages"))
  return tagsOf(node, "example").map((program) => {
    const other = file === ofEffect3 ? program : programsIn(ofEffect3)[programsIn(file).indexOf(program)]
    return other === program ? program : `With Effect 4:\n\n${program}\n\nWith Effect 3:\n\n${found(other, program)}`
  })
}

/** @type {Map<string, ReadonlyArray<string>>} */
const programsByFile = new Map()

/** The programs in the comments of a file, in its order. @param {string} file */
const programsIn = (file) => {
  const text = programsByFile.has(file) ? "" : readFileSync(file, "utf8")
  const programs =
    programsByFile.get(file) ??
    Array.from(
      text.matchAll(/@example\s+[*]\s(.*```ts\n[^]*?```(?:\n\s*[*]\n\s*[*] ```text\n[^]*?```)?)/g),
      ([, program = ""]) => program.replaceAll(/^ *[*] ?/gm, "")
    )
  programsByFile.set(file, programs)
  return programs
}

/** Whether a member is a function, which programs call, or has a program or several paragraphs: no text for a cell. @param {Member} member */
export const hasSection = ({ node, symbol }) => {
  const { type } = /** @type {{ readonly type?: ts.TypeNode }} */ (node)
  const isFunction = ts.isMethodSignature(node) || ts.isMethodDeclaration(node) || (type && ts.isFunctionTypeNode(type))
  const isOption = isOptional(symbol)
  return (
    examplesOf(node).length > 0 ||
    docsOf(node).some(({ comment }) => (isFunction && !isOption) || ts.getTextOfJSDocComment(comment)?.includes("\n\n"))
  )
}

/** A member and what its comment says. @param {Member} member */
export const keyOf = ({ node, symbol }) => {
  const comments = docsOf(node).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
  return `${symbol.name}: ${[...comments, defaultOf(node)].join(" ").replaceAll(/\s+/g, " ")}`
}

/** The members of options, and what is said of each: two with one name can have other defaults. @param {Section} section */
export const optionsOf = ({ name, statements }) =>
  name.endsWith("Options") ? statements.flatMap(membersOf).map(keyOf).sort().join("\n") : ""

/** Whether a section leads to an operation. @param {Section} section */
export const isOfOperations = ({ name }) => /(?:Params|^(?:Anime|Manga|User|Forum)Operations(?:With)?)$/.test(name)

/** What is said beside its comment of a section whose members another one has. @param {Section} section */
export const shortOf = (section) => {
  const { name } = section
  const [, domain = ""] = /^(Anime|Manga|User|Forum)(?:Operations(?:With)?|(?<!User)Params)$/.exec(name) ?? []
  const [, item = ""] = /^(Anime|Manga)ListUpdateParams$/.exec(name) ?? []
  return domain !== ""
    ? `See [operations](../operations/${domain.toLowerCase()}.md).`
    : item !== ""
      ? `See \`${item.toLowerCase()}.updateMyListStatus\`.`
      : // For other default fields.
        name.endsWith("With")
        ? `It has the members of \`${name.slice(0, -"With".length)}\`.`
        : // What other packages declare.
          isOfOperations(section) || /^(?:Meter|Tracer)$/.test(name)
          ? ""
          : undefined
}

/** The only operation that a section of params names, as an address. @param {Section} section */
export const operationOf = (section) => {
  const comments = section.statements.flatMap(docsOf).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
  const names = new Set([...comments, shortOf(section)].join(" ").match(/(?<=`)(?:anime|manga|user|forum)[.]\w+(?=`)/g))
  const [name = ""] = names
  return names.size === 1 ? `../operations/${name.split(".")[0]}.md#${anchorOf(name)}` : undefined
}

/** Text with links for the operations that it names. @param {string} text */
export const withOperations = (text) =>
  text.replaceAll(
    /`((anime|manga|user|forum)[.](\w+))`/g,
    (code, /** @type {string} */ name, /** @type {string} */ domain) =>
      `[${code}](../operations/${domain}.md#${anchorOf(name)})`
  )
