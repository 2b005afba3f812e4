// An operation is picked: the view that calls it is shown, and calls it.
import { computed } from "vue"
import type { OperationName } from "./calls.js"
import { type Explore, isChange } from "./explore.js"
import { nameOf } from "./inspector.js"
import { placesInExplore } from "../urls.js"

/** An operation, without the whole lists. */
export type Operation = Exclude<OperationName, `${string}.collect`>

/** The button that makes a change; a change is not made because an operation is picked. */
const buttonOf = (operation: string): string => (operation.endsWith(".deleteFromList") ? "Remove" : "+1")

export const usePicker = ({ inspect, inspected, session: { calls }, state, visit }: Explore) => {
  const pick = async (operation: Operation): Promise<void> => {
    const last = calls[0]?.id ?? 0
    state.operation = ""
    await visit(placesInExplore[operation])
    if (isChange(operation)) {
      return
    }
    const made = calls.find((call) => nameOf(call) === operation)
    if (made !== undefined && made.id > last) {
      inspect(made.id)
    } else {
      // The inspector shows the error of one that fails.
      await made?.again?.().catch(() => {})
    }
  }
  return {
    pick,
    /** The one that was picked, or whose call the inspector shows. */
    operation: computed(() => state.operation || nameOf(inspected() ?? { operation: "anime.search" })),
    notice: computed(() =>
      isChange(state.operation) ? `Press ${buttonOf(state.operation)} on a title below to call it.` : ""
    )
  }
}
