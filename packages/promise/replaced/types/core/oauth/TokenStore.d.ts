/** A store that the package has made, for example of a file. */
export interface TokenStoreService {
  readonly [made]: true
}
declare const made: unique symbol
