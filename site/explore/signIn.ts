// Signing in: the service shows its consent page, and the client redeems the code of its redirect.
import type { AuthorizationRequest } from "catalog-client/oauth"
import { computed, reactive } from "vue"
import { shownError, type ShownError } from "./errors.js"
import type { Session } from "./session.js"

/** The sign-in that the views share. */
export const makeSignIn = ({ account, authorizationRequest, exchange, signOut, visit }: Session) => {
  const state = reactive({
    /** The HTML of the consent page while it is shown. */
    page: undefined as string | undefined,
    notice: "",
    error: undefined as ShownError | undefined
  })
  let request: AuthorizationRequest | undefined
  /** Of several sign-ins and sign-outs, the last one counts. */
  let last: object = {}
  let isRunning = false

  const begin = (notice: string): (() => boolean) => {
    const own = {}
    last = own
    request = undefined
    isRunning = true
    Object.assign(state, { page: undefined, notice, error: undefined })
    return () => last === own
  }

  const start = async (): Promise<void> => {
    const isLast = begin("Opening the consent page…")
    const requested = await authorizationRequest()
    const response = await visit(requested.redirectTo)
    const page = await response.text()
    if (isLast()) {
      request = requested
      isRunning = false
      Object.assign(state, { page, notice: "" })
    }
  }

  /** Sends the form of the page, and goes where the service redirects. */
  const answer = async (decision: string): Promise<void> => {
    const answered = request
    if (answered === undefined) {
      return
    }
    const isLast = begin("Signing in…")
    try {
      const { headers } = await visit(answered.redirectTo, new URLSearchParams({ decision }))
      await exchange(answered, headers.get("location") ?? "", isLast)
      if (isLast()) {
        isRunning = false
        state.notice = "The inspector lists session.exchange, the request for the new token."
      }
    } catch (cause) {
      if (isLast()) {
        isRunning = false
        Object.assign(state, { error: shownError(cause), notice: "The sign-in failed." })
      }
    }
  }

  const leave = async (): Promise<void> => {
    begin("Public data can still be read.")
    isRunning = false
    await signOut()
  }

  /** Removes what the last sign-in or sign-out said, once it has ended. */
  const clear = (): void => {
    if (state.page === undefined && !isRunning) {
      Object.assign(state, { notice: "", error: undefined })
    }
  }

  const who = computed(() => (account.value === undefined ? "Signed out." : `Signed in as ${account.value.user}.`))

  return { account, state, who, answer, clear, leave, start }
}
