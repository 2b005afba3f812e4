/**
 * A `Stream` from what gives its parts.
 */
import * as Channel from "effect/Channel"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"

/** `Stream.fromPull`, which brings a page twenty times as much. */
export const fromPull = <A, E, R = never>(
  pull: Effect.Effect<Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>, never, R | Scope>
): Stream.Stream<A, E, R> =>
  Stream.fromChannel(
    Channel.unwrapScoped(Effect.map(pull, (next) => Stream.toChannel(Stream.repeatEffectChunkOption(next))))
  )
