/** The authorization endpoint: a user allows a client access, or denies it. */
import type { OAuthClient, OAuthOptions, ReceivedRequest } from "../../Options.js"
import type { Quirks } from "../../Quirks.js"
import { encodeHex, randomBytes } from "../base64.js"
import { consentPage } from "./consentPage.js"
import { invalidClient, invalidRequest, lastOf, unsupportedGrant, verifierPattern } from "./oauthRequests.js"
import { empty, type ServiceResponse } from "./response.js"
import type { Account } from "./store.js"

/** A registered client, with its identifier. */
export interface Client extends OAuthClient {
  readonly id: string
}

/** The parameters of an authorization. */
interface Authorization {
  readonly client: Client
  /** As the request has it, because the token request has to repeat it. */
  readonly redirectUri: string | undefined
  readonly target: string
  readonly state: string | undefined
  readonly challenge: string
  readonly method: string
}

/** A code that a token request can redeem. */
export interface Code {
  readonly authorization: Authorization
  readonly account: Account
  readonly expiresAt: number
  isSpent: boolean
}

/** The parts of the service that the sign-in uses. */
export interface SignIn {
  readonly clients: ReadonlyMap<string, OAuthClient>
  readonly options: OAuthOptions
  readonly quirks: Quirks
  /** The user who signs in, unless `consent` names another. */
  readonly user: Account | undefined
  readonly accountNamed: (name: string) => Account | undefined
}

export const clientOf = ({ clients }: SignIn, id: string): Client | undefined => {
  const client = clients.get(id)
  return client && { ...client, id }
}

const authorizationOf = (signIn: SignIn, { query }: ReceivedRequest): Authorization => {
  const id = lastOf(query, "client_id")
  if (lastOf(query, "response_type") !== "code") {
    throw unsupportedGrant()
  }
  if (id === undefined) {
    throw invalidRequest("client_id")
  }
  const client = clientOf(signIn, id)
  const redirectUri = lastOf(query, "redirect_uri")
  const [only, another] = client?.redirectUris ?? []
  const target =
    redirectUri === undefined && another === undefined
      ? only
      : client?.redirectUris.find((registered) => registered === redirectUri)
  if (client === undefined || target === undefined) {
    throw invalidClient()
  }
  const challenge = lastOf(query, "code_challenge")
  const method = lastOf(query, "code_challenge_method") ?? "plain"
  const methods = signIn.quirks.s256 === true ? ["plain", "S256"] : ["plain"]
  if (challenge === undefined) {
    throw invalidRequest("code_challenge", "Code challenge must be provided")
  }
  if (!methods.includes(method)) {
    const names = methods.map((name) => `\`${name}\``).join(", ")
    throw invalidRequest("code_challenge_method", `Code challenge method must be one of ${names}`)
  }
  if (!verifierPattern.test(challenge)) {
    throw invalidRequest("code_challenge", "Code challenge must be 43 to 128 unreserved characters")
  }
  return { client, redirectUri, target, state: lastOf(query, "state"), challenge, method }
}

/** What the user decided in the form of the page; `undefined` before that. */
const decisionOf = (request: ReceivedRequest, form: URLSearchParams): "allow" | "deny" | undefined => {
  if (request.method === "GET") {
    return undefined
  }
  const decision = lastOf(form, "decision")
  if (decision !== "allow" && decision !== "deny") {
    throw invalidRequest("decision")
  }
  return decision
}

/** The user who allows the client access; "asked" if the page comes first. */
const consentOf = (
  { accountNamed, options: { consent = "allow" }, user }: SignIn,
  request: ReceivedRequest,
  form: URLSearchParams
): Account | "denied" | "asked" => {
  const answer = typeof consent === "function" ? consent(request) : consent
  const decision = answer === "page" ? decisionOf(request, form) : answer
  if (decision === "deny") {
    return "denied"
  }
  if (decision === undefined) {
    return "asked"
  }
  const account = decision === "allow" ? user : accountNamed(decision)
  if (account !== undefined) {
    return account
  }
  throw new TypeError(
    decision === "allow"
      ? "consent must return the name of a user, because the dataset has none"
      : `consent must be "allow", "deny", "page" or the name of a user of the dataset, but it returned ${JSON.stringify(decision)}`
  )
}

/** A redirect to the client, its URI as it was registered. */
const redirect = (target: string, parameters: Readonly<Record<string, string | undefined>>): ServiceResponse => {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
  const location = `${target}${target.includes("?") ? "&" : "?"}${query}`
  return empty(302, { location, "referrer-policy": "no-referrer" })
}

/** A code with the length and the characters of the live service's codes. */
const newCode = (): string => `def50200${encodeHex(randomBytes(360))}`

/** Responds with a page, or with a redirect to the client; `issue` keeps a code that it has. */
export const authorize = (
  signIn: SignIn,
  request: ReceivedRequest,
  form: URLSearchParams,
  issue: (code: string, granted: Pick<Code, "authorization" | "account">) => void
): ServiceResponse => {
  const authorization = authorizationOf(signIn, request)
  const { client, state, target } = authorization
  const account = consentOf(signIn, request, form)
  if (account === "asked") {
    return consentPage(client.id, signIn.user?.record.name ?? "", target)
  }
  const iss = signIn.quirks.issuer
  if (account === "denied") {
    const message = "The user or the service denied the request."
    return redirect(target, { state, error: "access_denied", message, hint: "The user denied the request", iss })
  }
  const code = newCode()
  issue(code, { authorization, account })
  return redirect(target, { code, state, iss })
}
