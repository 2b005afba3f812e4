/**
 * The base of the four errors.
 */
import * as Schema from "effect/Schema"
import { printable, pauseStacks } from "../common/values.js"

interface Base {
  new (props: object, options?: Schema.MakeOptions): Error
}

/**
 * Defines an own, non-enumerable property of an error. The old one is deleted first: to replace it, V8 would format the stack,
 * which can throw.
 */
export const setOwn = (error: Error, key: "name" | "message" | "stack", value: string): boolean =>
  Reflect.deleteProperty(error, key) &&
  Reflect.defineProperty(error, key, { value, configurable: true, writable: true })

/** The message of an error; empty for the prototype, which mocks and debuggers read too. */
export const messageOf = <E extends object>(error: E, write: (error: E) => string): string =>
  "operation" in error ? write(error) : ""

/**
 * `Schema.TaggedError` with four changes. `JSON.stringify` returns the encoded form and the message. Name and message are
 * own properties, because engines call no getter to print an uncaught error or to clone its message. The stack contains only
 * name and message, because its frames would be those of the fiber, not of the program; catalog-client adds the frames of
 * the awaiting code. The message is one printable line; the other members contain what the service sent unchanged.
 */
export const TaggedError = (<Self extends Error>(identifier?: string) =>
  (tag: string, fields: Schema.Struct.Fields) =>
    class extends (Schema.TaggedError<Self>(identifier)(tag, fields) as unknown as Base) {
      constructor(props: object, options?: Schema.MakeOptions) {
        const resume = pauseStacks()
        try {
          super(props, options)
        } finally {
          resume()
        }
        setOwn(this, "name", this.name)
        setOwn(this, "message", printable(this.message))
        setOwn(this, "stack", `${this.name}: ${this.message}`)
      }

      toJSON(): object {
        const encode = Schema.encodeSync(this.constructor as unknown as Schema.Schema<this, object>)
        return { ...encode(this), message: this.message }
      }
    }) as unknown as typeof Schema.TaggedError
