// What can go wrong with the service of the page, and the policies that help.
import { type Policy, Resilience } from "catalog-client"
import type { Fault, ReceivedRequest } from "catalog-client/testing"
import { reactive, shallowReactive } from "vue"

/** The token that the page begins with, and the one that replaces it when it has expired. */
export const tokens = { first: "embedded-token", renewed: "renewed-token" } as const

interface Trouble {
  readonly label: string
  /** What helps. */
  readonly help: string
  /** How many requests it affects. */
  readonly times: number
  readonly fault: Pick<Fault, "status" | "headers" | "body" | "delay" | "bodyDelay" | "drop">
}

/** What the service answers a request with a token that it does not accept any more. */
const refusedToken = {
  status: 401,
  headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  body: { message: "token is invalid", error: "invalid_token" }
}

export const troubles = {
  unavailable: {
    label: "503, twice",
    help: "With retry checked, a call makes up to three attempts. With breaker checked, it fails without a request after two failures.",
    times: 2,
    fault: { status: 503, body: "<h1>503 Service Unavailable</h1>" }
  },
  limited: {
    label: "429 with Retry-After: 1",
    help: "With retry checked, a call waits as long as the service asks, and tries again. With rateLimit checked, all other calls wait, too.",
    times: 1,
    fault: { status: 429, headers: { "retry-after": "1" }, body: { message: "slow down", error: "too_many_requests" } }
  },
  stops: {
    label: "A body that stops halfway",
    help: "A repeated call waits 1500 ms, its timeout, and fails. With retry checked, it makes another attempt. Other calls wait 30 s, the default.",
    times: 1,
    fault: { bodyDelay: Number.POSITIVE_INFINITY }
  },
  html: {
    label: "HTML instead of JSON",
    help: "A retry would not help. With cache checked, a reply that was read before is returned without a request.",
    times: 1,
    fault: { body: "<!doctype html><title>Please wait</title><p>Checking your browser…</p>" }
  },
  slow: {
    label: "A response that takes 2 s",
    help: "A repeated call waits 1500 ms, its timeout, and fails. With retry checked, it makes another attempt.",
    times: 1,
    fault: { delay: "2 seconds" }
  },
  expired: {
    label: "The access token has expired",
    help: "No policy helps, because the same token would be sent again.",
    times: Number.POSITIVE_INFINITY,
    fault: refusedToken
  },
  dropped: {
    label: "A connection that drops",
    help: "With retry checked, a call makes another attempt.",
    times: 1,
    fault: { drop: "before-headers" }
  }
} as const satisfies Record<string, Trouble>

export type TroubleName = keyof typeof troubles

export const troubleNames = Object.keys(troubles) as ReadonlyArray<TroubleName>

/** What is wrong with a service now: one trouble at a time. */
export const makeFaults = () => {
  const state = reactive<{ name: TroubleName | "none"; left: number }>({ name: "none", left: 0 })
  const affects =
    (name: TroubleName) =>
    ({ headers, path }: ReceivedRequest): boolean => {
      // Signing in is not a call.
      if (state.name !== name || state.left === 0 || !path.startsWith("/v2/")) {
        return false
      }
      if (name === "expired" && headers["authorization"] !== `Bearer ${tokens.first}`) {
        return false
      }
      state.left -= 1
      return true
    }
  return {
    state,
    /** The faults of the service, each with a switch. */
    list: troubleNames.map((name): Fault => ({ ...troubles[name].fault, on: affects(name) })),
    /** Lets a trouble begin (again), and ends any other. */
    begin: (name: TroubleName | "none"): void => {
      state.name = name
      state.left = name === "none" ? 0 : troubles[name].times
    }
  }
}

/** The policies that can be switched on, with their options. */
export const policyOptions = {
  cache: { capacity: 100, timeToLive: "1 minute" },
  dedupe: undefined,
  retry: { attempts: 3, timeouts: true, writes: true },
  breaker: { failures: 2, cooldown: "5 seconds" },
  rateLimit: { limit: 2, interval: "1 second" }
} as const

export type PolicyName = keyof typeof policyOptions

export const policyNames = Object.keys(policyOptions) as ReadonlyArray<PolicyName>

/** What each policy does here. */
export const policyHelp: Readonly<Record<PolicyName, string>> = {
  cache: "keeps replies of public reads for a minute; lists and profiles are always requested.",
  dedupe: "lets equal reads that are in flight share one request.",
  retry:
    "repeats an exchange that failed on the network or with a status like 503; it makes up to three attempts in all.",
  breaker: "sends nothing for five seconds after two failures in a row.",
  rateLimit: "sends at most two requests a second; others wait."
}

const make: Readonly<Record<PolicyName, () => Policy>> = {
  cache: () => Resilience.cache(policyOptions.cache),
  dedupe: () => Resilience.dedupe(),
  retry: () => Resilience.retry(policyOptions.retry),
  breaker: () => Resilience.breaker(policyOptions.breaker),
  rateLimit: () => Resilience.rateLimit(policyOptions.rateLimit)
}

/** The policies that are switched on. One that is switched on again begins anew: an empty cache, a closed circuit. */
export const makePolicies = () => {
  const active = shallowReactive(new Map<PolicyName, Policy>())
  return {
    has: (name: PolicyName): boolean => active.has(name),
    set: (name: PolicyName, isOn: boolean): void => {
      if (isOn) {
        active.set(name, make[name]())
      } else {
        active.delete(name)
      }
    },
    names: (): ReadonlyArray<PolicyName> => policyNames.filter((name) => active.has(name)),
    values: (): ReadonlyArray<Policy> => [...active.values()]
  }
}
