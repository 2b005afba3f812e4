/**
 * The messages of the four errors: what happened, to which operation, and what to do.
 */
import type {
  AttemptError,
  ClientAuthError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "../../CatalogError.js"
import { show } from "../common/mistakes.js"
import { isTemporaryStatus, refusedInput, unknownClientId } from "../common/statuses.js"

/** What to do about a credential that cannot be sent in a header. */
export const lookInCredential = (found: string): string => ` It contains ${found}. Copy it again.`

const seePage = (page: string): string => ` See https://catalog-client.github.io/catalog-client/${page}`

/** The end of a message: the short URL of a page that says more. */
const see = (section: string | number): string => seePage(`e/${String(section).toLowerCase()}`)

const giveToken = "pass one as accessToken, for example from CATALOG_ACCESS_TOKEN"

const again = "Start a new sign-in"

const unavailable = "could not obtain its credentials"

const authFailures = /*#__PURE__*/ (() =>
  ({
    Missing: `needs an access token and none is configured (or it is empty): ${giveToken}`,
    Unusable: "needs an access token, and the one that is configured cannot be sent in a header",
    SignedOut: "needs a signed-in user, and the session has none. Sign in again",
    Denied: `received no code: the user denied access. ${again}`,
    State: `rejected a redirect that belongs to no pending sign-in. ${again}`,
    Callback: `received a redirect without a usable code. ${again}`,
    CredentialsUnavailable: unavailable
  }) as const)()

/** The end of a sentence: the cause, if there is one. */
const because = (cause: ClientNetworkError["cause"], isProgramsOwn = false): string => {
  if (cause === undefined) {
    return "."
  }
  const { code, message, name } = cause
  const said = message.trim() || code || name
  // A program's own error may say nothing but its name.
  const named = isProgramsOwn && name !== said && !name.endsWith("Error") ? `${name}: ` : ""
  return `: ${named}${said}.`.replace(/\.\.$/, ".")
}

export const authMessage = (error: ClientAuthError): string => {
  const found = error.found === undefined ? "" : lookInCredential(error.found)
  const said =
    error.serviceMessage === undefined ? "" : ` The service said: ${error.serviceMessage.replace(/[^.!?]$/, "$&.")}`
  const only = error.expected === undefined ? "" : `reads only ${error.expected}. It `
  return `${error.operation} ${only}${authFailures[error.reason]}${because(error.cause, true)}${found}${said}${see(error.reason)}`
}

const brokenRules = {
  EmptyKeyword: "is missing or empty. Pass a keyword to search for",
  NothingToChange: "contains no list-status field to change. Set at least one",
  EmptyUsername: 'is missing or empty. Pass a user\'s name, or "@me" for the owner of the access token'
} as const

export const validationMessage = ({ expected, field, ignored, operation, reason }: ClientValidationError): string => {
  const example = expected === undefined ? "" : `, for example ${expected}`
  const unknown = ignored === undefined ? "" : ` There is no input ${show(ignored)}.`
  return `${operation} was not sent: "${field}" ${brokenRules[reason]}${example}.${unknown}${see(reason)}`
}

/** CORS affects only pages. */
const cors = (address: string): string =>
  "document" in globalThis
    ? ` If the service does not allow the page's origin (CORS), set ${address} to the address of a proxy.`
    : ""

/** The option that contains the address of the service. */
const addressOption = ({ about }: AttemptError): string => (about === "tokens" ? "the profile's tokenUrl" : "baseUrl")

/** What to do about a status, by section of the page; other statuses use the section of their class. */
const advices: { readonly [section: string | number]: (error: ClientRestError) => string } = {
  "3xx": (error) => `Redirects are not followed. Check ${addressOption(error)}.`,
  400: () => "The service rejected an input: see the operation's page.",
  401: () => "The access token is invalid or has expired: obtain a new one, or refresh it.",
  403: ({ url }) =>
    url.includes("list?")
      ? "The list is private, or there were too many requests: wait before you send another."
      : "Too many requests: wait before you send another.",
  404: (error) => `Check ${addressOption(error)}: its server or path is wrong.`,
  405: () => `A proxy or firewall refuses the method.${cors("baseUrl")}`,
  429: () => "Too many requests: wait before you send another."
}

const otherAdvice = (error: ClientRestError): string => `Check the inputs and ${addressOption(error)}.`

/** What to do about a failure that passes by itself. */
const adviceToWait: typeof advices = {
  "3xx": (error) => `Redirects are not followed. Check ${addressOption(error)}, or try again later.`,
  "5xx": () => "The service is failing: try again later."
}

/** What to do if the service does not respond in time without some inputs. */
const passBound = (expected: string): string => `Pass ${expected}: without one, the service does not respond in time.`

const sectionOf = (status: number): string | number =>
  status in advices ? status : status < 400 ? "3xx" : status < 500 && !isTemporaryStatus(status) ? "4xx" : "5xx"

const isRefusedSignIn = ({ about, status }: ClientRestError): boolean =>
  about === "tokens" && (status === 400 || status === 401)

/** What to do if the service names the input that it refuses; else "". */
const inputAdvice = ({ expected, serviceMessage }: ClientRestError): string => {
  const input = refusedInput(serviceMessage)
  return expected !== undefined ? `Pass ${expected}.` : input ? `Check ${input}.` : ""
}

const advice = (error: ClientRestError): string => {
  const { credentialSent, expected, serviceMessage, status } = error
  if (credentialSent === false) {
    return status === 401
      ? `No access token is configured: ${giveToken}.`
      : "Neither a client ID nor an access token was sent: pass clientId or accessToken, for example from CATALOG_CLIENT_ID."
  }
  if (isRefusedSignIn(error)) {
    return "Check clientId, clientSecret and redirectUri, and let the user sign in again."
  }
  if (status === 400 && serviceMessage === unknownClientId) {
    return "Check clientId: the service does not know it."
  }
  if (status === 504 && expected !== undefined) {
    return passBound(expected)
  }
  if (status === 404 && expected !== undefined) {
    return `There is no such ${expected}, or the path of baseUrl is wrong.`
  }
  const hidden = status === 0 ? "A browser hides where a redirect leads. " : ""
  const section = sectionOf(status)
  const todo = (isTemporaryStatus(status) && adviceToWait[section]) || (advices[section] ?? otherAdvice)
  return `${hidden}${todo(error)}${status > 499 ? ifWritten(error) : ""}`
}

/** The number of the attempt that failed, if it was not the first. */
const onAttempt = ({ attempts }: AttemptError): string => (attempts > 1 ? ` on attempt ${attempts}` : "")

/** A warning that a write may have been carried out. A request for tokens can be repeated. */
const ifWritten = ({ about, attempts, method }: AttemptError): string =>
  attempts > 0 && method !== "GET" && about !== "tokens"
    ? " The write may have been carried out: check before you repeat it."
    : ""

export const restMessage = (error: ClientRestError): string => {
  const { operation, expected, retryAfter } = error
  const what = `${operation} failed${onAttempt(error)}: ${error.method} ${error.url} returned ${error.status}`
  if (error.reason === "InvalidBody") {
    const path = error.path?.join(".") ?? ""
    const type = expected === undefined ? error.headers?.["content-type"] : undefined
    // Bytes that are not UTF-8 were decoded to U+FFFD.
    const isBinary = typeof error.body === "string" && /^.{0,20}\ufffd/s.test(error.body)
    const about = isBinary
      ? `compressed or binary, content-encoding: ${error.headers?.["content-encoding"] ?? "none"}`
      : type
    const at = path !== "" ? ` (at ${path})` : about === undefined ? "" : ` (${about})`
    const why = expected === undefined ? "" : `: expected ${expected}, found ${error.found}`
    const todo = path.startsWith("paging.")
      ? "Continue with an offset"
      : `Check ${addressOption(error)}, or update the client`
    const isEmpty = error.body === "" && expected === undefined
    return `${what} with ${isEmpty ? "an empty body" : "a body that is not the operation's reply"}${at}${why}. ${todo}.${see(error.reason)}`
  }
  const said = [error.code, error.serviceMessage].filter((text) => text !== undefined).join(": ")
  const wait = retryAfter === undefined ? "" : ` Retry after ${Math.ceil(retryAfter / 1000)} s.`
  const input = error.status === 400 && error.about === undefined ? inputAdvice(error) : ""
  const section = isRefusedSignIn(error) ? "sign-in-refused" : `status-${sectionOf(error.status)}`
  // Only the client's own operations have a page.
  const [, documented] = (input && operation.split("catalog.")) || []
  const more = documented ? seePage(`operations/${documented}`) : see(section)
  return `${what}${said && ` (${said})`}. ${input || advice(error)}${wait}${more}`
}

/** A warning that a write may have been carried out, unless nothing received it. */
const ifSent = (error: ClientNetworkError): string =>
  /^E(CONNREFUSED|NOTFOUND)$/.test(error.cause?.code ?? "") ? "" : ifWritten(error)

const ifSlow = ({ attempts, cause, expected }: ClientNetworkError): string => {
  // Only totalTimeout ends a call that has sent nothing and fails without a cause.
  if (attempts === 0 && cause === undefined) {
    return " Make fewer calls at once, or raise totalTimeout."
  }
  return expected === undefined
    ? " Try again, or raise timeout (for one request) or totalTimeout (for the whole call)."
    : ` ${passBound(expected)}`
}

const checkNetwork = (error: ClientNetworkError): string => {
  const { code, name } = error.cause ?? {}
  const address = addressOption(error)
  // A recorder that replays uses no network, and a program's own transport may have failed before it used the network.
  return name === "RecordingError" || code === "ERR_INVALID_TRANSPORT"
    ? ""
    : ` Check the network and ${address}.${code === undefined ? cors(address) : ""}`
}

type Todo = (error: ClientNetworkError) => string

/** What happened, what to do, and why a call was not sent. */
type Failure = readonly [did: string, todo?: Todo | undefined, whyNotSent?: string]

const failures: { readonly [Reason in ClientNetworkError["reason"]]: Failure } = {
  Timeout: ["timed out", (error) => ifSent(error) || ifSlow(error)],
  Cancelled: ["was cancelled", ifSent],
  Transport: ["received no complete response", (error) => ifSent(error) + checkNetwork(error)],
  ResponseTooLarge: [
    "received a response that is too large",
    // A larger limit does not help if the body is too long for a string.
    ({ cause }) =>
      ` Request fewer entries or fields${cause?.code === "ERR_STRING_TOO_LONG" ? "." : ", or raise maxResponseBytes."}`
  ],
  CircuitOpen: ["was not sent", ifSent, "the circuit breaker is open"],
  RateLimitStore: ["was not sent", undefined, "the rate limit's store failed"],
  Policy: ["was refused by a policy"],
  CredentialsUnavailable: [unavailable]
}

const failureOf = ({ about, reason }: ClientNetworkError): Failure => {
  if (about === "login") {
    return ["did not finish"]
  }
  // The store of a session failed outside of any call.
  return about === "session" && reason === "CredentialsUnavailable"
    ? ["failed", () => " Call it again."]
    : failures[reason]
}

/** What happened, and when. */
const happened = ([did, , whyNotSent]: Failure, error: ClientNetworkError): string => {
  const { attempts, reason, timeoutMs } = error
  if (whyNotSent !== undefined) {
    return `${did}${attempts > 0 ? " again" : ""}, because ${whyNotSent}`
  }
  const after = timeoutMs === undefined ? "" : ` after ${timeoutMs} ms`
  const before = attempts === 0 && /^(Timeout|Cancelled)$/.test(reason) ? " before it sent a request" : ""
  return did + after + onAttempt(error) + before
}

export const networkMessage = (error: ClientNetworkError): string => {
  const { cause, method, operation, reason, url } = error
  const failure = failureOf(error)
  const [, todo] = failure
  // Before it has its credentials, a call has nothing to send.
  const sentTo = reason === "CredentialsUnavailable" ? "" : ` (${method} ${url})`
  const isProgramsOwn = reason === "Policy" || reason === "CredentialsUnavailable"
  return `${operation} ${happened(failure, error)}${sentTo}${because(cause, isProgramsOwn)}${todo?.(error) ?? ""}${see(reason)}`
}
