/**
 * Options of a catalog from the environment.
 *
 * @since 0.2.0
 */
import * as Redacted from "effect/Redacted"
import { forCall, mistake } from "#core/internal/common/mistakes.js"
import { checkObject } from "#core/internal/common/options.js"
import { urlIn } from "#core/internal/common/values.js"
import {
  baseUrlOf,
  initialSettings,
  mergeOptions,
  profileAt,
  type SignInUrls
} from "#core/internal/settings/settings.js"
import type { CatalogOptions } from "./CatalogOptions.js"

interface Found extends Pick<CatalogOptions, "clientId" | "accessToken" | "baseUrl">, SignInUrls {}

/** Reads variables that are set, and makes an option of each. */
export const readVariables = <O extends object>(
  calledAs: string,
  given: object | undefined,
  optionOf: { readonly [variable: string]: (text: string, at: string) => O }
): O => {
  const { process } = globalThis as { readonly process?: { readonly env?: object } }
  const variables = given ?? process?.env
  if (variables === undefined) {
    const [example] = Object.keys(optionOf)
    throw mistake(
      `${calledAs}: there is no environment here. Pass an object that has the variables: ${calledAs}({ ${example}: … })`
    )
  }
  if (given !== undefined) {
    checkObject(calledAs, given)
  }
  const options: object = {}
  for (const [name, make] of Object.entries(optionOf)) {
    const at = `${calledAs}: ${name}`
    // Deno asks for a permission, and throws without it.
    const text: unknown = forCall(at, () => (variables as { readonly [name: string]: unknown })[name])
    if (text !== undefined && typeof text !== "string") {
      throw mistake(`${at} must be a string`)
    }
    Object.assign(options, text !== undefined && make(text, at))
  }
  return options as O
}

/**
 * Reads the options of a catalog from the environment of Node, Bun or Deno: `CATALOG_CLIENT_ID`, `CATALOG_ACCESS_TOKEN` and
 * `CATALOG_BASE_URL`. One that is not set is left out. Elsewhere, as in Cloudflare Workers, pass an object that has them:
 * `env`.
 *
 * If `CATALOG_AUTHORIZE_URL` or `CATALOG_TOKEN_URL` is set, `profile` is a service whose users sign in there. So a program
 * can sign in to the service of `catalog-embedded`, which prints these variables.
 *
 * Throws a `TypeError` that names the variable if its value is not valid, and one where there is no environment.
 *
 * @example
 * ```ts
 * import { createCatalog, fromEnvironment, Resilience } from "catalog-client"
 *
 * export const catalog = createCatalog({ ...fromEnvironment(), policies: [Resilience.retry()] })
 * ```
 */
export const fromEnvironment = (
  env?: object
): Pick<CatalogOptions, "clientId" | "accessToken" | "baseUrl" | "profile"> => {
  const checked = (url: string, at: string): string => {
    if (urlIn(url) === undefined) {
      throw mistake(`${at} must be an absolute URL`)
    }
    return url
  }
  const { authorizeUrl, tokenUrl, ...options } = readVariables<Found>("fromEnvironment", env, {
    CATALOG_CLIENT_ID: (id) => ({ clientId: Redacted.make(id) }),
    CATALOG_ACCESS_TOKEN: (token) => ({ accessToken: Redacted.make(token) }),
    CATALOG_BASE_URL: (baseUrl, at) => {
      forCall(at, () => baseUrlOf(mergeOptions(initialSettings, { baseUrl })))
      return { baseUrl }
    },
    CATALOG_AUTHORIZE_URL: (url, at) => ({ authorizeUrl: checked(url, at) }),
    CATALOG_TOKEN_URL: (url, at) => ({ tokenUrl: checked(url, at) })
  })
  const profile = profileAt(options.baseUrl, { authorizeUrl, tokenUrl })
  return profile === undefined ? options : { ...options, profile }
}
