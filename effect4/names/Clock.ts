/** `effect/Clock` with the names of Effect 3. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"

export * from "effect/Clock"

/** The clock of the platform. */
export const make = (): Clock.Clock => Context.get(Context.empty(), Clock.Clock)
