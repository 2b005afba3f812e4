/**
 * A tracer that writes a line for each span that ends: its name, its time, its parent and whether it failed.
 */
import { Exit, Layer, Option, Tracer } from "effect"

export const layerTracer = (write: (line: string) => void) =>
  Layer.sync(Tracer.Tracer, () =>
    Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        return Object.assign(span, {
          end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => {
            Tracer.NativeSpan.prototype.end.call(span, endTime, exit)
            const parent = Option.match(options.parent, {
              onNone: () => "",
              onSome: (parent) => (parent._tag === "Span" ? `${parent.name} > ` : "")
            })
            const outcome = Exit.isSuccess(exit) ? "" : ", failed"
            write(`${parent}${options.name}: ${(endTime - options.startTime) / 1_000_000n} ms${outcome}`)
          }
        })
      }
    })
  )
