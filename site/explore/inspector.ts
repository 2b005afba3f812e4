// What the inspector shows of a call.
import { computed, ref, watch } from "vue"
import { credentialOf, curlOf, effectOf, promiseOf, signInEffect, signInPromise } from "./code.js"
import { type CallRecord, type Exchange, printed, type Session } from "./session.js"

export const tabs = { wire: "Exchanges", promise: "Promise", effect: "Effect", curl: "curl" } as const

/** Characters of a body that are shown. */
const shown = 20_000

/** JSON in lines; any other text as it is. */
export const bodyOf = ({ body = "" }: Exchange) => {
  let text = body
  let language: "json" | undefined
  try {
    text = JSON.stringify(JSON.parse(body), undefined, 2)
    language = "json"
  } catch {
    // Not JSON.
  }
  const isLong = text.length > shown
  return { text: isLong ? `${text.slice(0, shown)}\n… ${text.length - shown} more characters` : text, language }
}

/** What an exchange ended with, and when. */
export const outcomeOf = ({ duration, outcome = "in flight", status }: Exchange): string => {
  const parts = [status === undefined ? "no status" : `status ${status}`]
  if (outcome !== String(status)) {
    parts.push(outcome)
  }
  if (duration !== undefined) {
    parts.push(`${duration} ms`)
  }
  return parts.join(" · ")
}

/** The members of a form, decoded. */
export const formOf = ({ form }: Exchange): ReadonlyArray<readonly [string, string]> => [...new URLSearchParams(form)]

/** The program that makes a call; `curl` needs requests that were sent. */
export const programOf = (call: CallRecord, language: Exclude<keyof typeof tabs, "wire">): string => {
  const isSignIn = call.operation === "session.exchange"
  if (language === "promise") {
    return isSignIn ? signInPromise : promiseOf(printed(call))
  }
  if (language === "effect") {
    return isSignIn ? signInEffect : effectOf(printed(call))
  }
  const credential = isSignIn ? undefined : credentialOf(call)
  const programs = new Set(call.exchanges.map((exchange) => curlOf(exchange, credential)))
  return programs.size === 0 ? "# Nothing was sent." : [...programs].join("\n\n")
}

/** Why the programs of a call have a different credential from the one that Explore sent. */
export const credentialNote = (call: CallRecord): string => {
  const [exchange] = call.exchanges
  if (exchange === undefined || call.operation === "session.exchange") {
    return ""
  }
  const needed = credentialOf(call)
  const sent = "authorization" in exchange.headers ? "accessToken" : "clientId"
  if (sent === needed) {
    return ""
  }
  return needed === "clientId"
    ? "Explore sends its access token while you are signed in. This call needs only a client ID."
    : "Explore sent a client ID, because you were signed out. The user's own status needs an access token."
}

export const useInspector = (session: Session) => {
  const chosen = ref<number>()
  const tab = ref<keyof typeof tabs>("wire")
  const copied = ref("")
  /** The one that was chosen, by the reader or because it is new. */
  const call = computed(() => session.calls.find(({ id }) => id === chosen.value) ?? session.calls[0])
  const program = computed(() =>
    call.value === undefined || tab.value === "wire" ? "" : programOf(call.value, tab.value)
  )
  // A new call is shown at once; of several, the first: what a view shows, and not what is beside it.
  watch(
    () => session.calls[0]?.id,
    (_, last = 0) => {
      chosen.value = session.calls.findLast(({ id }) => id > last)?.id
    },
    { immediate: true }
  )
  watch(program, () => {
    copied.value = ""
  })
  const copy = async (): Promise<void> => {
    copied.value = await navigator.clipboard.writeText(program.value).then(
      () => "Copied.",
      () => "The browser does not allow it: select the text."
    )
  }
  const note = computed(() => (call.value === undefined ? "" : credentialNote(call.value)))
  return { call, chosen, copied, copy, note, program, tab }
}
