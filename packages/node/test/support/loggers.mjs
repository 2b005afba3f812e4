// Effect's loggers, for a program in another process, which cannot import TypeScript.
import { Layer, Logger, LogLevel } from "effect"

export const loggers = [Logger.pretty, Logger.json, Logger.logFmt, Logger.structured, Layer.empty]

export const everyLevel = Logger.minimumLogLevel(LogLevel.All)
