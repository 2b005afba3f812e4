// A service in the page, a catalog over it, and a record of every call with what goes over the wire.
import { createCatalog, type CredentialSource, type Hooks, isCancelled } from "catalog-client"
import { createSession, type AuthorizationRequest } from "catalog-client/oauth"
import { EmbeddedCatalog } from "catalog-client/testing"
import { type Reactive, reactive, shallowRef } from "vue"
import { type InputsOf, invoke, type OperationName, type ReplyOf } from "./calls.js"
import { type CallToPrint, withoutCredentials } from "./code.js"
import { shownError, type ShownError } from "./errors.js"
import { makeFaults, makePolicies, type PolicyName, policyOptions, tokens } from "./faults.js"

/** A request and its response. */
export interface Exchange {
  /** 1 for the first attempt of a request. */
  readonly attempt: number
  readonly attempts: number
  readonly method: string
  readonly url: string
  headers: Readonly<Record<string, string>>
  form: string | undefined
  /** `Success`, a status, the reason of an error, or `Interrupted`; `undefined` until it has ended. */
  outcome: string | undefined
  status: number | undefined
  /** Milliseconds. */
  duration: number | undefined
  /** The text of the response, as far as it came. */
  body: string | undefined
}

/** A call, and what became of it. */
export interface CallRecord {
  readonly id: number
  readonly operation: OperationName | "session.exchange"
  readonly inputs: ReadonlyArray<unknown>
  readonly policies: ReadonlyArray<PolicyName>
  /** Whether the service had a fault when it began. */
  readonly hasFault: boolean
  readonly exchanges: Array<Exchange>
  /** What policies did, in words. */
  readonly notes: Array<string>
  state: "pending" | "done" | "failed" | "cancelled"
  error: ShownError | undefined
  /** Milliseconds. */
  duration: number | undefined
  /** Makes the same call, and its view shows the reply; a sign-in cannot be repeated. */
  readonly again: Again | undefined
}

/** How a call is made: its timeout is in milliseconds. */
export interface Making {
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
}

export type Again = (making?: Making) => Promise<void>

/** The clock of the service: its dates are those of its data. */
const now = Date.UTC(2026, 2, 1)

/** How many calls are remembered. */
const remembered = 40

const owner = "sample_reader"

