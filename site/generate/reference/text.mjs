// The Markdown of a section.
import ts from "typescript"
import { found, isNamespace, load } from "../../../scripts/generate/declarations.mjs"
import {
  basesOf,
  checker,
  docsOf,
  exported,
  headingOf,
  inheritedBy,
  isCatalogOfEffect,
  isMachinery,
  isOfCompiler,
  isOfEffect4,
  isOptional,
  isValue,
  isOurs,
  isPackage,
  membersOf,
  membersOfNamespace,
  problems,
  symbolOf,
  typeOf
} from "./exports.mjs"
import { asWritten, callsOf, codeOf, isComputed, namesIn } from "./written.mjs"
import {
  classCodeOf,
  errorCodeOf,
  fence,
  formatted,
  headOf,
  interfaceCodeOf,
  hasComments,
  isErrorOf,
  renamed,
  unexportedCodeOf
} from "./code.mjs"
import {
  defaultOf,
  examplesOf,
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
  memberTitlesAt,
  moduleAt,
  moduleOfSymbol,
  modulesOf,
  namedOn,
  otherOf,
  repeated,
  titlesAt,
  wordsAt
} from "./outline.mjs"
import { operationsOfEffect } from "./operations.mjs"

/** @type {typeof import("../../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/**
 * @import { Inherited, Section, Member } from "./exports.mjs"
 * @import { Named } from "./written.mjs"
 */

/** The text of a comment's link, which leads to where its name is explained. @param {Exclude<ts.JSDocComment, ts.JSDocText>} part @param {string} file */
const linkIn = (part, file) => {
  const name = `${part.name?.getText() ?? ""}${part.text}`
  const address =
    addressOf(part.name && checker.getSymbolAtLocation(part.name)) ??
    namedOn(file, name.split(".")[0] ?? "", isOfEffect4(part))
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
  return { text, programs: examplesOf(node) }
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

/** Whether each bracket of code closes after it opens. @param {string} code */
const isBalanced = (code) => {
  let depth = 0
  return Array.from(code.matchAll(/[()]/g)).every(([bracket]) => (depth += bracket === "(" ? 1 : -1) >= 0)
}

/** The type of a member in a cell: its code, with links to what is explained. @param {Member} member @param {string} file */
const typeIn = ({ declared, given, symbol }, file) => {
  const type = typeOf(declared) ?? declared
  const whole = codeOf(type, given).replace(/;$/, "")
  const code = (isOptional(symbol) ? whole.replace(/ [|] undefined$/, "") : whole).replace(
    /^\((.*)\)$/,
    (text, inner) => (isBalanced(inner) ? inner : text)
  )
  const links = linksOf(namesIn(type, given), file)
  return code
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\breadonly (?=\w+[?]?:)|(?<!\w)readonly (?=\[)/g, "")
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
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/\S(?:.*\S)?/, "`$&`")))
    .join("")
    .replaceAll("|", "\\|")
}

/** The members that a later section of the same face can repeat, and where they are. @type {Map<string, string>} */
const shown = new Map()

/** Their types. @type {Map<string, string>} */
const shownTypes = new Map()

/** The functions among members, by their names, with what is said of each. @type {Map<string, Array<{ readonly title: string, readonly address: string, readonly text: string }>>} */
const functions = new Map()

/** What a comment says of a function among the members, or the one that does the same. @param {Member} member @param {string} text @param {Section} section @param {string} file */
const said = ({ symbol }, text, { heading }, file) => {
  const address = found(addresses.get(symbol), symbol.name)
  const others = functions.get(symbol.name) ?? []
  const other = others.find((other) => other.text === text && other.address.startsWith(`${file}#`))
  functions.set(symbol.name, [...others, { title: heading, address, text }])
  return other === undefined || text.length < 40 ? [text] : [`See ${link(other.title, other.address, file)}.`]
}

/**
 * The table of members. Of those that another section describes in the same words, it has the first sentence; where they are most
 * of a long table, it leads there. Those of bases follow.
 *
 * @param {ReadonlyArray<Member>} members
 * @param {ReadonlyArray<Inherited>} inherited
 * @param {ReadonlyArray<Member>} further options with a heading of their own, to which their rows lead
 * @param {Section} section
 * @param {string} file
 * @param {boolean} hasTypes otherwise they are in the code above it
 */
