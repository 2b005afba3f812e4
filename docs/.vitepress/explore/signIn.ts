// Signing in: the service shows its consent page, and the client redeems the code of its redirect.
import type { PromiseAuthorizationRequest } from "@catalog-client/core/oauth"
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
  let request: PromiseAuthorizationRequest | undefined

  const start = async (): Promise<void> => {
    Object.assign(state, { page: undefined, notice: "", error: undefined })
    request = await authorizationRequest()
    const response = await visit(request.redirectTo)
    state.page = await response.text()
  }

  /** Sends the form of the page, and goes where the service redirects. */
  const answer = async (decision: string): Promise<void> => {
    state.page = undefined
    if (request === undefined) {
      return
    }
    try {
      const { headers } = await visit(request.redirectTo, new URLSearchParams({ decision }))
      await exchange(request, headers.get("location") ?? "")
      state.notice = "The inspector lists session.exchange, the request for the new token."
    } catch (error) {
      state.error = shownError(error)
      state.notice = account.value === undefined ? "The sign-in failed." : "The new sign-in failed."
    }
  }

  const leave = async (): Promise<void> => {
    await signOut()
    Object.assign(state, { page: undefined, notice: "Public data can still be read.", error: undefined })
  }

  const who = computed(() => (account.value === undefined ? "Signed out." : `Signed in as ${account.value.user}.`))

  return { account, state, who, answer, leave, start }
}
