/** `effect/Exit` with the names of Effect 3. */
import * as Exit from "effect/Exit"

export * from "effect/Exit"
export { hasInterrupts as isInterrupted } from "effect/Exit"

export const flatten = <A, E, E2>(exit: Exit.Exit<Exit.Exit<A, E>, E2>): Exit.Exit<A, E | E2> =>
  Exit.isSuccess(exit) ? exit.value : Exit.failCause(exit.cause)
