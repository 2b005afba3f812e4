// The pages of docs/api: what TypeDoc has written of each module, by subject, without what repeats itself.
import { found, load } from "./declarations.mjs"

/**
 * What TypeDoc has written of a module, or of a namespace of it.
 *
 * @typedef {{ file: string, module: string, namespace: string, contents: string }} Written
 */

/** @type {typeof import("../../site/urls.js")} */
const { anchorOf } = await load("site/urls.ts")

const core = "@catalog-client/core"

/** The pages, and the modules of each; where both have a name that does the same, the first describes it. */
const pages = [
  {
    file: "catalog-client.md",
    title: "API: promises",
    intro: `The signature of everything in \`catalog-client\`, except [operations](../operations/README.md) and [records](../operations/records.md).`,
    modules: [
      "catalog-client",
      "catalog-client/postgres",
      "catalog-client/queries",
      "catalog-client/redis",
      "catalog-client/sqlite",
      "catalog-client/telemetry"
    ]
  },
  {
    file: "core.md",
    title: "API: Effect",
    intro: `The signature of everything in the packages for Effect, except [operations](../operations/README.md) and [records](../operations/records.md). Signatures use the names of Effect 3; [a table](../effect-versions.md#names) has those of Effect 4. \`${core}/guards\` has the guards alone, and \`${core}/schemas\` the [Schemas](../your-own-operation.md#schemas) of all params and replies.`,
    modules: [
      core,
      `${core}/resilience`,
      "@catalog-client/node",
      "@catalog-client/browser",
      "@catalog-client/node/redis",
      "@catalog-client/node/sql"
    ]
  },
  {
    file: "oauth.md",
    title: "API: sign-in",
    intro:
      "Everything that signs users in and keeps their tokens. For whole programs, see [sign-in](../recipes/sign-in.md).",
    modules: [
      "catalog-client/oauth",
      "catalog-client/handlers",
      "@catalog-client/oauth",
      "@catalog-client/oauth/node",
      "@catalog-client/oauth/browser"
    ]
  },
  {
    file: "testing.md",
    title: "API: testing",
    intro:
      "The embedded service, the recorder, and errors to test with. For whole tests, see [testing](../testing.md).",
    modules: ["catalog-client/testing", `${core}/testing`, "@catalog-client/testing/node"]
  }
]

/** Parts of a section that say again what the signature says. */
const repeated = /^(?:Extended by|Inherited from|Overrides|Implements|Implementation of|Set Signature|Constructors?)$/

/**
 * The part of a section under a label, without what its signature says.
 *
 * @param {string} label
 * @param {string} text
 */
const shortened = (label, text) => {
  const isTable = /^\| (Type )?Parameter /m.test(text)
  if (repeated.test(label) || (isTable && !/^\|.*Description \|$/m.test(text))) {
    return ""
  }
  if (label === "Extends") {
    const links = text.match(/\[[^\]]+\]\([^)]+\)/g) ?? []
    return links.length === 0 ? "" : `Extends ${links.join(" and ")}.\n\n`
  }
  if (label === "Returns") {
    const [, ...said] = text.trim().split("\n\n")
    return said.length === 0 ? "" : `Returns: ${said.join("\n\n")}\n\n`
  }
  const isPlain = /^(?:Properties|Methods|Accessors|Get Signature|Parameters|Type Declaration|Call Signature)$/.test(
    label
  )
  return `${label === "" || isPlain ? "" : `**${label}**\n\n`}${text.trim()}\n\n`
}

/**
 * A section, without what its signature or another page says.
 *
 * @param {string} name
 * @param {string} body
 */
