/**
 * The program, which kills itself at a point: `MIRROR_KILL=mirror.answers:end:17` is the end of the 17th transaction that
 * keeps answers. The points are its spans.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { run } from "../../src/cli.js"

const [name, edge, count] = (process.env["MIRROR_KILL"] ?? "").split(":")
let left = Number(count)

const reach = (span: string, at: string): void => {
  if (span === name && at === edge && --left === 0) {
    process.kill(process.pid, "SIGKILL")
  }
}

const native = Effect.runSync(Effect.tracer)

const tracer = Tracer.make({
  context: (f, fiber) => native.context(f, fiber),
  span: (spanName, parent, context, links, startTime, kind, options) => {
    const span = native.span(spanName, parent, context, links, startTime, kind, options)
    reach(spanName, "begin")
    const end = span.end.bind(span)
    return Object.assign(span, {
      end: (...args: Parameters<typeof end>) => {
        end(...args)
        reach(spanName, "end")
      }
    })
  }
})
process.exit(await Effect.runPromise(run(process.argv).pipe(Effect.provide(Layer.setTracer(tracer)))))
