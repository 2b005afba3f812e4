/**
 * Redeems the code of a redirect for tokens, once: a page that is loaded again brings the same redirect.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ClientAuthError, Credentials } from "@catalog-client/core"
import { type AttemptError, CatalogConfigTag, CredentialsTag, reveal } from "@catalog-client/core/internal"
import type { PendingAuthorization } from "../PendingAuthorization.js"
import type { Tokens } from "../Tokens.js"
import { authorizationResponse } from "./authorization.js"
import { type CheckedClient, checkPending } from "./checkClient.js"
import type { SessionEnvironment } from "./environment.js"
import { exchangeCode } from "./request.js"
import type { SharedWork } from "./sharedWork.js"

/** The maximum number of redirects that are remembered. */
const maxUsed = 64

export class Redemption {
  /** The `state` parameters of the last redirects that were used. */
  readonly #used: Array<string> = []

  constructor(
    private readonly environment: SessionEnvironment,
    private readonly client: CheckedClient,
    private readonly shared: SharedWork,
    /** The credentials of the session: its access token is redacted in errors. */
    private readonly credentials: Credentials.Service
  ) {}

  /** Redeems the code of a redirect, and passes the tokens on. `None` for a redirect that was already used. */
  redeem(
    pending: PendingAuthorization,
    url: string | URL,
    accept: (tokens: Tokens) => Effect.Effect<void>
  ): Effect.Effect<Option.Option<Tokens>, ClientAuthError | AttemptError> {
    return Effect.suspend(() => {
      const { calledAs, settings } = this.environment
      const state = reveal(checkPending(pending, `${calledAs}.exchange`).state)
      // The configuration is that of the session, not of the caller.
      const response = Effect.provideService(authorizationResponse(pending, url), CatalogConfigTag, settings)
      return Effect.gen(this, function* () {
        // A redirect from another sign-in must not consume this one.
        const code = yield* Effect.catchAll(response, (error) =>
          error.reason === "Denied" && !this.#markUsed(state) ? Effect.succeed(undefined) : Effect.fail(error)
        )
        if (code === undefined || !this.#markUsed(state)) {
          return Option.none()
        }
        const exchanged = exchangeCode(this.client, pending, code).pipe(
          Effect.provideService(CredentialsTag, this.credentials),
          Effect.tap(accept)
        )
        return Option.some(yield* this.shared.share(`exchange ${state}`, exchanged))
      })
    })
  }

  /** Marks a redirect as used; returns whether it was new. */
  #markUsed(state: string): boolean {
    if (this.#used.includes(state)) {
      return false
    }
    this.#used.push(state)
    this.#used.splice(0, this.#used.length - maxUsed)
    return true
  }
}
