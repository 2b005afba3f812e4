// The Markdown of a section.
import ts from "typescript"
import { found, isNamespace } from "../../../scripts/generate/declarations.mjs"
import {
  basesOf,
  checker,
  docsOf,
  exported,
  headingOf,
  isCatalogOfEffect,
  isMachinery,
  isOfCompiler,
  isOptional,
  isValue,
  isOurs,
  isPackage,
  memberTitle,
  membersOf,
  membersOfNamespace,
  problems,
  symbolOf,
  typeOf
} from "./exports.mjs"
import { codeOf, isComputed, namesIn, shownIn } from "./written.mjs"
import {
  classCodeOf,
  commentsOn,
  errorCodeOf,
  fence,
  formatted,
  headOf,
  interfaceCodeOf,
  renamed,
  unexportedCodeOf
} from "./code.mjs"
import {
  firstSentenceOf,
  hasSection,
  introductionTo,
  isSaid,
  keyOf,
  shortOf,
  withOperations,
  wordsIn
} from "./comments.mjs"
import {
  addressFrom,
  addressIn,
  addressOf,
  addresses,
  headings,
  importsOf,
  like,
  link,
  moduleAt,
  moduleOfSymbol,
  modulesOf,
  named,
  repeated,
  titlesAt,
  wordsAt
} from "./outline.mjs"
import { operationsOfEffect } from "./operations.mjs"

/**
 * @import { Section, Member } from "./exports.mjs"
 * @import { Named } from "./written.mjs"
 */

/** The text of a comment's link, which leads to where its name is explained. @param {Exclude<ts.JSDocComment, ts.JSDocText>} part @param {string} file */
const linkIn = (part, file) => {
  const name = `${part.name?.getText() ?? ""}${part.text}`
  const address = addressOf(part.name && checker.getSymbolAtLocation(part.name)) ?? named.get(name.split(".")[0] ?? "")
  if (address === undefined) {
    problems.add(`${part.getSourceFile().fileName}: {@link ${name}} leads nowhere`)
  }
  return address === undefined ? name : link(name, address, file)
}

/** A doc comment as Markdown, and its programs. @param {ts.Node} node @param {string} file */
export const commentOf = (node, file) => {
  const docs = docsOf(node)
  const text = docs
    .flatMap(({ comment = "" }) =>
      typeof comment === "string"
        ? [comment]
        : comment.map((part) => (part.kind === ts.SyntaxKind.JSDocText ? part.text : linkIn(part, file)))
    )
    .join("")
  const programs = docs.flatMap(({ tags = [] }) =>
    tags.flatMap((tag) => (tag.tagName.text === "example" ? [ts.getTextOfJSDocComment(tag.comment) ?? ""] : []))
  )
  return { text, programs }
}

/** Where types are explained, by the names that code has for them. @param {Iterable<readonly [string, Named]>} names @param {string} file */
export const linksOf = (names, file) =>
  new Map(
    [...names].flatMap(([name, { symbol }]) => {
      const address = addressOf(symbol)
      if (
        address === undefined &&
        !isOfCompiler(symbol) &&
        !isMachinery(symbol) &&
        (symbol.declarations ?? []).some(isOurs)
      ) {
        problems.add(`${file}: ${name} leads nowhere`)
      }
      return address === undefined ? [] : [/** @type {const} */ ([name, addressFrom(address, file)])]
    })
  )

/** The type of a member in a cell: its code, with links to what is explained. @param {Member} member @param {string} file */
const typeIn = ({ declared, given }, file) => {
  const type = typeOf(declared) ?? declared
  const code = codeOf(type, given).replace(/;$/, "")
  const links = linksOf(namesIn(type, given), file)
  return code
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\breadonly (?=\w+[?]?:)|(?<!\w)readonly (?=\[)| [|] undefined$/g, "")
    .split(/(?<![.\w"])([A-Z]\w*(?:[.][A-Z]\w*)*)(?![\w"])/)
    .reduce(
      (parts, part) => {
        const address = links.get(part)
        return address === undefined
          ? [...parts.slice(0, -1), `${parts.at(-1)}${part}`]
          : [...parts, `[\`${part}\`](${address})`, ""]
      },
      [""]
    )
    .map((part, at) => (at % 2 === 1 || part.trim() === "" ? part.trim() : `\`${part.trim()}\``))
    .filter((part) => part !== "")
    .join(" ")
    .replaceAll("|", "\\|")
}

