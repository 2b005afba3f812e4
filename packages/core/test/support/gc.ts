import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")

/** Collects garbage at once. */
export const gc = runInNewContext("gc") as () => void
