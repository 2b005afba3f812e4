// The loggers of Effect 4, for a program in another process.
import { Layer, Logger, References } from "effect"

const { consoleJson, consoleLogFmt, consolePretty, consoleStructured } = Logger

export const loggers = [consolePretty(), consoleJson, consoleLogFmt, consoleStructured]
  .map((logger) => Logger.layer([logger]))
  .concat(Layer.empty)

export const everyLevel = Layer.succeed(References.MinimumLogLevel, "All")