/** A form that redeems a code, or the tokens in reply. */
const withoutSecrets = (text: string): string =>
  text.replaceAll(/\b(client_id|code|code_verifier|access_token|refresh_token)(=|":\s*")[^&"]+/g, "$1$2<redacted>")

/** What is not known of an exchange before its response. */
const unsent = {
  headers: {},
  form: undefined,
  outcome: undefined,
  status: undefined,
  duration: undefined,
  body: undefined
}

/** A call as its programs are printed. */
export const printed = ({ inputs, operation, policies }: CallRecord): CallToPrint => ({
  operation,
  inputs,
  policies: policies.map((name) => [name, policyOptions[name]])
})

/** Whether the error of a call was the outcome of an exchange, its own or a shared one. */
const wasSent = (error: ShownError | undefined): boolean =>
  (error?.name === "ClientRestError" || error?.name === "ClientNetworkError") &&
  !["Cancelled", "CircuitOpen"].includes(String(error.members["reason"]))

/** A number of things, in words: `1 topic`, `2 topics`. */
export const quantity = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** How much of a list is shown, in words: `The first 10 titles.`, or `7 titles.` if these are all. */
export const shownOf = (count: number, hasMore: boolean, one: string, many?: string): string =>
  `${hasMore ? "The first " : ""}${quantity(count, one, many)}.`

/** How often a call was sent. */
export const exchangesOf = ({ error, exchanges, state }: CallRecord): string => {
  if (exchanges.length > 0) {
    return quantity(exchanges.length, "exchange")
  }
  if (state === "pending") {
    return "not sent yet"
  }
  return state === "done" || wasSent(error) ? "0 exchanges: shared another call's" : "0 exchanges: not sent"
}

/**
 * Makes a session: nothing of it is shared with another one.
 *
 * @param latency of the service, in milliseconds
 */
export const makeSession = (latency: number) => {
  const faults = makeFaults()
  const policies = makePolicies()
  const { dispose, handler } = EmbeddedCatalog.toWebHandler({
    now: () => now,
    latency,
    tokens: { [tokens.first]: owner, [tokens.renewed]: owner },
    oauth: { consent: "page" },
    faults: faults.list
  })
  const calls = reactive<Array<CallRecord>>([])
  const controllers = new Map<number, AbortController>()
  /** Exchanges that a hook has announced and that `fetch` has not begun. */
  const announced: Array<Exchange> = []
  let lastId = 0

  /** Sends a request, and shows what goes over the wire. */
  const send = async (exchange: Exchange, request: Request, shown = (text: string) => text): Promise<Response> => {
    exchange.headers = withoutCredentials(request.headers)
    if (request.method !== "GET") {
      exchange.form = shown(await request.clone().text())
    }
    const response = await handler(request)
    exchange.status = response.status
    response
      .clone()
      .text()
      .then(
        (text) => (exchange.body = shown(text)),
        () => {}
      )
    return response
  }

  const fetch = async (url: URL, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    // Hooks have the URL as it was written; a URL object escapes an apostrophe.
    const at = announced.findIndex(
      (exchange) => new URL(exchange.url).href === url.href && exchange.method === request.method
    )
    const [exchange] = announced.splice(at, at < 0 ? 0 : 1)
    return exchange === undefined ? handler(request) : send(exchange, request)
  }

  /** The exchange of a code that is in flight. */
  let redeeming: CallRecord | undefined

  /** The session's requests: those for tokens. */
  const fetchTokens = async (url: URL, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    const begun = performance.now()
    const exchange: Exchange = reactive({ ...unsent, attempt: 1, attempts: 1, method: request.method, url: url.href })
    redeeming?.exchanges.push(exchange)
    const response = await send(exchange, request, withoutSecrets)
    exchange.outcome = response.ok ? "Success" : String(response.status)
    exchange.duration = Math.round(performance.now() - begun)
    return response
  }

  const catalog = createCatalog({ fetch, accessToken: tokens.first, logLevel: "none" })
  const clientId = "embedded-client"
  const oauth = createSession({ clientId, redirectUri: "http://localhost:8080/callback", fetch: fetchTokens })

  /** The user who is signed in: another object after each sign-in. */
  const account = shallowRef<{ readonly user: string } | undefined>({ user: owner })

  /** Takes the token of the user. Without one, calls name the client, which is enough for public data. */
  const authorize = (accessToken: CredentialSource | undefined): void => {
    catalog.accessToken = accessToken
    catalog.clientId = accessToken === undefined ? clientId : undefined
  }

  const hooksOf = (call: Reactive<CallRecord>): Hooks => {
    /** Several at once where a list reads its next page early. */
    const open = new Map<string, Exchange>()
    const keyOf = ({ attempt, url }: { readonly attempt: number; readonly url: string }) => `${attempt} ${url}`
    return {
      onRequest: (event) => {
        const { attempt, method, url } = event
        const attempts = call.policies.includes("retry") ? policyOptions.retry.attempts : 1
        const exchange: Exchange = reactive({ ...unsent, attempt, attempts, method, url })
        call.exchanges.push(exchange)
        announced.push(exchange)
        open.set(keyOf(event), exchange)
      },
      onResponse: (event) => {
        const { durationMs, outcome } = event
        const exchange = open.get(keyOf(event))
        if (exchange === undefined) {
          return
        }
        exchange.outcome = outcome
        exchange.duration = Math.round(durationMs)
        if (announced.includes(exchange)) {
          announced.splice(announced.indexOf(exchange), 1)
        }
      },
      onRetry: ({ attempt, delay }) => call.notes.push(`retry: attempt ${attempt} after ${Math.round(delay)} ms`),
      onWait: ({ delay, policy }) => call.notes.push(`${policy}: waits ${Math.round(delay)} ms`)
    }
  }

  /** Records a call while it runs. It is rejected as the call is. */
  const recorded = async <A>(
    about: Pick<CallRecord, "again" | "inputs" | "operation" | "policies">,
    run: (record: Reactive<CallRecord>, signal: AbortSignal) => Promise<A>,
    signal?: AbortSignal
  ): Promise<A> => {
    const id = ++lastId
    const record: Reactive<CallRecord> = reactive({
      ...about,
      id,
      hasFault: faults.state.left > 0,
      exchanges: [],
      notes: [],
      state: "pending",
      error: undefined,
      duration: undefined
    })
    calls.unshift(record)
    calls.splice(remembered)
    const controller = new AbortController()
    controllers.set(id, controller)
    signal?.addEventListener("abort", () => controller.abort(signal.reason), { once: true })
    const begun = performance.now()
    try {
      const reply = await run(record, controller.signal)
      record.state = "done"
      return reply
    } catch (error) {
      record.state = isCancelled(error) ? "cancelled" : "failed"
      record.error = shownError(error)
      throw error
    } finally {
      record.duration = Math.round(performance.now() - begun)
      controllers.delete(id)
    }
  }

  /** Makes a call, and records it. It is rejected as the catalog's own. */
  const call = <N extends OperationName>(
    operation: N,
    inputs: InputsOf<N>,
    { signal, timeout }: Making = {},
    again: Again = async (making) => void (await call(operation, inputs, making, again))
  ): Promise<ReplyOf<N>> =>
    recorded(
      { operation, inputs, policies: policies.names(), again },
      (record, signal) => {
        const view = catalog.withOptions({
          hooks: hooksOf(record),
          policies: policies.values(),
          signal,
          ...(timeout !== undefined && { timeout })
        })
        return invoke(view, operation, inputs)
      },
      signal
    )

  /** Redeems the code of a redirect, and takes the token, unless it is not wanted by then. */
  const exchange = async (request: AuthorizationRequest, url: string, isWanted: () => boolean): Promise<void> => {
    const about = { operation: "session.exchange", inputs: [], policies: [], again: undefined } as const
    const redeemed = await recorded(about, (record) => {
      redeeming = record
      return oauth.exchange(request, url)
    })
    if (!isWanted()) {
      await oauth.signOut()
    } else if (redeemed !== undefined) {
      authorize(redeemed.accessToken)
      account.value = { user: owner }
    }
  }

  return {
    calls,
    call,
    faults,
    policies,
    account,
    authorizationRequest: (): Promise<AuthorizationRequest> => oauth.authorizationRequest(),
    exchange,
    signOut: async (): Promise<void> => {
      await oauth.signOut()
      authorize(undefined)
      account.value = undefined
    },
    /** Sends a request to the service as a browser does that follows no redirects. */
    visit: (url: string, form?: URLSearchParams): Promise<Response> =>
      handler(new Request(url, form === undefined ? {} : { method: "POST", body: form })),
    /** Cancels a call that is in flight. */
    cancel: (id: number): void =>
      controllers.get(id)?.abort(new DOMException("It was cancelled in the inspector.", "AbortError")),
    /** Takes the first token, or the one that replaces it. */
    sendToken: (name: keyof typeof tokens): void => authorize(tokens[name]),
    close: async (): Promise<void> => {
      await oauth.close()
      await catalog.close()
      await dispose()
    }
  }
}

export type Session = ReturnType<typeof makeSession>
