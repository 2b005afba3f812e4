/**
 * The transport of a promise client, from its options.
 */
import * as Layer from "effect/Layer"
import * as Client from "../../platform/httpClient.js"
import { overFetch } from "../../platform/fetch.js"
import type { CatalogOptions, TransportOptions } from "../../PromiseCatalog.js"
import { logging } from "./log.js"

/** The Layer of the options, or one over their `fetch`. */
const transportLayer = ({ fetch, transport }: TransportOptions, where: string): Layer.Layer<Client.HttpClient> => {
  if (fetch && transport) {
    throw new TypeError(`${where} takes a transport or a fetch, not both`)
  }
  if (typeof fetch === "function") {
    return Layer.succeed(Client.HttpClient, overFetch(fetch))
  }
  if (Layer.isLayer(transport)) {
    return transport
  }
  throw new TypeError(`${where} needs a transport: pass a Layer as transport, or a function as fetch`)
}

/** The transport of the options, with its loggers. `where` names the function that takes the options. */
export const transportOf = (
  options: TransportOptions,
  where: string,
  log: Partial<CatalogOptions> = {}
): Layer.Layer<Client.HttpClient> => Layer.provideMerge(logging(log), transportLayer(options, where))
