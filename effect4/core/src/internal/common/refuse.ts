/**
 * Refuses a value from Effect's `Config`.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { stringIn } from "./values.js"

/** Fails with an error that names the variables of a value. The value is read again, to see which variables are loaded. */
export const refuse = (
  read: Effect.Effect<unknown, Config.ConfigError>,
  cause: unknown
): Effect.Effect<never, Config.ConfigError> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => {
    const names: Array<string> = []
    const noting = ConfigProvider.make((path) => {
      // For a schema of several variables, the root is loaded first, with an empty path.
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
