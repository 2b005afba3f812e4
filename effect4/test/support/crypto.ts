/**
 * The module `effect/Crypto` of Effect 4.0, as far as loading `@effect/platform-node` needs it. Effect 4.1 has it elsewhere.
 */
import * as Context from "effect/Context"

/** A service that no program of a guide uses. */
export interface Crypto {
  readonly digest: unknown
}

export const Crypto = Context.Service<Crypto>("effect/Crypto")

export const make = (crypto: Crypto): Crypto => crypto
