/**
 * What a session knows of its store: what it has seen there, and what is still to be written. `sessionStore.ts` reads and writes.
 *
 * If the store has changed since the session last looked, the store wins. Until then the session's own change wins: it is
 * pending until a transaction of the store has written it.
 *
 * | event                                             | pending afterwards | also                                               |
 * | ------------------------------------------------- | ------------------ | -------------------------------------------------- |
 * | `Decided`, by a refresh                           | the decision       |                                                    |
 * | `Decided`, by the user                            | the decision       | the next reading is no news                        |
 * | `Read` finds the pending tokens                   | nothing            |                                                    |
 * | `Read` finds what the session has seen before     | what it was        |                                                    |
 * | `Read` finds news                                 | nothing            | the session adopts it                              |
 * | `Written`                                         | nothing            |                                                    |
 * | `WriteRefused`: the user's decision, up to twice  | the decision       | it is written again, and the reading is no news    |
 * | `WriteFailed`                                     | the decision       | one warning                                        |
 * | `ReadFailed`                                      | what it was        | one warning                                        |
 *
 * A reading that began before the last `Decided`, `Read` or `Written` is ignored.
 */
import * as Redacted from "effect/Redacted"
import type { ClientAuthError } from "@catalog-client/core"
import type { Tokens } from "../Tokens.js"

/** What the session has decided that the store must contain. */
export interface Decision {
  readonly tokens: Tokens | undefined
  /** A sign-in or sign-out, which replaces whatever is stored; a refresh replaces the tokens that it has redeemed. */
  readonly isByUser: boolean
}

export interface StoreState {
  /** Differs after each event that makes an earlier reading obsolete. */
  readonly version: number
  readonly pending: Decision | undefined
  /** The next reading may be older than what the user has decided. */
  readonly ignoresNextReading: boolean
  /** This client's tokens in the store when it was last read or written. */
  readonly seen: Tokens | undefined
  /** When it was last read or written, or could not be read: `-Infinity` if never. */
  readonly seenAt: number
  /** Why the last use of the store failed, if it did. */
  readonly failure: ClientAuthError["cause"]
}

export const unread: StoreState = {
  version: 0,
  pending: undefined,
  ignoresNextReading: false,
  seen: undefined,
  seenAt: -Infinity,
  failure: undefined
}

export type StoreEvent =
  | { readonly type: "Decided"; readonly decision: Decision }
  | { readonly type: "Read"; readonly tokens: Tokens | undefined; readonly at: number }
  | { readonly type: "Written"; readonly decision: Decision; readonly at: number }
  | { readonly type: "WriteRefused" }
  | { readonly type: "WriteFailed"; readonly failure: StoreState["failure"] }
  | { readonly type: "ReadFailed"; readonly failure: StoreState["failure"]; readonly at: number }

/** The strings that identify tokens. */
const secretsOf = (tokens: Tokens | undefined): string =>
  JSON.stringify([tokens?.accessToken, tokens?.refreshToken].map((secret) => secret && Redacted.value(secret)))

/** Whether two values are the same tokens. */
const areSame = (one: Tokens | undefined, other: Tokens | undefined): boolean => secretsOf(one) === secretsOf(other)

/** Whether the store has the pending tokens. */
const isPending = ({ pending }: StoreState, tokens: Tokens | undefined): boolean =>
  pending !== undefined && areSame(tokens, pending.tokens)

/** Whether a reading has found what another session has stored or removed. */
export const isNews = (state: StoreState, tokens: Tokens | undefined): boolean =>
  !isPending(state, tokens) && !state.ignoresNextReading && !areSame(tokens, state.seen)

/** The state after an event, by the table above. */
export const next = (state: StoreState, event: StoreEvent): StoreState => {
  const version = state.version + 1
  switch (event.type) {
    case "Decided": {
      const { decision } = event
      return {
        ...state,
        version,
        pending: decision,
        ignoresNextReading: state.ignoresNextReading || decision.isByUser
      }
    }
    case "Read": {
      const { at, tokens } = event
      const isSettled = isPending(state, tokens) || isNews(state, tokens)
      return {
        version,
        pending: isSettled ? undefined : state.pending,
        ignoresNextReading: false,
        seen: tokens,
        seenAt: at,
        failure: undefined
      }
    }
    case "Written": {
      const { at, decision } = event
      const after = { ...state, version, seenAt: at, failure: undefined }
      // The session can have decided something else meanwhile.
      return state.pending === decision ? { ...after, pending: undefined, seen: decision.tokens } : after
    }
    case "WriteRefused":
      return { ...state, ignoresNextReading: true }
    case "WriteFailed":
      return { ...state, failure: event.failure }
    case "ReadFailed":
      return { ...state, failure: event.failure, seenAt: event.at }
  }
}
