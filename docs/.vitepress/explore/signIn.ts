// Signing in: the service shows its consent page, and the client redeems the code of its redirect.
import type { PromiseAuthorizationRequest } from "@catalog-client/core/oauth"
import { reactive } from "vue"
import { shownError, type ShownError } from "./errors.js"
import type { Explore } from "./explore.js"

export const useSignIn = ({ session: { oauth, signIn, visit } }: Pick<Explore, "session">) => {
  const state = reactive({
    /** The HTML of the consent page while it is shown. */
    page: undefined as string | undefined,
    notice: "",
    error: undefined as ShownError | undefined
  })
  let request: PromiseAuthorizationRequest | undefined

  const start = async (): Promise<void> => {
    Object.assign(state, { notice: "", error: undefined })
    request = await oauth.authorizationRequest()
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
      const tokens = await oauth.exchange(request, headers.get("location") ?? "")
      if (tokens !== undefined) {
        signIn(tokens)
        state.notice = "Signed in. The next call sends the new token."
      }
    } catch (error) {
      state.error = shownError(error)
      state.notice = "Not signed in."
    }
  }

  return { state, answer, start }
}
