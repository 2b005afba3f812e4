/**
 * Reads the options of an OAuth client from Effect's `Config`.
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { type FromConfig, readMembers } from "@catalog-client/core/internal"
import type { OAuthClient } from "../OAuth.js"
import { checkOptions } from "./checkClient.js"

/** Options that are not given are read from the usual variables. */
export const readClient = (
  config: FromConfig<Partial<OAuthClient>>,
  calledAs: string
): Effect.Effect<OAuthClient, ConfigError> => {
  // One option at a time: a dummy `clientId` completes the object.
  const checkOne = (option: unknown) => checkOptions({ clientId: "-", ...(option as Partial<OAuthClient>) }, calledAs)
  const read = Config.isConfig(config)
    ? readMembers(config, (options) => checkOptions(options as OAuthClient, calledAs))
    : readMembers(
        {
          ...config,
          clientId: config.clientId ?? Config.string("CATALOG_CLIENT_ID"),
          clientSecret: config.clientSecret ?? Config.withDefault(Config.redacted("CATALOG_CLIENT_SECRET"), undefined),
          redirectUri: config.redirectUri ?? Config.withDefault(Config.string("CATALOG_REDIRECT_URI"), undefined)
        },
        checkOne,
        ["headers"]
      )
  return Effect.map(read, (options) => options as OAuthClient)
}
