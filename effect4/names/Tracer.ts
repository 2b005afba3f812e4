/** `effect/Tracer` with the names of Effect 3. */
import type * as Context from "effect/Context"
import type * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

export * from "effect/Tracer"

/** Makes a tracer. Its function for spans has the arguments of Effect 3. */
export const make = ({
  span
}: {
  readonly span: (
    name: string,
    parent: Option.Option<Tracer.AnySpan>,
    context: Context.Context<never>,
    links: ReadonlyArray<Tracer.SpanLink>,
    startTime: bigint,
    kind: Tracer.SpanKind
  ) => Omit<Tracer.Span, "annotations"> & { readonly context: Context.Context<never> }
  readonly context: (run: () => unknown) => unknown
}): Tracer.Tracer =>
  Tracer.make({
    span: ({ annotations, kind, links, name, parent, startTime }) =>
      Object.assign(span(name, parent, annotations, links, startTime, kind), { annotations })
  })
