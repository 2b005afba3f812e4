/**
 * Refuses a value from Effect's `Config`.
 */
// Counterpart for Effect 4: effect4/core/src/internal/common/refuse.ts
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { stringIn } from "./values.js"

/**
 * Fails with an error that names the variables of a value. A `Config` cannot list them, so it is read again with a provider
 * that records them. If it read none, the value comes from the program itself, so it is a defect.
 */
export const refuse = (
  read: Effect.Effect<unknown, ConfigError.ConfigError>,
  cause: unknown
): Effect.Effect<never, ConfigError.ConfigError> =>
  Effect.configProviderWith(({ flattened }) => {
    const names: Array<string> = []
    const noting = ConfigProvider.fromFlat({
      ...flattened,
      load: (path, config, split) => {
        names.push(path.join("."))
        return flattened.load(path, config, split)
      }
    })
    return Effect.flatMap(Effect.withConfigProvider(read, noting), () =>
      names.length === 0
        ? Effect.die(cause)
        : Effect.fail(ConfigError.InvalidData([names.join(", ")], `${stringIn(cause, "message")}`))
    )
  })
