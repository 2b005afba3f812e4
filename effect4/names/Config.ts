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

/** The variables that a `Config` reads: an error of Effect 4 has the message alone. */
const namesOf = (config: Config.Config<unknown>): Effect.Effect<string> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => {
    const names = new Set<string>()
    const noting = ConfigProvider.make((path) => {
      names.add(path.join("."))
      return provider.load(path)
    })
    return Effect.map(Effect.exit(config.parse(noting)), () => [...names].join(", "))
  })

export const mapAttempt = <A, B>(config: Config.Config<A>, f: (value: A) => B): Config.Config<B> =>
  Config.mapEffect(config, (value) =>
    Effect.matchEffect(Effect.try({ try: () => f(value), catch: (cause) => cause }), {
      onSuccess: Effect.succeed,
      onFailure: (cause) =>
        Effect.flatMap(namesOf(config), (names) => {
          const said = cause instanceof Error ? cause.message : String(cause)
          const message = `Invalid data at ${names}: "${said}"`
          return Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message, cause })))
        })
    })
  )