const tableOf = (members, inherited, further, section, file, hasTypes) => {
  const { heading, symbol } = section
  const ofEffect = new Map(
    (otherOf(section)?.section.statements ?? [])
      .flatMap(membersOf)
      .map(({ declared, given, symbol }) => [symbol.name, codeOf(typeOf(declared) ?? declared, given)])
  )
  const own = `${heading}|${addresses.get(symbol)}`
  const isEffect = isPackage(modulesOf.get(symbol) ?? "")
  const isOwn = isEffect && /(?:Options|Defaults|Hooks)$/.test(heading)
  const placeOf = (/** @type {Member} */ member) => {
    const key = keyOf(member)
    const ofEffect = isEffect ? shown.get(`Effect ${key}`) : undefined
    const ofPromises = shown.get(key)
    // A link to the other face leads no further than this page.
    const place = ofEffect ?? (isOwn && !ofPromises?.includes(`|${file}#`) ? undefined : ofPromises) ?? own
    shown.set(isOwn ? `Effect ${key}` : key, place)
    shownTypes.set(`${place} ${key}`, shownTypes.get(`${place} ${key}`) ?? codeOf(member.declared, member.given))
    return place
  }
  const places = members.map(placeOf)
  const isSame = (/** @type {Member} */ member, /** @type {string} */ place) =>
    shownTypes.get(`${place} ${keyOf(member)}`) === codeOf(member.declared, member.given)
  const most = places.find(
    (place) => place !== own && members.filter((member, at) => places[at] === place && isSame(member, place)).length > 4
  )
  // Those of a base above it on this page need no rows of their own.
  const [base, ...bases] = new Set(inherited.map(({ member }) => placeOf(member)))
  const hasBase = base !== undefined && base !== own && bases.length === 0 && base.includes(`|${file}#`)
  const linkTo = (/** @type {string} */ place) => {
    const [heading = "", address = ""] = place.split("|")
    return link(heading, address, file)
  }
  const isDuration = (/** @type {string} */ name) => ofEffect.get(name)?.includes("Duration.Input") === true
  // Credentials are those of a base, and come first.
  const rows = [
    ...(hasBase ? [] : inherited).map(({ base, member }) => ({
      member,
      isWhole: placeOf(member) === own,
      more: `From ${link(headingOf.get(base) ?? base.name, found(addresses.get(base), base.name), file)}.`
    })),
    ...members.flatMap((member, at) => {
      const place = found(places[at], member.symbol.name)
      return place === most
        ? []
        : [{ member, isWhole: place === own, more: place === own ? "" : `See ${linkTo(place)}.` }]
    }),
    ...further.map((member) => ({ member, isWhole: false, more: "" }))
  ]
  const hasDefaults = rows.some(({ member }) => defaultOf(member.node) !== "")
  const head = ["Property", ...(hasTypes ? ["Type"] : []), ...(hasDefaults ? ["Default"] : []), "Description"]
  const line = (/** @type {ReadonlyArray<string>} */ cells) => `| ${cells.join(" | ")} |`
  const lines = rows.map(({ isWhole, member, more }) => {
    const { node, symbol } = member
    const name = `${ts.getNameOfDeclaration(node)?.getText()}${isOptional(symbol) ? "?" : ""}`
    const value = defaultOf(node)
    const title = further.includes(member) ? titleOf(section, member) : undefined
    return line([
      title === undefined ? `\`${name}\`` : link(name, `${file}#${anchorOf(title)}`, file),
      ...(hasTypes
        ? [
            title !== undefined && typeIn(member, file).includes("=>")
              ? "function"
              : `${typeIn(member, file)}${isDuration(symbol.name) ? ", with Effect `Duration.Input`" : ""}`
          ]
        : []),
      ...(hasDefaults ? [value === "" ? "" : `\`${value}\``] : []),
      title === undefined ? descriptionOf(node, more, isWhole, file) : purposeOf(node, file)
    ])
  })
  return [
    ...(lines.length === 0 ? [] : [[line(head), line(head.map(() => "---")), ...lines].join("\n")]),
    ...[most, hasBase ? base : undefined].flatMap((place) =>
      place === undefined ? [] : [`Its${lines.length === 0 ? "" : " other"} properties are those of ${linkTo(place)}.`]
    )
  ]
}

