// One call to try the service with: what a fault does to it, and what a policy makes of it.
import { reactive } from "vue"
import { shownError, type ShownError } from "./errors.js"
import { troubles } from "./faults.js"
import type { Session } from "./session.js"

export const useTrial = ({ call, calls, faults, sendToken }: Session) => {
  const state = reactive({
    isRunning: false,
    /** What came of it, in one sentence. */
    notice: "",
    error: undefined as ShownError | undefined
  })

  /** Makes the call while the fault, if there is one, begins again. */
  const run = async (): Promise<void> => {
    if (state.isRunning) {
      return
    }
    faults.begin(faults.state.name)
    state.isRunning = true
    state.notice = ""
    state.error = undefined
    const reply = call("anime.get", [{ id: 30230 }, { fields: ["mean"], timeout: 1_500 }])
    const [record] = calls
    try {
      const { mean, title } = await reply
      const times = record?.exchanges.length ?? 0
      state.notice =
        times === 0
          ? `Answered without a request: ${title}, ${mean}.`
          : `Answered by attempt ${times}: ${title}, ${mean}.`
    } catch (error) {
      state.error = shownError(error)
      state.notice = `Failed with ${state.error.name}.`
    } finally {
      state.isRunning = false
    }
  }
  return {
    state,
    run,
    help: (): string => (faults.state.name === "none" ? "" : troubles[faults.state.name].help),
    choose: (name: typeof faults.state.name): void => {
      faults.begin(name)
      // The fault is about this token.
      if (name === "expired") {
        sendToken("first")
      }
    },
    renew: (): void => {
      sendToken("renewed")
      state.error = undefined
      state.notice = "The next call sends a new token."
    }
  }
}
