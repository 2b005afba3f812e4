/**
 * What has to change so that a list is what it should be. Nothing here sends or reads anything.
 *
 * @since 0.2.0
 */
import { checkNames } from "@catalog-client/core/internal"
import {
  checkKind,
  forward,
  isSame,
  type Kind,
  type ListRules,
  lists,
  type EntryMembers,
  type MemberName,
  namesIn,
  pick,
  type MemberValue,
  type StoredMembers,
  asStored
} from "./internal/members.js"

export type { Kind, EntryMembers } from "./internal/members.js"

/** An entry of a list, as {@link readList} returns it: a copy of a list is a JSON array of them. */
export interface Entry extends EntryMembers {
  /** The id of the anime or manga. */
  readonly id: number
  /** Its title, for messages. */
  readonly title?: string | undefined
  /** The episodes of the anime; 0 if unknown. */
  readonly num_episodes?: number | undefined
  /** The chapters of the manga; 0 if unknown. */
  readonly num_chapters?: number | undefined
  /** The volumes of the manga; 0 if unknown. */
  readonly num_volumes?: number | undefined
  /** When the entry was last changed: ISO 8601. */
  readonly updated_at?: string | undefined
}

/** What an entry should be. Members that it does not have stay as they are. */
export interface Wanted extends Omit<Entry, "id"> {
  /** `undefined` if it is not known: the entry becomes a problem of the plan. */
  readonly id: number | undefined
}

/**
 * What becomes of an entry that is on the list:
 *
 * - `forward` moves nothing backward: progress and rounds only grow, a status only advances, an empty value changes nothing,
 *   tags are added.
 * - `replace` writes all that the wanted entry has.
 * - `keep` leaves it; only entries that are not listed are added.
 * - `newer` replaces it if the wanted entry's `updated_at` is later.
 * - A function returns the members to write, or `undefined` for none. Its first argument is `undefined` if the title is not
 *   listed.
 */
export type Rule =
  | "forward"
  | "replace"
  | "keep"
  | "newer"
  | ((current: Entry | undefined, wanted: Wanted) => EntryMembers | undefined)

/** What {@link plan} takes. */
export interface PlanOptions {
  /** Which list it is. */
  readonly kind: Kind
  /** The list as it is, by id. */
  readonly current: ReadonlyMap<number, Entry>
  /** The entries that the list should have. */
  readonly wanted: Iterable<Wanted>
  /**
   * How an entry that is on the list may change.
   *
   * @default "forward"
   */
  readonly rule?: Rule | undefined
  /**
   * The list when both sides were last equal. A member that has changed on one side since then wins; the rule decides about
   * those that have changed on both.
   */
  readonly base?: ReadonlyMap<number, Entry> | undefined
  /**
   * Whether to remove entries that are not wanted; with `base`, those of them that were in it and have not changed since. More
   * than ten that are also more than a tenth of the list are removed only with `"all"`.
   */
  readonly remove?: boolean | "all" | undefined
}

/** One change of a plan. */
export interface Change {
  /** The id of the anime or manga. */
  readonly id: number
  /** Its title, for messages. */
  readonly title?: string | undefined
  /** What happens to the entry. */
  readonly action: "add" | "update" | "remove"
  /** What is written; empty for `remove`. */
  readonly set: EntryMembers
  /** What these members are now, and all members of an entry that is removed. Empty for `add`. */
  readonly before: EntryMembers
  /** What was derived: a score that was rounded, progress that was limited or filled in. */
  readonly notes: ReadonlyArray<string>
}

/** A wanted or listed entry that does not change. */
export interface Kept {
  readonly id: number
  readonly title?: string | undefined
  /** Why, in words for the user: for example `it is not wanted`. */
  readonly reason: string
}

/** Wanted entries that cannot be planned; none if it is about removals. */
export interface Problem {
  readonly sources: ReadonlyArray<Wanted>
  /** Why, in words for the user: for example `it has no id`. */
  readonly reason: string
}

/** What would change, what would not, and what cannot be planned. It is JSON, if the wanted entries are. */
export interface Plan {
  readonly version: 1
  readonly kind: Kind
  readonly changes: ReadonlyArray<Change>
  readonly kept: ReadonlyArray<Kept>
  readonly problems: ReadonlyArray<Problem>
}

/** Why a wanted entry cannot be planned. */
class Unwritable extends Error {}

const memberOf = (kind: Kind, name: MemberName) =>
  Object.hasOwn(lists[kind].members, name) ? lists[kind].members[name] : undefined

/** Members as the service takes them, and notes on those that differ from what was given. */
interface WantedMembers {
  readonly values: StoredMembers
  readonly notes: { readonly [K in MemberName]?: string }
}

