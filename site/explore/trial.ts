// The call that the inspector shows, made again: what a fault does to it, and what a policy makes of it.
import { computed, reactive, watch } from "vue"
import { shownError, type ShownError } from "./errors.js"
import type { Explore } from "./explore.js"
import { policyNames, type TroubleName, troubleNames, troubles } from "./faults.js"
import { type CallRecord, quantity } from "./session.js"

/** How long the call waits, in milliseconds: a reader would not wait for the default, 30 seconds. */
const timeout = 1_500

/** One of the names that a text is. */
const named = <A extends string>(names: ReadonlyArray<A>, text: string | undefined): A | undefined =>
  names.find((name) => name === text)

export const useTrial = ({
  inspected,
  keep,
  session: { account, call, calls, faults, policies, sendToken },
  state: shown
}: Explore) => {
  const state = reactive({
    isRunning: false,
    /** What came of it, in one sentence, unless it failed. */
    notice: "",
    error: undefined as ShownError | undefined
  })

  const repeated = computed(
    (): Pick<CallRecord, "again" | "operation"> =>
      [inspected(), ...calls].find((record) => record?.again) ?? {
        operation: "anime.get",
        again: async (making) => void (await call("anime.get", [{ id: 30230 }, { fields: ["mean"] }], making))
      }
  )

  let current = new AbortController()

  const clear = (): void => {
    state.error = undefined
    state.notice = ""
  }
  // What came of a call is not about another view, or another user.
  watch([() => shown.view, account], clear)

  const run = async (): Promise<void> => {
    if (state.isRunning) {
      return
    }
    state.isRunning = true
    clear()
    current = new AbortController()
    const { signal } = current
    const reply = repeated.value.again?.({ signal, timeout })
    const [record] = calls
    try {
      await reply
      const times = record?.exchanges.length ?? 0
      state.notice = times === 0 ? "Reply without a request." : `Reply after ${quantity(times, "exchange")}.`
    } catch (error) {
      if (signal.aborted) {
        return
      }
      state.error = shownError(error)
    } finally {
      state.isRunning = false
    }
  }
  const choose = (name: TroubleName | "none"): void => {
    // What comes of a call under another fault is not about this one.
    current.abort()
    faults.begin(name)
    clear()
    // The fault is about this token.
    if (name === "expired" && account.value !== undefined) {
      sendToken("first")
    }
  }

  // A new sign-in has a token that has not expired.
  watch(account, (now) => {
    if (now !== undefined && faults.state.name === "expired") {
      choose("none")
    }
  })

  const hasEnded = (): boolean =>
    faults.state.name !== "none" && faults.state.left === 0 && calls.every(({ state }) => state !== "pending")

  // Who chooses a policy wants to see what it makes of the fault.
  watch(
    () => policies.names(),
    () => {
      if (hasEnded()) {
        faults.begin(faults.state.name)
      }
    },
    { flush: "sync" }
  )

  keep("all", [
    {
      name: "fault",
      read: () => named(troubleNames, faults.state.name),
      write: (text) => {
        const name = named(troubleNames, text) ?? "none"
        if (name !== faults.state.name) {
          choose(name)
        }
      }
    },
    {
      name: "policies",
      read: () => (policies.names().length === 0 ? undefined : policies.names().join(",")),
      write: (text = "") => {
        for (const name of policyNames) {
          const isOn = text.split(",").includes(name)
          if (isOn !== policies.has(name)) {
            policies.set(name, isOn)
          }
        }
      }
    }
  ])
  return {
    state,
    /** The name of what is called again. */
    operation: computed(() => repeated.value.operation),
    run,
    hasEnded,
    help: (): string => (faults.state.name === "none" ? "" : troubles[faults.state.name].help),
    /** Which requests get the fault; nothing while one that may have it is in flight. */
    stage: (): string => {
      const { left } = faults.state
      if (left === 0) {
        return hasEnded() ? "The fault has ended." : ""
      }
      if (left < Number.POSITIVE_INFINITY) {
        return `The next ${left === 1 ? "request gets" : `${left} requests get`} this fault, in any view.`
      }
      return account.value === undefined
        ? "You are signed out, so no token can expire: sign in on My list, then choose this fault."
        : "Every call gets this fault, in any view, until you renew the token."
    },
    choose,
    /** Replaces the expired token. Views whose call failed make it again. */
    renew: (): void => {
      sendToken("renewed")
      choose("none")
      state.notice = "The token was renewed."
    }
  }
}
