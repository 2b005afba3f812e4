/**
 * The services that an Effect of a program requires, such as a credential or a hook.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { ParentSpan } from "effect/Tracer"
import { chosenIn } from "../common/fiber.js"
import { CatalogPolicyTag } from "../policies/merge.js"
import { CatalogConfigTag } from "./settings.js"

/**
 * Provides Effects with what they require, for example a transport, from where their Layer was built, even if the call has
 * others. Span, configuration and policies are those of the call.
 */
export const providing = <R>(
  built: Context.Context<R>
): (<A, E>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E>) => {
  const required = chosenIn(Context.omit(ParentSpan, CatalogConfigTag, CatalogPolicyTag)(built) as Context.Context<R>)
  return (effect) => Effect.mapInputContext(effect, (call: Context.Context<never>) => Context.merge(call, required))
}
