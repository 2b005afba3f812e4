/**
 * Logging of a catalog of promises.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import { CurrentLogAnnotations, CurrentLoggers, MinimumLogLevel, UnhandledLogLevel } from "effect/References"
import type { CatalogLogger, CatalogLogLevel, CatalogOptions } from "../CatalogOptions.js"
import { checkFunctions, show } from "#core/internal/common/mistakes.js"
import { quietly, tryOr } from "#core/internal/common/values.js"

const levels: Readonly<Record<CatalogLogLevel, LogLevel>> = {
  none: "None",
  error: "Error",
  warn: "Warn",
  info: "Info",
  debug: "Debug"
}

const logMethods = ["error", "warn", "info", "debug"] as const

const levelOf = (name: unknown): LogLevel | undefined =>
  Object.hasOwn(levels, String(name)) ? levels[name as CatalogLogLevel] : undefined

/** The level from the environment, which is not readable on every platform. */
const fromEnvironment = (): LogLevel | undefined =>
  tryOr(() => {
    const { process } = globalThis as { readonly process?: { readonly env?: { readonly CATALOG_LOG?: string } } }
    return levelOf(process?.env?.CATALOG_LOG?.trim().toLowerCase())
  }, undefined)

/** The function for a line; `Trace` uses the nearest one, `debug`. */
const methodOf: Partial<Record<LogLevel, (typeof logMethods)[number]>> = {
  Fatal: "error",
  Error: "error",
  Warn: "warn",
  Info: "info"
}

/** A logger that writes to the program's, or to `console`. Effect's own writes to standard output, where programs write their data. */
const writeTo = (logger: CatalogLogger | undefined) =>
  Logger.make(({ cause, fiber, logLevel, message }) => {
    const text = [message].flat().map(String).join(" ")
    const line = cause.reasons.length === 0 ? text : `${text}\n${Cause.pretty(cause)}`
    const annotations = fiber.getRef(CurrentLogAnnotations)
    const fields = logger === undefined || Object.keys(annotations).length === 0 ? [] : [{ ...annotations }]
    // A failing logger must not break a call.
    quietly(() => (logger ?? console)[methodOf[logLevel] ?? "debug"]?.(line, ...fields))
  })

/**
 * Replaces Effect's default loggers, if they are still set or a logger is set, and sets the level. Effect's logger for tracers
 * goes, too: it would add each line to the current span.
 */
export const logging = (
  { logger, logLevel }: Pick<CatalogOptions, "logger" | "logLevel">,
  calledAs: string
): Layer.Layer<never> => {
  const level = logLevel ? levelOf(logLevel) : logger ? undefined : fromEnvironment()
  if (logLevel && !level) {
    const must = `one of ${Object.keys(levels).join(", ")}`
    throw new TypeError(`${calledAs}: logLevel must be ${must}, but it is ${show(logLevel)}`)
  }
  checkFunctions(`${calledAs}: logger`, logger ?? {}, logMethods)
  const writer = writeTo(logger)
  return Layer.effectContext(
    Effect.map(CurrentLoggers, (loggers) => {
      const isOwn = logger || loggers.has(Logger.defaultLogger)
      const replaced = new Set(loggers).add(writer)
      replaced.delete(Logger.defaultLogger)
      replaced.delete(Logger.tracerLogger)
      return Context.make(CurrentLoggers, isOwn ? replaced : loggers).pipe(
        // Effect must not log the failure of a call: its promise is rejected with it.
        Context.add(UnhandledLogLevel, undefined),
        level ? Context.add(MinimumLogLevel, level) : (context) => context
      )
    })
  )
}
