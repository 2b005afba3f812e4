/** One instance of the service, with the data that its handlers share; and a request to it. */
import type * as Effect from "effect/Effect"
import type { Quirks } from "../../Quirks.js"
import type { Grants } from "./access.js"
import { anime } from "./anime.js"
import type { Query } from "./requestInputs.js"
import type { Kinds, View } from "./kind.js"
import { manga } from "./manga.js"
import { invalidToken } from "./response.js"
import { parseSelector, type Selection } from "./selector.js"
import type { Account, Store } from "./store.js"

export const kinds: Kinds = { anime, manga }

export interface Service {
  readonly store: Store
  readonly grants: Grants
  readonly quirks: Quirks
  /** Milliseconds since 1970. */
  readonly now: Effect.Effect<number>
}

/** A request with sufficient credentials. */
export interface GrantedRequest<Names extends string = never, Params extends string = never> {
  readonly service: Service
  /** The token's owner. */
  readonly account: Account | undefined
  readonly now: number
  /** The URL that the client used. */
  readonly url: URL
  readonly params: Readonly<Record<Params, string>>
  readonly query: Query<Names>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The account of a request that needs a token. */
export const accountOf = ({ account }: GrantedRequest): Account => {
  if (account === undefined) {
    throw invalidToken()
  }
  return account
}

export const viewOf = ({ account, service }: GrantedRequest, single: boolean): View => ({
  store: service.store,
  kinds,
  viewer: account,
  single
})

export const selectionOf = ({ query }: GrantedRequest<"fields">): Selection | undefined => parseSelector(query.fields)
