/**
 * A small Schema, instead of Effect's: what the client's own models, errors and stored tokens need.
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { anythingAst, type Ast, arrayOf, member, recordOf } from "../core/internal/model/ast.js"

/** A Schema; as a member of a record it can be optional. */
export interface Schema {
  readonly ast: Ast
  readonly isOptional?: true
}

/** The members of a record. */
export type Fields = Readonly<Record<string, Schema>>

export const make = (ast: Ast): Schema => ({ ast })

export const String = /*#__PURE__*/ make({ _tag: "String" })

export const Number = /*#__PURE__*/ make({ _tag: "Number" })

export const Boolean = /*#__PURE__*/ make({ _tag: "Boolean" })

export const Unknown = /*#__PURE__*/ make(anythingAst)

export const Literal = (literal: string | number): Schema => make({ _tag: "Literal", literal })

const ofRedacted = ({ ast }: Schema): Schema => make({ _tag: "Redacted", type: ast })
export { ofRedacted as Redacted }

const ofArray = ({ ast }: Schema): Schema => make(arrayOf(ast))
export { ofArray as Array }

export const optionalWith = ({ ast }: Schema): Schema => ({ ast, isOptional: true })

const astOf = (fields: Fields): Ast =>
  recordOf(Object.entries(fields).map(([name, { ast, isOptional }]) => member(name, ast, isOptional === true)))

export const Struct = (fields: Fields) => ({ ast: astOf(fields), fields })

type Props = Readonly<Record<string, unknown>>

/** The members that are present, in the order of the fields. */
const pick = (fields: Fields, props: Props): Props =>
  Object.fromEntries(Object.keys(fields).flatMap((name) => (props[name] === undefined ? [] : [[name, props[name]]])))

/** A class of values with members. */
export const Class = (_identifier: string) => (fields: Fields) => {
  const record = astOf(fields)
  return class Value {
    static get ast(): Ast {
      return { _tag: "Class", record, make: this as new (props: object) => object }
    }
    constructor(props: Props) {
      Object.assign(this, pick(fields, props))
    }
  }
}

/** A class of errors with members. */
export const TaggedError = (_identifier?: string) => (tag: string, fields: Fields) => {
  const record = astOf({ _tag: Literal(tag), ...fields })
  return class extends Error {
    static get ast(): Ast {
      return { _tag: "Class", record, make: this as new (props: object) => object }
    }
    get _tag(): string {
      return tag
    }
    // Not assigned to the prototype: that throws if the program has frozen `Error.prototype`.
    override get name(): string {
      return tag
    }
    constructor(props: Props) {
      super()
      Object.assign(this, pick(fields, props))
    }
  }
}

const encode = (ast: Ast, value: unknown): unknown => {
  switch (ast._tag) {
    case "Redacted":
      return encode(ast.type, Redacted.value(value as Redacted.Redacted))
    case "Class":
      return encode(ast.record, value)
    case "Record": {
      const entries = [...ast.members.values()].flatMap(({ name, type }) => {
        const member = (value as Props)[name]
        return member === undefined ? [] : [[name, encode(type, member)] as const]
      })
      return Object.fromEntries(entries)
    }
    default:
      return value
  }
}

export const encodeSync =
  ({ ast }: Schema) =>
  (value: unknown): unknown =>
    encode(ast, value)

/** What a value is decoded to; none if it is invalid. */
const decode = (ast: Ast, value: unknown): Option.Option<unknown> => {
  switch (ast._tag) {
    case "String":
    case "Number":
    case "Boolean":
      return typeof value === ast._tag.toLowerCase() ? Option.some(value) : Option.none()
    case "Literal":
      return value === ast.literal ? Option.some(value) : Option.none()
    case "Redacted":
      return Option.map(decode(ast.type, value), (value) => Redacted.make(value))
    case "Class":
      return Option.map(decode(ast.record, value), (props) => new ast.make(props as object))
    case "Record": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return Option.none()
      }
      const props: Record<string, unknown> = {}
      for (const { isOptional, name, type } of ast.members.values()) {
        const isPresent = Object.hasOwn(value, name)
        const read = isPresent ? decode(type, (value as Props)[name]) : Option.none()
        if (Option.isSome(read)) {
          props[name] = read.value
        } else if (isPresent || !isOptional) {
          return Option.none()
        }
      }
      return Option.some(props)
    }
    default:
      return Option.some(value)
  }
}

export const decodeUnknownOption =
  ({ ast }: Schema) =>
  (value: unknown): Option.Option<unknown> =>
    decode(ast, value)
