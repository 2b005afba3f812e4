/**
 * The transport of a promise client, from its options.
 */
import * as Layer from "effect/Layer"
import * as Client from "../../platform/httpClient.js"
import { overFetch } from "../../platform/fetch.js"
import type { CatalogOptions, TransportOptions } from "../../PromiseCatalog.js"
import { isPresent } from "../common/values.js"
import { logging } from "./log.js"

/**
 * `globalThis.fetch` is read on each call, because a page can replace it.
 *
 * @public for catalog-client
 */
export const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

/** The Layer of the options, or a Layer over their `fetch` or the platform's. */
const transportLayer = ({ fetch, transport }: TransportOptions, where: string): Layer.Layer<Client.HttpClient> => {
  if (fetch && transport) {
    throw new TypeError(`${where} takes a transport or a fetch, not both`)
  }
  if (Layer.isLayer(transport)) {
    return transport
  }
  const given = fetch ?? "global"
  const send = given === "global" ? platformFetch : given
  if (isPresent(transport) || typeof send !== "function") {
    throw new TypeError(`${where}: transport must be a Layer, and fetch a function like the web's fetch, or "global"`)
  }
  return Layer.succeed(Client.HttpClient, overFetch(send))
}

/** The transport of the options, with its loggers. `where` names the function that takes the options. */
export const transportOf = (
  options: TransportOptions & Pick<CatalogOptions, "logger" | "logLevel">,
  where: string
): Layer.Layer<Client.HttpClient> => Layer.provideMerge(logging(options, where), transportLayer(options, where))