/** The first sentence about what has a heading, without the list that follows it. @param {ts.Node} node @param {string} file */
const purposeOf = (node, file) => {
  const [first = ""] = commentOf(node, file).text.split(/:?\n+(?=\n|- )/)
  return firstSentenceOf(first.replaceAll(/\s+/g, " ")).replace(/[^.]$/, "$&.")
}

/** The heading of a member that has one. @param {Section} section @param {Member} member */
const titleOf = (section, { symbol }) => found(memberTitlesAt.get(section)?.get(symbol.name), symbol.name)

/** What a row says of a member: all, or the first sentence and where the rest is. @param {ts.Node} node @param {string} more @param {boolean} isWhole @param {string} file */
const descriptionOf = (node, more, isWhole, file) => {
  const text = commentOf(node, file).text.replaceAll(/\s+/g, " ")
  const first = firstSentenceOf(text)
  const isShort = first === text || text.length < more.length * 1.5
  const said = more.startsWith("From ")
    ? `${isWhole ? text : first} ${more}`
    : isWhole || isShort
      ? text
      : `${first} ${more}`
  return said.replaceAll("|", "\\|") || "-"
}

/** What a reader sees of a cell's Markdown. @param {string} cell */
const textInCell = (cell) => cell.replaceAll(/\]\([^)]*\)|[`[\\]/g, "")

/** Whether few of the members have a comment. @param {ReadonlyArray<Member>} members */
const isPlainCode = (members) => members.filter(({ node }) => docsOf(node).length > 0).length * 2 < members.length

/** Whether a section is a class that programs use without `new`. @param {Section} section */
const isService = ({ statements }) =>
  statements.some(
    (node) =>
      ts.isClassDeclaration(node) &&
      node.members.some((member) => (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0)
  )

/** A program without the module that it imports a name of the packages from. @param {string} program */
const withoutModules = (program) => program.replaceAll(/(?<=from ")@?catalog-client(?:[/][\w-]+)*(?=")/g, "")

/** The programs of a section, in tabs with those of the other face if they do something else. @param {Section} section */
const programsOf = (section) => {
  const [own, ofEffect] = [section, otherOf(section)?.section].map((one) => [
    ...new Set((one?.statements ?? []).flatMap(examplesOf))
  ])
  const [program = "", ...more] = own ?? []
  const [other = program] = ofEffect ?? []
  // Two versions of Effect have tabs of their own.
  return program === "" || other.startsWith("With ") || withoutModules(program) === withoutModules(other)
    ? (own ?? [])
    : [`With promises:\n\n${program}\n\nWith Effect:\n\n${other}`, ...more]
}

/** What the beginnings of the pages say of all functions. */
const ofOptions =
  /(?:^|\s)(?:Throws\s+a\s+`TypeError`\s+(?:that\s+names|for(?:\s+a\s+value\s+that\s+is\s+no\s+\w+,\s+and\s+for)?)\s+an\s+invalid\s+option|An\s+invalid\s+option\s+is\s+a\s+defect)\.(?=\s|$)/g

/** @param {string} text */
const withoutOptions = (text) => text.replaceAll(ofOptions, "").trim()

/** What a sentence says before it explains. @param {string} sentence */
const clauseOf = (sentence) => sentence.replace(/[:;] .*|[.]$/, "")

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
  const texts = comments.map(({ text }) => withoutOptions(text))
  const prose = [...new Set(texts.filter((text) => text !== ""))]
  if (isNamespace(symbol)) {
    const members = membersOfNamespace(symbol)
    const other = otherOf(section)?.section
    const names = new Set(members.map(({ name }) => name))
    const ofEffect =
      other && !isPackage(moduleOfSymbol(section))
        ? membersOfNamespace(other.symbol).filter((member) => isValue(member) && !names.has(member.name))
        : []
    /** @param {string} kind @param {ReadonlyArray<{ readonly name: string }>} named */
    const exportOf = (kind, named) =>
      named.length === 0 ? [] : [`  export ${kind}{ ${named.map(({ name }) => name).join(", ")} }`]
    const lines = [
      ...exportOf("", members.filter(isValue)),
      ...exportOf(
        "type ",
        members.filter((member) => !isValue(member))
      ),
      ...exportOf("", ofEffect).map((line) => `${line} // with Effect`)
    ]
    return [`### ${title}`, ...fences([`namespace ${section.name} {\n${lines.join("\n")}\n}`]), introductionTo(symbol)]
  }
  if (prose.length === 0) {
    problems.add(`${heading} of ${statements[0]?.getSourceFile().fileName} has no doc comment`)
  }
  const programs = programsOf(section)
  if (isCatalogOfEffect(section)) {
    const paged = link("Operation.PagedItems", found(namedOn("core.md", "PagedItems"), "PagedItems"), file)
    const more = `Operations that return a page also have \`items\`, \`pages\` and \`collect(params, { max })\`: see ${paged}. A ${link("CatalogClient", "core.md#catalogclient", file)} has these operations without \`R\`.`
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
    const fails = prose.flatMap((text) => text.split("\n\n")).filter((paragraph) => paragraph.startsWith("Fails with"))
    const signature = await formatted(statements.map((node) => codeOf(node)).join("\n"))
    return [
      `### ${title}`,
      ...fences([signature]),
      isPackage(moduleOfSymbol(section))
        ? // With Effect, what fails is otherwise. A namespace is read by itself, so each of its functions says what it does.
          [
            ...(heading === section.name ? [] : [`${clauseOf(first)}.`]),
            `See ${link(found(headings.get(known), known), known, file)}.`,
            ...fails
          ].join(" ")
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
  // What has a comment within its type, and a long type, is code. So are errors, whose types are those of a schema.
  const isError = isErrorOf(section)
  const hasLong =
    isError ||
    statements.some(
      (node) => ts.isInterfaceDeclaration(node) && node.members.some((member) => ts.isCallSignatureDeclaration(member))
    ) ||
    rows.some((member) => hasComments(member.declared) || textInCell(typeIn(member, file)).length > 90)
  const inherited = statements.flatMap(inheritedBy)
  const isFew =
    /(?:Options|Defaults)$/.test(section.name) &&
    inherited.length <= 5 &&
    inherited.every(({ member }) => !hasSection(member))
  // Its code says it already.
  const isOfEffect = isPackage(moduleOfSymbol(section))
  const otherSection = otherOf(section)?.section
  const hasNoTable = isPlain || (isOfEffect && isError)
  const sectioned = members.filter((member) => other === undefined && hasSection(member))
  const further = rows.length === 0 ? [] : sectioned.filter(({ symbol }) => isOptional(symbol))
  const table = hasNoTable
    ? []
    : tableOf(hasLong ? inTable : rows, isFew ? inherited : [], further, section, file, !hasLong)
  // A table shows the others.
  const signatures = statements.filter((node) => membersOf(node).length === 0 && basesOf(node).length === 0)
  const code = [
    ...signatures.map((node) =>
      isComputed(node)
        ? headOf(/** @type {ts.TypeAliasDeclaration} */ (node))
        : ts.isVariableStatement(node) &&
            node.declarationList.declarations.some(
              ({ type }) => type && ts.isTypeLiteralNode(type) && hasComments(type)
            )
          ? asWritten(node.getText().replace(/^(?:export )?declare /, ""), node)
          : callsOf(node)
    ),
    ...(hasLong ? errorCodeOf(section, rows, isOfEffect) : []),
    // The table has the comments of its fields.
    ...(isError && otherSection !== undefined
      ? errorCodeOf(otherSection, otherSection.statements.flatMap(membersOf), true, false).map(
          (code) => `\n// With Effect:\n${code}`
        )
      : []),
    ...(hasFunctionsOnly || isService(section) ? classCodeOf(section, members) : []),
    ...interfaceCodeOf(
      section,
      isPlain || other !== undefined || hasFunctionsOnly ? members : hasLong ? rows : [],
      isPlain
    )
  ].map((text) => renamed(text, section))
  const parts = sectioned.map((member) => {
    const { text, programs } = commentOf(member.node, file)
    const signature = (member.symbol.declarations ?? []).map((node) => callsOf(node, member.given)).join("\n")
    return {
      signature,
      texts: [...said(member, withoutOptions(text), section, file), ...programs],
      title: `#### ${titleOf(section, member)}`
    }
  })
  return [
    `### ${title}`,
    ...fences(
      (await Promise.all(code.map(formatted))).map((text) =>
        text
          .replace(/(?<!\}> )\{\}$/, "{ … }")
          .replace(/ = More$/, " = …")
          .replace('", Fields) {', '", { … }) {')
      )
    ),
    ...prose,
    ...programs,
    ...(bases.length === 0 || isFew || code.some((text) => / extends .*\{$/m.test(text))
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