const readWanted = (kind: Kind, given: EntryMembers, totals: Omit<Entry, "id"> | undefined): WantedMembers => {
  const list = lists[kind]
  const values: { [K in MemberName]?: MemberValue } = {}
  const notes: { [K in MemberName]?: string } = {}
  for (const [name, value] of Object.entries(given) as ReadonlyArray<readonly [MemberName, unknown]>) {
    const member = memberOf(kind, name)
    if (value === undefined || value === null) {
      continue
    }
    if (member === undefined) {
      // A silent typo would lose the progress.
      if (memberOf("anime", name) || memberOf("manga", name) || name.startsWith("num_watched_")) {
        throw new Unwritable(`an entry of ${kind} has no ${name}`)
      }
      continue
    }
    const [, totalName] = list.progress.find(([progress]) => progress === name) ?? []
    const total = (totalName && totals?.[totalName]) ?? 0
    const written = member.read(value)
    if (written === undefined) {
      throw new Unwritable(`${name} is ${JSON.stringify(value)}, but the service accepts ${member.takes}`)
    }
    values[name] = total > 0 && Number(written) > total ? total : written
    if (typeof value === "number" && values[name] !== value) {
      notes[name] = `${name}: ${value} becomes ${String(values[name])}`
    }
  }
  return { values, notes }
}

const secondsOf = (time: string | undefined): number => Math.floor(Date.parse(time ?? "") / 1000)

/** What the rule takes of an entry that is listed, or the reason for nothing. */
const applyRule = (
  rule: Exclude<Rule, "function">,
  list: ListRules,
  current: Entry,
  wanted: Wanted,
  values: StoredMembers
) => {
  switch (rule) {
    case "replace":
      return values
    case "keep":
      return "keep leaves what is listed"
    case "newer": {
      const wantedAt = secondsOf(wanted.updated_at)
      if (Number.isNaN(wantedAt)) {
        throw new Unwritable("newer needs its updated_at")
      }
      return wantedAt <= secondsOf(current.updated_at) ? "it is not newer" : values
    }
    default:
      return forward(list, asStored(list, current), values)
  }
}

/** The status of an entry that is added without one. A service chooses one itself; which one is not known. */
const statusOfNew = ({ progress, statuses }: ListRules, set: StoredMembers): string =>
  progress.some(([name]) => Number(set[name] ?? 0) > 0) ? statuses.begun : statuses.planned

/** Whether an entry becomes completed, and is not begun again. */
const isCompletion = (
  { repeatFlag, statuses }: ListRules,
  before: StoredMembers | undefined,
  set: StoredMembers
): boolean =>
  set["status"] === statuses.completed && before?.["status"] !== statuses.completed && set[repeatFlag] !== true

/** The progress of a completed entry that is neither given nor reached: all of its total. */
const missingProgress = (
  { progress }: ListRules,
  before: StoredMembers | undefined,
  given: StoredMembers,
  totals: Omit<Entry, "id">
): { readonly [name: string]: number } =>
  Object.fromEntries(
    progress.flatMap(([name, total]) => {
      const all = totals[total] ?? 0
      // A total can have become less than what was watched.
      return given[name] === undefined && all > Number(before?.[name] ?? 0) ? [[name, all]] : []
    })
  )

/** What the rule takes of a wanted entry, or the reason for nothing. A rule with a name decides only about `changedOnBoth`. */
const takeByRule = (
  { kind, rule = "forward" }: PlanOptions,
  current: Entry | undefined,
  wanted: Wanted,
  given: StoredMembers,
  changedOnBoth: StoredMembers
): WantedMembers | string => {
  if (typeof rule === "function") {
    const own = rule(current, wanted)
    return own ? readWanted(kind, own, current ?? wanted) : "the rule leaves it"
  }
  const values = current === undefined ? given : applyRule(rule, lists[kind], current, wanted, changedOnBoth)
  return typeof values === "string" ? values : { values, notes: {} }
}

/** Adds what follows from the members that are written: the status of a new entry, and the progress of a completed one. */
const withDerived = (
  list: ListRules,
  before: StoredMembers | undefined,
  set: StoredMembers,
  given: StoredMembers,
  totals: Omit<Entry, "id">
): WantedMembers => {
  const written = before === undefined && set["status"] === undefined ? { ...set, status: statusOfNew(list, set) } : set
  const filled = isCompletion(list, before, written)
    ? missingProgress(list, before, { ...given, ...written }, totals)
    : {}
  return {
    values: { ...written, ...filled },
    notes: Object.fromEntries(
      Object.entries(filled).map(([name, all]) => [name, `${name}: all ${all}, because it is completed`])
    )
  }
}

/**
 * The members of one wanted entry to write, or the reason for none. What is written of a wanted member:
 *
 * | since `base`          | changed in `wanted` | as in `base`         |
 * | --------------------- | ------------------- | -------------------- |
 * | changed on the list   | what the rule takes | nothing              |
 * | on the list as before | as it is wanted     | nothing              |
 *
 * Without a `base`, each counts as changed on both sides.
 */
