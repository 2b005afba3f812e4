/**
 * What queries make of operations. Written by the build, from their declarations.
 */

/** Operations that take only options. */
export const withoutParams: ReadonlyArray<string> = ["suggestions", "me", "boards"]

/** Operations that return what belongs to the caller. */
export const ofCaller: ReadonlyArray<string> = ["suggestions", "me"]

/** Operations that change a list. */
export const writes: ReadonlyArray<string> = ["updateMyListStatus", "deleteFromList"]
