// The titles of sections, which make their anchors.
import { found, load } from "../../../scripts/generate/declarations.mjs"
import { isPackage, isValue, memberTitle, membersOf, modules, problems } from "./exports.mjs"
import { hasSection } from "./comments.mjs"

/** @import { Member, Section } from "./exports.mjs" */

/** @type {typeof import("../../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** What tells a module from the others of its page: `redis`, `Effect`; nothing for the one that the page is about. @param {string} module @param {string | undefined} main */
const labelOf = (module, main) =>
  module === main ? "" : /^@catalog-client[/]\w+$/.test(module) ? "Effect" : module.replace(/^@?catalog-client[/]/, "")

/**
 * The titles of a page's sections. Two with the same anchor say in parentheses from which module they are, or which is the type:
 * `rateLimitStore (redis)`, `Plan (type)`. So the anchors stay the same when names come and go.
 *
 * @param {ReadonlyArray<string>} names of the page's modules
 * @param {string | undefined} main the one that the page is about
 */
export const titlesOf = (names, main) => {
  const all = names.flatMap((module) =>
    found(modules.get(module), module).sections.map((section) => ({ module, section }))
  )
  /** Values and functions among members: their modules and anchors. @type {Set<string>} */
  const values = new Set()
  for (const { module, section } of all) {
    const anchor = anchorOf(section.heading)
    if (isValue(section)) {
      values.add(`${module} ${anchor}`)
    }
    for (const member of section.statements.flatMap(membersOf).filter(hasSection)) {
      values.add(`${module} ${anchorOf(memberTitle(member, section))}`)
    }
  }
  const used = new Set()
  /** Notes a title. @param {string} title */
  const use = (title) => {
    const anchor = anchorOf(title)
    if (used.has(anchor)) {
      problems.add(`two sections have the anchor ${anchor}`)
    }
    used.add(anchor)
    return title
  }
  /** @param {Section} section @param {string} module */
  const titleOf = (section, module) => {
    const { heading } = section
    const anchor = anchorOf(heading)
    const label = labelOf(module, main)
    // With promises, a name is plain, whatever the packages for Effect call so.
    const isOfOthers = all.some(
      (other) =>
        other.module !== module &&
        (isPackage(module) || !isPackage(other.module)) &&
        other.section.symbol !== section.symbol &&
        other.section.heading === heading
    )
    const isOtherType = !isValue(section) && values.has(`${module} ${anchor}`)
    const mark = isOfOthers && label !== "" ? label : isOtherType ? "type" : used.has(anchor) ? label : ""
    return use(mark === "" ? heading : `${heading} (${mark})`)
  }
  /** @param {string} module */
  const titleOfModule = (module) => {
    const label = labelOf(module, main)
    return use(used.has(anchorOf(module)) && label !== "" ? `${module} (${label})` : module)
  }
  /** @param {Member} member @param {Section} section @param {string} module */
  const titleOfMember = (member, section, module) => {
    const title = memberTitle(member, section)
    const label = labelOf(module, main)
    return use(used.has(anchorOf(title)) && label !== "" ? `${title} (${label})` : title)
  }
  return { use, titleOf, titleOfMember, titleOfModule }
}