const planEntry = (
  options: PlanOptions,
  current: Entry | undefined,
  wanted: Wanted
): Pick<Change, "set" | "before" | "notes"> | string => {
  const { base, kind } = options
  const list = lists[kind]
  const totals = current ?? wanted
  const given = readWanted(kind, wanted, totals)
  const before = current && asStored(list, current)
  const baseEntry = base?.get(wanted.id ?? 0)
  const atBase = baseEntry && asStored(list, baseEntry)
  const changed = atBase ? pick(given.values, (name) => !isSame(given.values[name], atBase[name])) : given.values
  if (atBase && namesIn(changed).length === 0) {
    return current ? "the wanted entry has not changed since base" : "it was removed from the list since base"
  }
  const isUnchangedOnList = (name: MemberName) => atBase !== undefined && isSame(before?.[name], atBase[name])
  const changedOnBoth = pick(changed, (name) => !isUnchangedOnList(name))
  const changedOnlyInWanted = pick(changed, isUnchangedOnList)
  const taken = takeByRule(options, current, wanted, given.values, changedOnBoth)
  if (typeof taken === "string" && namesIn(changedOnlyInWanted).length === 0) {
    return taken
  }
  const { values: ruled, notes: ruleNotes } = typeof taken === "string" ? { values: {}, notes: {} } : taken
  const derived = withDerived(list, before, { ...ruled, ...changedOnlyInWanted }, given.values, totals)
  const set = derived.values
  const names = namesIn(list.members).filter(
    (name) =>
      set[name] !== undefined &&
      (before ? !isSame(set[name], before[name]) : name === "status" || !isSame(set[name], list.members[name]?.empty))
  )
  if (names.length === 0) {
    return isEqual(given.values, before) ? "the list already has it" : "nothing is taken away"
  }
  const notes = { ...given.notes, ...ruleNotes, ...derived.notes }
  return {
    set: membersNamed(names, set),
    before: before === undefined ? {} : membersNamed(names, before),
    notes: names.flatMap((name) => notes[name] ?? [])
  }
}

const membersNamed = (names: ReadonlyArray<MemberName>, values: StoredMembers): EntryMembers =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

const isEqual = (values: StoredMembers, current: StoredMembers | undefined): boolean =>
  namesIn(values).every((name) => isSame(values[name], current?.[name]))

const rules: ReadonlyArray<unknown> = ["forward", "replace", "keep", "newer"]

const isId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) > 0

const groupById = (wanted: Iterable<Wanted>) => {
  const byId = new Map<number, Array<Wanted>>()
  const withoutId: Array<Wanted> = []
  for (const entry of wanted) {
    if (isId(entry.id)) {
      byId.set(entry.id, [...(byId.get(entry.id) ?? []), entry])
    } else {
      withoutId.push(entry)
    }
  }
  return { byId, withoutId }
}

/** The titles on the list that are not wanted: what becomes of each. */
const removals = (
  { base, current, kind, remove = false }: PlanOptions,
  isWanted: (id: number) => boolean,
  isIncomplete: boolean
): Omit<Plan, "version" | "kind"> => {
  const list = lists[kind]
  const kept: Array<Kept> = []
  const changes: Array<Change> = []
  for (const entry of current.values()) {
    const { id, title } = entry
    if (isWanted(id)) {
      continue
    }
    const before = asStored(list, entry)
    const baseEntry = base?.get(id)
    const reason =
      remove === false
        ? "it is not wanted, and nothing is removed"
        : base !== undefined && baseEntry === undefined
          ? "it was added to the list since base"
          : baseEntry !== undefined && !isEqual(asStored(list, baseEntry), before)
            ? "it has changed on the list since base"
            : undefined
    if (reason === undefined) {
      changes.push({ id, title, action: "remove", set: {}, before: before as EntryMembers, notes: [] })
    } else {
      kept.push({ id, title, reason })
    }
  }
  const isMany = remove !== "all" && changes.length > 10 && changes.length > current.size / 10
  const reason = isIncomplete
    ? "nothing is removed, because a wanted entry has no id"
    : isMany
      ? `${changes.length} of ${current.size} entries would be removed: pass remove: "all" if that is what you want`
      : undefined
  return reason === undefined || changes.length === 0
    ? { changes, kept, problems: [] }
    : {
        changes: [],
        kept: [...kept, ...changes.map(({ id, title }) => ({ id, title, reason: "it is not wanted" }))],
        problems: [{ sources: [], reason }]
      }
}

