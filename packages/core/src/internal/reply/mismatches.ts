/**
 * Where a reply does not match its Schema: what was omitted from it, and why it was rejected.
 */
import { alternativesOf, anythingAst, type Ast, elementOf, isRecord, primitiveOf } from "../model/ast.js"
import { foundIn } from "../common/mistakes.js"
import { invalid, type Rejection } from "../declaration/declaration.js"
import type { Mismatch } from "../telemetry/notify.js"

/** A step of a path: a member of a record, or the index of an element. */
export type PathStep = number | { readonly key: string; readonly isOptional: boolean }

/**
 * Returns the value without the omitted parts, or `invalid`. Optional members that are null are omitted, and mismatches too, as
 * far as the state allows.
 */
export type Guard = (value: unknown, level: number, state: GuardState) => unknown

export const expectedOf = (ast: Ast): string =>
  alternativesOf(ast)?.map(expectedOf).join(" or ") ??
  (elementOf(ast) ? "an array" : isRecord(ast) ? "an object" : primitiveOf(ast) ? `a ${primitiveOf(ast)}` : String(ast))

/** What was omitted at a path without indexes, as metrics and warnings show it. */
interface OmittedPart {
  readonly path: string
  count: number
  /** All omissions at this path, even those undone later. */
  totalCount: number
  expected: string
  found: string
}

/** How many parts can be omitted at one path. No page has more entries than this. */
const maxAtPath = 1_000

/** Whether mismatches below this top-level member may be omitted. */
type MayOmit = (first: PathStep | undefined) => boolean

const omitsNothing: MayOmit = () => false

/**
 * The mismatches that a guard has found in a reply. It counts by path, because a small response can contain millions of
 * mismatches.
 */
export class GuardState {
  /** The steps to the current value. Entries past the current depth are stale. */
  readonly path: Array<PathStep> = []
  /** The place of each part that was omitted, in order. */
  readonly #omitted: Array<OmittedPart> = []
  readonly #places = new Map<string, OmittedPart>()
  /** The last rejected value: what was expected, what was found, and the length of its path. */
  #expected: Ast = anythingAst
  #found: unknown
  #level = 0
  #mayOmit: MayOmit

  constructor(
    mayOmit = omitsNothing,
    /** Whether the reply is so large that a record with many members may take long. */
    readonly isLarge = false
  ) {
    this.#mayOmit = mayOmit
  }

  reject(expected: Ast, found: unknown, level: number): typeof invalid {
    this.#expected = expected
    this.#found = found
    this.#level = level
    return invalid
  }

  get omittedCount(): number {
    return this.#omitted.length
  }

  #undo(countBefore: number): void {
    for (const place of this.#omitted.splice(countBefore)) {
      place.count--
    }
  }

  /**
   * Records the rejected value, or its container, as omitted, in place of what was omitted inside it: all since `countBefore`.
   * `guard.ts` removes it.
   */
  recordOmission(countBefore: number): boolean {
    if (!this.#mayOmit(this.path[0])) {
      return false
    }
    this.#undo(countBefore)
    let path = ""
    for (let level = 0; level < this.#level; level++) {
      const step = this.path[level]
      path += typeof step === "object" ? `${path && "."}${step.key}` : "[]"
    }
    const place = this.#places.get(path) ?? { path, count: 0, totalCount: 0, expected: "", found: "" }
    this.#places.set(path, place)
    if (place.totalCount++ === maxAtPath) {
      this.#mayOmit = omitsNothing
      return false
    }
    if (place.count === 0) {
      place.expected = expectedOf(this.#expected)
      place.found = foundIn(this.#found)
    }
    place.count++
    this.#omitted.push(place)
    return true
  }

  /**
   * Whether the rejected element can be omitted: it has the wrong type, or is within an optional member. Otherwise a
   * required member is missing.
   */
  canOmitElement(level: number): boolean {
    return (
      this.#level === level || this.path.slice(0, level).some((step) => typeof step === "object" && step.isOptional)
    )
  }

  get rejection(): Rejection {
    return {
      path: this.path.slice(0, this.#level).map((step) => (typeof step === "object" ? step.key : step)),
      expected: expectedOf(this.#expected),
      found: foundIn(this.#found)
    }
  }

  get mismatches(): ReadonlyArray<Mismatch> {
    return Array.from(new Set(this.#omitted), ({ count, expected, found, path }) => ({ path, expected, found, count }))
  }
}
