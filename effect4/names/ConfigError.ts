/** `effect/ConfigError` of Effect 3. */
export type { ConfigError } from "effect/Config"
