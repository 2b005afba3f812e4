/**
 * Where warnings go on the promise face.
 */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"

/** Effect's own logger writes to standard output, which can be where a program writes its data. */
const consoleLogger = /*#__PURE__*/ Logger.withLeveledConsole(Logger.stringLogger)

/** Replaces Effect's own logger, where it is still there, by one for which a warning is a `console.warn`. */
export const warnInConsole = /*#__PURE__*/ Layer.scopedDiscard(
  /*#__PURE__*/ Effect.flatMap(/*#__PURE__*/ FiberRef.get(FiberRef.currentLoggers), (loggers) =>
    Effect.locallyScoped(
      FiberRef.currentLoggers,
      HashSet.has(loggers, Logger.defaultLogger)
        ? HashSet.add(HashSet.remove(loggers, Logger.defaultLogger), consoleLogger)
        : loggers
    )
  )
)
