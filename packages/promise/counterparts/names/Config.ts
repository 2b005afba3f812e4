/**
 * Programs pass options here, and no Config of Effect.
 */
export const isConfig = (): boolean => false

const unreachable = (): never => {
  throw new Error("unreachable")
}

export { unreachable as mapAttempt, unreachable as redacted, unreachable as string, unreachable as withDefault }
