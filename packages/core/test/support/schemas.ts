/**
 * Schemas that are written in another way in another line of Effect, and what generates their values.
 */
import { Arbitrary, FastCheck, JSONSchema, Schema } from "effect"

/** A Schema for either face: Effect's, and a standard one. */
export const { standardSchemaV1: standard } = Schema

/** Generates values of a Schema. */
export const arbitraryOf = <A>(schema: Schema.Schema<A>): FastCheck.Arbitrary<A> => Arbitrary.make(schema)

/** Tests a property of a Schema's values, as programs do: whether it is true, and of how many. */
export const check = <A>(schema: Schema.Schema<A>, holds: (value: A) => boolean, numRuns: number) => {
  const { failed, numRuns: runs } = FastCheck.check(FastCheck.property(Arbitrary.make(schema), holds), { numRuns })
  return { holds: !failed, runs }
}

/** A Schema and its JSON. */
export const jsonOf = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, string> => Schema.parseJson(schema)

/** Schemas of which no guard is made. */
export const unlikeModels = [
  Schema.NumberFromString,
  Schema.Struct({ a: Schema.DateFromSelf }),
  Schema.Record({ key: Schema.String, value: Schema.Number }),
  Schema.Tuple(Schema.String)
] as unknown as ReadonlyArray<Schema.Schema<unknown>>

export const jsonSchemaOf = <A, I>(schema: Schema.Schema<A, I>): object => JSONSchema.make(schema)

/** The JSON Schemas of a record's members. */
export const jsonSchemasOf = <A, I>(schema: Schema.Schema<A, I>): Readonly<Record<string, object>> => {
  const { $defs = {}, properties }: JsonSchema = jsonSchemaOf(schema)
  return properties ?? Object.values($defs)[0]?.properties ?? {}
}

interface JsonSchema {
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly properties?: Readonly<Record<string, object>>
}
