/** `effect/Schema` with the names of Effect 3. */
import * as S from "effect/Schema"
import type { AST } from "effect/SchemaAST"

export * from "effect/Schema"
/** `Redacted` of Effect 4 encodes to a `Redacted`. */
export { RedactedFromValue as Redacted } from "effect/Schema"
export type { $Array as Array$ } from "effect/Schema"

/** Through a member, so that an editor shows `Codec` in place of this alias. */
export type Schema<A, I = A, R = never> = S.Codec<A, I, R, R>["Rebuild"]
export declare namespace Schema {
  type Any = S.Top
  type AnyNoContext = Schema<unknown>
  type Type<Of extends { readonly Type: unknown }> = Of["Type"]
  type Context<Of> = Of extends { readonly EncodingServices: infer R } ? R : never
  type Encoded<Of> = Of extends { readonly Encoded: infer I } ? I : never
}

export const make = <A, I = A, R = never>(ast: AST): Schema<A, I, R> => S.make<Schema<A, I, R>>(ast)

export const optionalWith = <Of extends S.Constraint>(
  schema: Of,
  _options: { readonly exact: true }
): S.optionalKey<Of> => S.optionalKey(schema)

/** Members of JSON Schema that Effect 4 has no annotation for, like `minimum`, are left out. */
export const annotations =
  ({ jsonSchema = {}, ...more }: { readonly identifier?: string; readonly jsonSchema?: object }) =>
  <Of extends S.Top>(schema: Of): Of["Rebuild"] =>
    schema.annotate({ ...jsonSchema, ...more })

export const Union = <const Members extends ReadonlyArray<S.Constraint>>(...members: Members): S.Union<Members> =>
  S.Union(members)
