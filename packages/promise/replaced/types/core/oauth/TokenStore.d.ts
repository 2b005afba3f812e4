/** A store that the package has made, for example of a file. `Scope` says who can share it. */
export interface TokenStoreService<Scope extends "process" | "processes" = "process" | "processes"> {
  readonly [made]: Scope
}
declare const made: unique symbol