/** The members that a later section can repeat, and where they are. @type {Map<string, string>} */
const shown = new Map()

/** The functions among members, by their names, with what is said of each. @type {Map<string, Array<{ readonly title: string, readonly address: string, readonly text: string, readonly isPromise: boolean }>>} */
const functions = new Map()

/** What a comment says of a function among the members, or the one that does the same, which can be that of the other face. @param {Member} member @param {string} text @param {Section} section @param {string} file */
const said = ({ symbol }, text, { heading, symbol: owner }, file) => {
  const address = found(addresses.get(symbol), symbol.name)
  const isPromise = !isPackage(modulesOf.get(owner) ?? "")
  const others = functions.get(symbol.name) ?? []
  const other = others.find(
    (other) => other.text === text || (!isPromise && other.isPromise && isSaid(wordsIn(text), wordsIn(other.text), 3.6))
  )
  functions.set(symbol.name, [...others, { title: heading, address, text, isPromise }])
  return other === undefined || text.length < 40 ? [text] : [`See ${link(other.title, other.address, file)}.`]
}

/**
 * The table of members; of those that another section describes in the same words, it has the first sentence. Where they are most
 * of a long table, it leads there.
 *
 * @param {ReadonlyArray<Member>} members
 * @param {string} own
 * @param {string} file
 * @param {boolean} hasTypes otherwise they are in the code above it
 */
const tableOf = (members, own, file, hasTypes) => {
  const places = members.map((member) => {
    const place = shown.get(keyOf(member)) ?? own
    shown.set(keyOf(member), place)
    return place
  })
  const isOptions = /(?:Options|Defaults)[|]/.test(own)
  const most = places.find(
    (place) => place !== own && places.filter((other) => other === place).length > (isOptions ? 5 : 4)
  )
  const linkTo = (/** @type {string} */ place) => {
    const [heading = "", address = ""] = place.split("|")
    return link(heading, address, file)
  }
  const rows = members.flatMap((member, at) => {
    const place = found(places[at], member.symbol.name)
    return place === most ? [] : [rowOf(member, file, place === own ? undefined : place, hasTypes)]
  })
  return [
    ...(rows.length === 0
      ? []
      : [
          [
            ...(hasTypes
              ? ["| Property | Type | Description |", "| --- | --- | --- |"]
              : ["| Property | Description |", "| --- | --- |"]),
            ...rows
          ].join("\n")
        ]),
    ...(most === undefined ? [] : [`Its${rows.length === 0 ? "" : " other"} properties are those of ${linkTo(most)}.`])
  ]
}

/** @param {Member} member @param {string} file @param {string | undefined} other the section that says all of its comment @param {boolean} hasType */
const rowOf = (member, file, other, hasType) => {
  const { node, symbol } = member
  const text = commentOf(node, file).text.replaceAll(/\s+/g, " ")
  const first = firstSentenceOf(text)
  const [heading = "", address = ""] = other?.split("|") ?? []
  const more = `See ${link(heading, address, file)}.`
  const said =
    other === undefined || text.length < more.length * 1.5 ? text : first === text ? text : `${first} ${more}`
  const name = `${ts.getNameOfDeclaration(node)?.getText()}${isOptional(symbol) ? "?" : ""}`
  return `| \`${name}\` | ${hasType ? `${typeIn(member, file)} | ` : ""}${said.replaceAll("|", "\\|") || "-"} |`
}

