// What the inspector shows of a call.
import { computed, ref } from "vue"
import { credentialOf, curlOf, effectOf, promiseOf, signInEffect, signInPromise } from "./code.js"
import type { Explore } from "./explore.js"
import { type CallRecord, type Exchange, printed } from "./session.js"

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
export const outcomeOf = ({ attempt, attempts, duration, outcome = "in flight", status }: Exchange): string => {
  const parts = attempts === 1 ? [] : [`attempt ${attempt} of ${attempts}`]
  parts.push(status === undefined ? "no status" : `status ${status}`)
  if (outcome !== String(status)) {
    parts.push(outcome)
  }
  if (duration !== undefined) {
    parts.push(`${duration} ms`)
  }
  return parts.join(" · ")
}

/** The operation of a call, without what collects a whole list. */
export const nameOf = ({ operation }: Pick<CallRecord, "operation">): string => operation.replace(".collect", "")

/** What an exchange sends: its path, and the parameters of its query and of its form, decoded. */
export const requestOf = ({ form, url }: Exchange) => {
  const { pathname, searchParams } = new URL(url)
  return { path: pathname, query: [...searchParams], form: [...new URLSearchParams(form)] }
}

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

/** What the programs of a call lack of what the inspector shows. */
const faultNote = ({ hasFault }: CallRecord): string =>
  hasFault ? "The fault is not part of the program, which calls the service without it." : ""

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

export const useInspector = ({ inspected }: Explore) => {
  const tab = ref<keyof typeof tabs>("wire")
  const call = computed(inspected)
  const program = computed(() =>
    call.value === undefined || tab.value === "wire" ? "" : programOf(call.value, tab.value)
  )
  const note = computed(() => {
    const { value } = call
    return value === undefined ? "" : `${credentialNote(value)} ${faultNote(value)}`.trim()
  })
  return { call, note, program, tab }
}
