/**
 * The interface that Schema libraries share: https://standardschema.dev
 *
 * @since 0.2.0
 */

/**
 * A Schema of any library that implements Standard Schema, for example zod, valibot or arktype. It must validate
 * synchronously. As an input it takes what a program passes, and returns what is sent.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** What a {@link StandardSchema} makes of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: ReadonlyArray<{
        readonly message: string
        readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
      }>
    }
