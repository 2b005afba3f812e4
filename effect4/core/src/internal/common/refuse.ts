/**
 * Refuses a value from Effect's `Config`.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { stringIn } from "./values.js"

/** Fails with an error whose message names the variables: those that a second reading loads. */
export const refuse = (
  read: Effect.Effect<unknown, Config.ConfigError>,
  cause: unknown
): Effect.Effect<never, Config.ConfigError> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => {
    const names: Array<string> = []
    const noting = ConfigProvider.make((path) => {
      // A schema of several variables is a record at the root first.
      if (path.length > 0) {
        names.push(path.join("."))
      }
      return provider.load(path)
    })
    return Effect.flatMap(Effect.provideService(read, ConfigProvider.ConfigProvider, noting), () => {
      const message = `Invalid data at ${names.join(", ")}: "${stringIn(cause, "message")}"`
      return names.length === 0
        ? Effect.die(cause)
        : Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message, cause })))
    })
  })
