/** `effect/Config` with the names of Effect 3. */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"

export * from "effect/Config"
export {
  Boolean as boolean,
  Duration as duration,
  Number as number,
  Redacted as redacted,
  String as string
} from "effect/Config"

/** An error of Effect 4 has the message alone: the variables are those that a second parse reads. */
export const mapAttempt = <A, B>(config: Config.Config<A>, f: (value: A) => B): Config.Config<B> =>
  Config.mapEffect(config, (value) => {
    try {
      return Effect.succeed(f(value))
    } catch (cause) {
      return Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => {
        const names: Array<string> = []
        const noting = ConfigProvider.make((path) => {
          names.push(path.join("."))
          return provider.load(path)
        })
        return Effect.flatMap(config.parse(noting), () => {
          const said = cause instanceof Error ? cause.message : String(cause)
          const message = `Invalid data at ${names.join(", ")}: "${said}"`
          return Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message, cause })))
        })
      })
    }
  })
