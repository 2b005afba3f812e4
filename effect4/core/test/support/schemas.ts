/**
 * Schemas as Effect 4 writes them, and what generates their values.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

/** A Schema for either face: Effect's, and a standard one. */
export const { toStandardSchemaV1: standard } = Schema

/** Generates values of a Schema: Effect 4 has its own generators, which begin with a seed. */
export const arbitraryOf = <A>(schema: Schema.Codec<A>): fc.Arbitrary<A> => {
  const values = Arbitrary.schema(schema)
  return fc
    .nat()
    .map((seed) => Effect.runSync(Arbitrary.sampleEffect(values, { seed, count: 1 })))
    .chain((sample) => fc.constantFrom(...sample))
}

/** Tests a property of a Schema's values, as programs do: whether it is true, and of how many. */
export const check = <A>(schema: Schema.Codec<A>, holds: (value: A) => boolean, runs: number) => {
  const result = Effect.runSync(Arbitrary.checkEffect(Arbitrary.schema(schema), holds, { runs }))
  return { holds: result._tag === "Passed", runs: "runs" in result ? result.runs : 0 }
}

/** A Schema and its JSON. */
export const jsonOf = <A, I>(schema: Schema.Codec<A, I>): Schema.Codec<A, string> => Schema.fromJsonString(schema)

/** Schemas of which no guard is made. */
export const unlikeModels = [
  Schema.NumberFromString,
  Schema.Struct({ a: Schema.Date }),
  Schema.Record(Schema.String, Schema.Number),
  Schema.Tuple([Schema.String])
] as unknown as ReadonlyArray<Schema.Codec<unknown>>

export const jsonSchemaOf = <A, I>(schema: Schema.Codec<A, I>): object => Schema.toJsonSchemaDocument(schema).schema

/** The JSON Schemas of a record's members. Effect 4 adds `null` to those that can be `undefined`. */
export const jsonSchemasOf = <A, I>(schema: Schema.Codec<A, I>): Readonly<Record<string, object>> => {
  const { definitions, schema: own } = Schema.toJsonSchemaDocument(schema)
  const { properties = {} }: JsonRecord = "properties" in own ? own : (Object.values(definitions)[0] ?? {})
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, member.anyOf?.[0] ?? member]))
}

interface JsonRecord {
  readonly properties?: Readonly<Record<string, { readonly anyOf?: ReadonlyArray<object> }>>
}
