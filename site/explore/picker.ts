// An operation is picked: the view that calls it is shown, and calls it.
import { computed, shallowRef, watch } from "vue"
import type { OperationName } from "./calls.js"
import type { Explore } from "./explore.js"
import { nameOf } from "./inspector.js"
import { placesInExplore } from "../urls.js"

/** An operation, without the whole lists. */
export type Operation = Exclude<OperationName, `${string}.collect`>

/** The button that makes a change; a change is not made because an operation is picked. */
const buttonOf = (operation: Operation): string | undefined =>
  operation.endsWith(".updateMyListStatus") ? "+1" : operation.endsWith(".deleteFromList") ? "Remove" : undefined

export const usePicker = ({ inspect, inspected, session: { calls }, state, visit }: Explore) => {
  /** The change that was picked, until another call is shown. */
  const change = shallowRef<Operation>()
  watch([inspected, () => state.view], () => (change.value = undefined))

  const pick = async (operation: Operation): Promise<void> => {
    const last = calls[0]?.id ?? 0
    await visit(placesInExplore[operation])
    if (buttonOf(operation) !== undefined) {
      change.value = operation
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
    operation: computed(() => change.value ?? nameOf(inspected() ?? { operation: "anime.search" })),
    notice: computed(() =>
      change.value === undefined ? "" : `Press ${buttonOf(change.value)} on a title below to call it.`
    )
  }
}