/**
 * Compares a list with what it should be. Nothing is sent. Planned again after {@link apply}, nothing is left.
 *
 * Throws a `TypeError` for an invalid option, and what a rule of the program throws.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 *
 * const { changes } = Sync.plan({
 *   kind: "anime",
 *   current: new Map([[30230, { id: 30230, status: "watching", num_episodes_watched: 5, num_episodes: 25 }]]),
 *   wanted: [{ id: 30230, status: "completed" }]
 * })
 *
 * for (const { before, id, set } of changes) {
 *   console.log(id, before.status, set.status, set.num_episodes_watched)
 * }
 * ```
 *
 * ```text
 * 30230 watching completed 25
 * ```
 */
export const plan = (options: PlanOptions): Plan => {
  checkNames("plan", options, { kind: 1, current: 1, wanted: 1, rule: 1, base: 1, remove: 1 })
  const { current, kind, rule = "forward", wanted } = options
  checkKind("plan", kind)
  if (typeof rule !== "function" && !rules.includes(rule)) {
    throw new TypeError(
      `plan: rule must be "forward", "replace", "keep", "newer" or a function, but it is ${JSON.stringify(rule)}`
    )
  }
  const { byId, withoutId } = groupById(wanted)
  const changes: Array<Change> = []
  const kept: Array<Kept> = []
  const problems: Array<Problem> = withoutId.map((entry) => ({ sources: [entry], reason: "it has no id" }))
  for (const [id, sources] of byId) {
    const [source] = sources
    if (source === undefined || sources.length > 1) {
      problems.push({ sources, reason: `${sources.length} entries have the id ${id}` })
      continue
    }
    const listed = current.get(id)
    const title = listed?.title ?? source.title
    try {
      const planned = planEntry(options, listed, source)
      if (typeof planned === "string") {
        kept.push({ id, title, reason: planned })
      } else {
        changes.push({ id, title, action: listed === undefined ? "add" : "update", ...planned })
      }
    } catch (error) {
      if (!(error instanceof Unwritable)) {
        throw error
      }
      problems.push({ sources, reason: error.message })
    }
  }
  const rest = removals(options, (id) => byId.has(id), withoutId.length > 0)
  return {
    version: 1,
    kind,
    changes: [...changes, ...rest.changes],
    kept: [...kept, ...rest.kept],
    problems: [...problems, ...rest.problems]
  }
}

/**
 * The plan that takes the changes of a plan back, in the reverse order. Like any plan, it skips what has been edited since.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 *
 * const changes = Sync.plan({
 *   kind: "anime",
 *   current: new Map([[30230, { id: 30230, status: "plan_to_watch" }]]),
 *   wanted: [{ id: 30230, status: "watching" }]
 * })
 *
 * // Sync.apply(Sync.undo(changes)) takes them back.
 * console.log(Sync.describe(Sync.undo(changes)))
 * ```
 *
 * ```text
 * update 30230 | status "watching" -> "plan_to_watch"
 * 1 change, 0 entries stay, 0 problems
 * ```
 */
export const undo = (plan: Plan): Plan => ({
  version: plan.version,
  kind: plan.kind,
  changes: [...plan.changes]
    .reverse()
    .map(({ action, before, id, set, title }) =>
      action === "add"
        ? { id, title, action: "remove", set: {}, before: asStored(lists[plan.kind], set) as EntryMembers, notes: [] }
        : { id, title, action: action === "remove" ? "add" : action, set: before, before: set, notes: [] }
    ),
  kept: [],
  problems: []
})

const pluralize = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/**
 * A plan in words, a line for each change and each problem.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 *
 * const changes = Sync.plan({
 *   kind: "anime",
 *   current: new Map([[30230, { id: 30230, status: "plan_to_watch" }]]),
 *   wanted: [{ id: 30230, status: "watching" }]
 * })
 *
 * console.log(Sync.describe(changes))
 * ```
 *
 * ```text
 * update 30230 | status "plan_to_watch" -> "watching"
 * 1 change, 0 entries stay, 0 problems
 * ```
 */
export const describe = (plan: Plan): string =>
  [
    ...plan.changes.map(({ action, before, id, notes, set, title = "" }) => {
      const members = Object.entries(set).map(([name, value]) => {
        const old = before[name as MemberName]
        return `${name} ${old === undefined ? "" : `${JSON.stringify(old)} -> `}${JSON.stringify(value)}`
      })
      return [`${action} ${id} ${title}`.trim(), members.join(", "), ...notes.map((note) => `(${note})`)]
        .filter(Boolean)
        .join(" | ")
    }),
    ...plan.problems.map(
      ({ reason, sources }) =>
        `problem: ${[sources.map(({ id, title }) => title ?? String(id)).join(", "), reason].filter(Boolean).join(": ")}`
    ),
    `${pluralize(plan.changes.length, "change")}, ${pluralize(plan.kept.length, "entry stays", "entries stay")}, ${pluralize(plan.problems.length, "problem")}`
  ].join("\n")
