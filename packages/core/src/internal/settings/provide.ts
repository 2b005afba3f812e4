/**
 * Provides the Effects of a program, such as a credential or a hook, with the services that they require.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { ParentSpan } from "effect/Tracer"
import { withoutDefaults } from "../common/fiber.js"
import { addedIn } from "../common/layers.js"
import { CatalogPolicyTag } from "../policies/merge.js"
import { CatalogConfigTag } from "./settings.js"

/**
 * Provides Effects with the services of the context in which their Layer was built; they win over those of the call. Span,
 * configuration and policies come from the call.
 */
export const provideFrom = <R>(
  built: Context.Context<R>
): (<A, E>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E>) => {
  const added = addedIn(built)
  const required = withoutDefaults(
    Context.omit(ParentSpan, CatalogConfigTag, CatalogPolicyTag, ...added)(built) as Context.Context<R>
  )
  return (effect) => Effect.mapInputContext(effect, (call: Context.Context<never>) => Context.merge(call, required))
}
