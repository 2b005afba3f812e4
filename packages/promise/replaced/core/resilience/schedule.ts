/**
 * Retries take no schedule here: a Schedule is a value of Effect.
 */
export const must = "is for programs with Effect, which use @catalog-client/core: pass attempts, baseDelay and maxDelay"
export const isSchedule = (): boolean => false
export const initialOf = (): undefined => undefined
export const stepOf = (): never => {
  throw new Error("unreachable")
}
