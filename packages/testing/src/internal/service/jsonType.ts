/** What JSON Schema says of a value, for the declaration: the service validates with its own code. */

export interface JsonType {
  readonly type: "string" | "integer" | "number" | "boolean"
  readonly description?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string | number | boolean
  readonly examples?: ReadonlyArray<string | number>
  /** Whether the service refuses a request without this parameter. */
  readonly "x-required"?: true
}

/** A word of an open set: the ones that are known are examples, because the service can add others. */
export const word = (...examples: ReadonlyArray<string>): JsonType => ({ type: "string", examples })

export const id: JsonType = { type: "integer", minimum: 1 }
