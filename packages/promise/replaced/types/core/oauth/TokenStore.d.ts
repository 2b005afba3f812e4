/** The stored value cannot be read as tokens. The error contains nothing of that value. */
export declare class UnreadableTokens extends Error {
  readonly _tag: "UnreadableTokens"
  /** `Corrupt`: it was not written by `TokenStore.encode`. `Version`: it has a format version that this library does not know. */
  readonly reason: "Corrupt" | "Version"
}

/** Functions that store one string; each can return a promise. */
export interface TextStore {
  /** `null` and `undefined` mean that nothing is stored. */
  readonly get: () => string | null | undefined | Promise<string | null | undefined>
  readonly set: (text: string) => unknown
  readonly remove: () => unknown
}

/** A store that the package has made, for example of a file. */
export interface TokenStoreService {
  readonly [made]: true
}
declare const made: unique symbol

/** Options of a key-value store. */
export interface KeyValueOptions {
  /** The key of the tokens: `catalog-client.tokens` by default. Use one for each user and client. */
  readonly key?: string | undefined
}
