/** `effect/Config` with the names of Effect 3. */
import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Effect from "effect/Effect"

export * from "effect/Config"
export {
  Boolean as boolean,
  Duration as duration,
  Number as number,
  Redacted as redacted,
  String as string
} from "effect/Config"

export const mapAttempt = <A, B>(config: Config.Config<A>, f: (value: A) => B): Config.Config<B> =>
  Config.mapEffect(config, (value) =>
    Effect.try({
      try: () => f(value),
      catch: (cause) =>
        new Config.ConfigError(
          new SourceError({ message: cause instanceof Error ? cause.message : String(cause), cause })
        )
    })
  )