const clean = (name, body) => {
  const [intro = ""] = body.split(/^(?:\*\*|\| |```)/m)
  if (/^(?:Anime|Manga|User|Forum)Operations(?:With)?$/.test(name)) {
    const [, domain = ""] = /^(\w+)Operations/.exec(name) ?? []
    return `${intro.trim()} See [operations](../operations/${domain.toLowerCase()}.md).\n\n`
  }
  if (name.endsWith("Params")) {
    return `${intro.trim()} See [inputs](../operations/README.md).\n\n`
  }
  // For other default fields.
  if (name.endsWith("With")) {
    return `${intro.trim()} It has the members of \`${name.slice(0, -"With".length)}\`.\n\n`
  }
  // What other packages declare.
  if (/^(?:Dispatcher|Meter|Telemetry\w+|Tracer)$/.test(name)) {
    return `${intro.trim()}\n\n`
  }
  let label = ""
  let isOfConstructor = false
  const parts = body.replaceAll(/^\*\*\*$/gm, "").split(/^(?:\*\*([A-Z][\w ]+)\*\*$\n*|(?=#### ))/m)
  const kept = []
  for (const [at, part = ""] of parts.entries()) {
    if (at % 2 === 1) {
      label = part
      isOfConstructor =
        label.startsWith("Constructor") ||
        (isOfConstructor && /^(?:Parameters|Returns|Overrides|Inherited from|Type Parameters)$/.test(label))
      continue
    }
    const isDerived = /^#### to(?:JSON|String)\(\)/.test(part)
    if (!isOfConstructor && !isDerived) {
      kept.push(shortened(part.startsWith("#### ") ? "" : label, part))
    }
  }
  return (
    kept
      .join("")
      .replaceAll(/<a id="[^"]+"><\/a> /g, "")
      // The type of its parent has it.
      .replaceAll(/^\| `[^`|]*[.][^`|]*` \|.*\| - \|\n/gm, "")
      // Only other errors have it.
      .replaceAll(/^\| `\w+[?]` \| `undefined` \| - \|\n/gm, "")
      // A program needs no heading that says so.
      .replaceAll(/^\*\*Example\*\*\n\n/gm, "")
      // A program is no text for a cell.
      .replaceAll(/ (?:\*\*(?:Example|See)\*\*|\*\*Examples\*\*) .*? \|$/gm, " |")
      .replaceAll(/\n{3,}/g, "\n\n")
  )
}

/**
 * The words of a section, whichever package it is of: without types and programs.
 *
 * @param {string} text
 */
const wordsOf = (text) =>
  new Set(
    text
      .replaceAll(/^```[^]*?^```$/gm, "")
      .replaceAll(/\]\([^)]*\)/g, "]")
      .replaceAll(/^(\| [^|]+) \|(?:[^|\\]|\\.)+(?=\|.*\|$)/gm, "$1")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
  )

/**
 * Whether a section says little that another one does not: one word of six at most.
 *
 * @param {ReadonlySet<string>} words
 * @param {ReadonlySet<string>} known
 */
const isSaid = (words, known) => [...words].filter((word) => !known.has(word)).length <= words.size / 6

/**
 * A section without the members that another one has in the same words, which it names instead.
 *
 * @param {string} text
 * @param {string} target where the section is
 * @param {string} heading
 * @param {Map<string, { target: string, heading: string }>} known members, by their names and descriptions
 */
const withoutShared = (text, target, heading, known) => {
  /** @type {Map<string, { link: string, names: Array<string> }>} */
  const shared = new Map()
  const rows = text.replaceAll(/^\| (`[^|]+`) \|.*\| ([^|]{60,}) \|\n/gm, (row, name, description) => {
    const key = `${name}: ${description.replaceAll(/\]\([^)]*\)/g, "]")}`
    const other = known.get(key)
    if (other === undefined || other.target === target) {
      known.set(key, { target, heading })
      return row
    }
    const { names } = shared.get(other.target) ?? { names: [] }
    shared.set(other.target, { link: `[\`${other.heading}\`](${other.target})`, names: [...names, name] })
    return ""
  })
  const said = [...shared.values()].map(({ link, names }) => `${names.join(", ")} of ${link}`)
  return said.length === 0
    ? text
    : `${rows.replace(/^\|.*\|\n\| -.*\|\n(?!\|)/gm, "").trim()}\n\nAlso ${said.join("; ")}.\n\n`
}

/**
 * Anchors as a page makes them: of two that are equal, the second has a number.
 *
 * @returns {(heading: string) => string}
 */
const anchors = () => {
  /** @type {Map<string, number>} */
  const uses = new Map()
  return (heading) => {
    const anchor = anchorOf(heading)
    const used = uses.get(anchor) ?? 0
    uses.set(anchor, used + 1)
    return used === 0 ? anchor : `${anchor}-${used}`
  }
}

/**
 * A heading as code has it.
 *
 * @param {string} heading
 */
const plain = (heading) => heading.replaceAll(/[`\\]|\(\)$/g, "")

/** @typedef {{ heading: string, anchors: ReadonlyArray<string>, text: string, same?: string }} Section */

/**
 * The sections of a module or a namespace.
 *
 * @param {Written} written
 */
const sectionsOf = ({ contents, module, namespace }) => {
  // The module of the policies is what `catalog-client` exports as a namespace.
  const prefix = namespace === "" && module.endsWith("/resilience") ? "Resilience" : namespace
  const anchorIn = anchors()
  const marked = contents
    .replace(/^# .*\n/, "")
    .replaceAll(/^## Namespaces\n[^]*?(?=^## |$(?![^]))/gm, "")
    // Only names are headings. Those of parts (Example, Returns) are at the levels between.
    .replaceAll(/^(?:###|#####|######|####(?= Constructor$)) (.+)$/gm, "**$1**")
  const [intro = "", ...parts] = marked.split(/^## /m)
  anchorIn(contents.split("\n", 1)[0]?.replace(/^# /, "") ?? "")
  /** @type {ReadonlyArray<Section>} */
  const sections = parts.map((part) => {
    const [title = "", ...lines] = part.split("\n")
    const body = lines.join("\n")
    const own = anchorIn(title)
    const members = [...body.matchAll(/^#### (.+)$/gm)].map(([, heading = ""]) => anchorIn(heading))
    const inside = [...body.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)
    return {
      heading: prefix === "" ? title : `${prefix}.${title}`,
      anchors: [own, ...members, ...inside],
      text: clean(plain(title), body)
    }
  })
  return { intro: intro.trim(), sections }
}

/**
 * The pages by their files.
 *
 * @param {ReadonlyArray<Written>} written
 * @returns {ReadonlyMap<string, string>}
 */
export const merged = (written) => {
  /** Where the sections of TypeDoc's pages are now. @type {Map<string, string>} */
  const moved = new Map()
  /** The sections that a later package can repeat, by their names. @type {Map<string, Array<{ target: string, words: ReadonlySet<string> }>>} */
  const described = new Map()
  /** @type {Map<string, { target: string, heading: string }>} */
  const members = new Map()
  const texts = pages.map(({ file, intro, modules, title }) => {
    const anchorIn = anchors()
    anchorIn(title)
    const text = modules.flatMap((module) => {
      const main = anchorIn(module)
      const parts = written.filter((one) => one.module === module)
      /** @type {Set<string>} */
      const same = new Set()
      const sections = parts.flatMap((one) => {
        const { intro, sections } = sectionsOf(one)
        moved.set(one.file, `${file}#${main}`)
        const shown = sections.flatMap(({ anchors, heading, text }) => {
          const name = heading.replace(/^\w+[.]/, "")
          const words = wordsOf(text)
          const others = described.get(name) ?? []
          const known = others.find((other) => isSaid(words, other.words))?.target
          if (known !== undefined) {
            same.add(
              `[the page of ${found(
                pages.find((page) => known.startsWith(page.file)),
                known
              ).title.replace("API: ", "")}](⟦=${known.split("#")[0]}⟧)`
            )
          }
          const target = known ?? `${file}#${anchorIn(heading)}`
          if (known === undefined) {
            described.set(name, [...others, { target, words }])
            for (const [, member = ""] of text.matchAll(/^#### (.+)$/gm)) {
              anchorIn(member)
            }
          }
          for (const anchor of anchors) {
            moved.set(`${one.file}#${anchor}`, target)
          }
          // Its links are of TypeDoc's page.
          return known === undefined
            ? [`### ${heading}\n\n${withoutShared(marked(text, one.file), `⟦=${target}⟧`, plain(heading), members)}`]
            : []
        })
        const head = one.namespace === "" ? "" : `### ${one.namespace}\n\n`
        if (head !== "") {
          moved.set(one.file, `${file}#${anchorIn(one.namespace)}`)
        }
        return [head + marked(intro, one.file), ...shown]
      })
      return [
        `## \`${module}\``,
        ...sections,
        ...(same.size === 0 ? [] : [`It also exports names that ${[...same].join(" and ")} describes.`])
      ]
    })
    return { file, title, text: [intro, ...text].join("\n\n") }
  })
  const here = (/** @type {string} */ page) => (/** @type {string} */ _, /** @type {string} */ address) => {
    const [file = ""] = address.split("#")
    const [, domain] = /^[\w-]+[.](anime|manga|user|forum)[.]md$/.exec(file) ?? []
    const target = address.startsWith("=")
      ? address.slice(1)
      : domain === undefined
        ? file.endsWith(".schemas.md")
          ? "../your-own-operation.md#schemas"
          : (moved.get(address) ?? moved.get(file))
        : `../operations/${domain}.md`
    return target === undefined
      ? `](${address})`
      : `](${target.startsWith(`${page}#`) ? target.slice(page.length) : target})`
  }
  return new Map(
    texts.map(
      ({ file, text, title }) =>
        /** @type {const} */ ([
          file,
          `# ${title}\n\n${text
            .replaceAll(/\n{3,}/g, "\n\n")
            .replaceAll(/\]\(⟦([^⟧]*)⟧\)/g, here(file))
            .trim()}\n`
        ])
    )
  )
}

/**
 * A text whose links to TypeDoc's pages are marked, so that they can be changed when all sections have their places.
 *
 * @param {string} text
 * @param {string} file
 */
const marked = (text, file) =>
  text
    .split(/(^```[^]*?^```$)/m)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(
            /\]\((#[^)\s]+|[\w.-]+[.]md(?:#[^)\s]+)?)\)/g,
            (_, href) => `](⟦${href.startsWith("#") ? file : ""}${href}⟧)`
          )
    )
    .join("")
