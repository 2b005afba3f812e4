/**
 * Logging of a catalog of promises.
 */
// Counterpart for Effect 4: effect4/promise/src/internal/log.ts
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type { CatalogLogger, CatalogLogLevel, CatalogOptions } from "../CatalogOptions.js"
import { quietly, tryOr } from "#core/internal/common/values.js"
import { checkFunctions, show } from "#core/internal/common/mistakes.js"

const levels: Readonly<Record<CatalogLogLevel, LogLevel.LogLevel>> = {
  none: LogLevel.None,
  error: LogLevel.Error,
  warn: LogLevel.Warning,
  info: LogLevel.Info,
  debug: LogLevel.Debug
}

const logMethods = ["error", "warn", "info", "debug"] as const

const levelOf = (name: unknown): LogLevel.LogLevel | undefined =>
  Object.hasOwn(levels, String(name)) ? levels[name as CatalogLogLevel] : undefined

/** The level from the environment, which is not readable on every platform. */
const fromEnvironment = (): LogLevel.LogLevel | undefined =>
  tryOr(() => {
    const { process } = globalThis as { readonly process?: { readonly env?: { readonly CATALOG_LOG?: string } } }
    return levelOf(process?.env?.CATALOG_LOG?.trim().toLowerCase())
  }, undefined)

/** The method for a line; a level outside the range uses the nearest one. */
const methodOf = ({ ordinal }: LogLevel.LogLevel): (typeof logMethods)[number] =>
  logMethods.find((method) => ordinal >= levels[method].ordinal) ?? "debug"

/** A logger that writes to the program's, or to `console`. Effect's own writes to standard output, where programs write their data. */
const writeTo = (logger: CatalogLogger | undefined) =>
  Logger.make(({ annotations, cause, logLevel, message }) => {
    const text = [message].flat().map(String).join(" ")
    const line = Cause.isEmpty(cause) ? text : `${text}\n${Cause.pretty(cause)}`
    const fields = logger === undefined || HashMap.isEmpty(annotations) ? [] : [Object.fromEntries(annotations)]
    // A failing logger must not break a call.
    quietly(() => (logger ?? console)[methodOf(logLevel)]?.(line, ...fields))
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
  const replace = Effect.locallyScopedWith(FiberRef.currentLoggers, (loggers) =>
    logger || HashSet.has(loggers, Logger.defaultLogger)
      ? loggers.pipe(HashSet.remove(Logger.defaultLogger), HashSet.remove(Logger.tracerLogger), HashSet.add(writer))
      : loggers
  )
  return Layer.scopedDiscard(
    replace.pipe(
      Effect.zipRight(level ? Effect.locallyScoped(FiberRef.currentMinimumLogLevel, level) : Effect.void),
      // Effect must not log the failure of a call: its promise is rejected with it.
      Effect.zipRight(Effect.locallyScoped(FiberRef.unhandledErrorLogLevel, Option.none()))
    )
  )
}