/** What a reader sees of a cell's Markdown. @param {string} cell */
const textInCell = (cell) => cell.replaceAll(/\]\([^)]*\)|[`[\\]/g, "")

/** Whether few of the members have a comment. @param {ReadonlyArray<Member>} members */
const isPlainCode = (members) => members.filter(({ node }) => docsOf(node).length > 0).length * 2 < members.length

/** What the beginnings of the pages say of all functions. */
const ofOptions = /(?:^|\s)Throws a `TypeError` (?:that names an|for an)\s+invalid\s+option\.$/

/** The options that a function takes, as code with comments. @param {Section} section */
const optionsIn = async (section) => {
  const symbols = shownIn(section).flatMap(([name, { symbol }]) => (name.endsWith("Options") ? [symbol] : []))
  return Promise.all(
    symbols
      .flatMap((symbol) =>
        unexportedCodeOf({ heading: symbol.name, name: symbol.name, symbol, statements: symbol.declarations ?? [] })
      )
      .map(formatted)
  )
}

/** @param {Section} section @param {string} file */
export const textOf = async (section, file) => {
  const { heading, statements, symbol } = section
  const title = found(titlesAt.get(section), heading)
  const imports = importsOf(section)
  /** A declaration below what a program imports for it. @param {ReadonlyArray<string>} code */
  const fences = (code) =>
    (code.length === 0 ? [""] : code).flatMap((text, at) => {
      const lines = [...(at === 0 && imports.length > 0 ? [imports.join("\n")] : []), ...(text === "" ? [] : [text])]
      return lines.length === 0 ? [] : [fence(lines.join("\n\n"))]
    })
  const members = statements.flatMap(membersOf)
  const comments = statements.map((statement) => commentOf(statement, file))
  const texts = comments.map(({ text }) => text.replace(ofOptions, "").trim())
  const prose = [...new Set(texts.filter((text) => text !== ""))]
  if (isNamespace(symbol)) {
    const members = membersOfNamespace(symbol)
    /** @param {string} kind @param {ReadonlyArray<{ readonly name: string }>} named */
    const exportOf = (kind, named) =>
      named.length === 0 ? [] : [`  export ${kind}{ ${named.map(({ name }) => name).join(", ")} }`]
    const lines = [
      ...exportOf("", members.filter(isValue)),
      ...exportOf(
        "type ",
        members.filter((member) => !isValue(member))
      )
    ]
    return [`### ${title}`, ...fences([`namespace ${section.name} {\n${lines.join("\n")}\n}`]), introductionTo(symbol)]
  }
  if (prose.length === 0) {
    problems.add(`${heading} of ${statements[0]?.getSourceFile().fileName} has no doc comment`)
  }
  const programs = [...new Set(comments.flatMap(({ programs }) => programs))]
  if (isCatalogOfEffect(section)) {
    const more = `\`items\` and \`pages\` return a \`Stream\`, with the same parameters. A ${link("CatalogClient", "core.md#catalogclient", file)} has these operations without \`R\`.`
    return [`### ${title}`, ...fences([operationsOfEffect.code]), ...prose, more, ...programs]
  }
  if (!exported.has(symbol)) {
    const code = await Promise.all(unexportedCodeOf(section).map(formatted))
    return [`### ${title}`, ...fences(code.map((text) => text.replace(/ = More$/, " = …")))]
  }
  const short = shortOf(section)
  if (short !== undefined) {
    return [`### ${title}`, ...fences([]), withOperations([...prose, short].join(" ").trim())]
  }
  const known = like.get(section)
  if (known !== undefined) {
    const first = firstSentenceOf(prose.join(" ").replaceAll(/\s+/g, " "))
    const signature = await formatted(statements.map((node) => codeOf(node)).join("\n"))
    // What another page says of a function, its code says, too.
    const isElsewhere = isPackage(moduleOfSymbol(section)) && !known.startsWith(`${file}#`)
    const code = isElsewhere
      ? [`${statements.map(commentsOn).join("")}${signature}`, ...(await optionsIn(section))]
      : [signature]
    return [
      `### ${title}`,
      ...fences([code.join("\n\n")]),
      isPackage(moduleOfSymbol(section))
        ? `See ${link(found(headings.get(known), known), known, file)}.`
        : isSaid(wordsIn(prose.join(" ")), found(wordsAt.get(known), known))
          ? `${first} Otherwise it is like ${link(heading, known, file)} of \`${moduleAt(known)}\`.`
          : prose.join("\n\n"),
      ...programs
    ]
  }
  const other = repeated.get(section)
  const bases = statements.flatMap(basesOf).flatMap((base) => {
    const address = addressOf(symbolOf(base))
    const name = headingOf.get(/** @type {ts.Symbol} */ (symbolOf(base))) ?? base.expression.getText()
    return address === undefined ? [] : [link(name, address, file)]
  })
  const rows = members.filter((member) => !hasSection(member))
  // The code of an error has its tag, and the first error says what its call is.
  const inTable = rows.filter(
    ({ symbol }) =>
      symbol.name !== "_tag" &&
      !(/^Client(?!Rest)\w+Error$/.test(section.name) && /^(?:operation|method|url)$/.test(symbol.name))
  )
  const isPlain = members.length === rows.length && !statements.some(ts.isClassDeclaration) && isPlainCode(rows)
  const hasFunctionsOnly = members.length > 0 && rows.length === 0
  // A long type is not for a cell, and of many members a reader first wants to see the whole.
  const hasLong =
    (statements.some(ts.isInterfaceDeclaration) || /^Client\w+Error$/.test(section.name)) &&
    (rows.length > 4 || rows.some((member) => textInCell(typeIn(member, file)).length > 50))
  const table = isPlain ? [] : tableOf(hasLong ? inTable : rows, `${heading}|${addresses.get(symbol)}`, file, !hasLong)
  // A table shows the others.
  const signatures = statements.filter((node) => membersOf(node).length === 0 && basesOf(node).length === 0)
  const code = [
    ...signatures.map((node) =>
      isComputed(node) ? headOf(/** @type {ts.TypeAliasDeclaration} */ (node)) : codeOf(node)
    ),
    ...(hasLong ? errorCodeOf(section, rows) : []),
    ...(hasFunctionsOnly ? classCodeOf(section, members) : []),
    ...interfaceCodeOf(
      section,
      isPlain || other !== undefined || hasFunctionsOnly ? members : hasLong ? rows : [],
      isPlain
    )
  ].map((text) => renamed(text, section))
  const parts = members
    .filter((member) => other === undefined && hasSection(member))
    .map((member) => {
      const { text, programs } = commentOf(member.node, file)
      const signature = (member.symbol.declarations ?? []).map((node) => codeOf(node, member.given)).join("\n")
      return {
        signature,
        texts: [...said(member, text, section, file), ...programs],
        title: `#### ${memberTitle(member, section)}`
      }
    })
  return [
    `### ${title}`,
    ...fences(
      (await Promise.all(code.map(formatted))).map((text) => text.replace(/\{\}$/, "{ … }").replace(/ = More$/, " = …"))
    ),
    ...prose,
    ...programs,
    ...(bases.length === 0 || code.some((text) => / extends .*\{$/m.test(text))
      ? []
      : [`Extends ${bases.join(" and ")}.`]),
    ...(other === undefined
      ? []
      : [`Its functions do the same as those of ${link(other.heading, addressIn(other), file)}.`]),
    ...table,
    ...(
      await Promise.all(
        parts.map(async ({ signature, texts, title }) => {
          const [, ...lines] = (await formatted(`class Any { ${signature} }`)).split(/\n {0,2}/)
          return [title, fence(lines.slice(0, -1).join("\n")), ...texts]
        })
      )
    ).flat()
  ]
}
