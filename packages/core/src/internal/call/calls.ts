/**
 * Receives each call of an Effect when it begins.
 */
import * as Context from "effect/Context"
import type { Call } from "./call.js"

export const Calls = /*#__PURE__*/ Context.Reference<"Calls">()("@catalog-client/core/Calls", {
  defaultValue: (): ((call: Call) => void) | undefined => undefined
})
