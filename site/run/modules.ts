// What programs with promises import in place of some modules: a service in the page, and a catalog that reaches it.
import * as Client from "catalog-client"
import * as Testing from "catalog-client/testing"
import type { Run } from "./program.js"
import { live, servicesFor } from "./services.js"

const { EmbeddedCatalog } = Testing

type ServeOptions = Testing.EmbeddedCatalogOptions & { readonly port?: number }

/** The counterparts, by the module that they replace. */
export interface ReplacedModules {
  readonly "catalog-client": typeof Client
  readonly "catalog-client/testing": Omit<typeof Testing, "recordingFile" | "serve"> & {
    readonly serve: (options?: ServeOptions) => Promise<Testing.ServedCatalog>
  }
}

/** Sends a request without a client, as curl does, and prints the body of the response. */
export const send = async (
  run: Run,
  method: string,
  url: string,
  form: ReadonlyArray<[name: string, value: string]>
): Promise<void> => {
  const body = form.length === 0 ? null : new URLSearchParams(form.map((field) => [...field]))
  const headers = { authorization: "Bearer my-access-token" }
  const response = await EmbeddedCatalog.fetch(live)(url, { method, headers, body })
  run.exchanged({ method, url, status: response.status })
  run.console.log(JSON.stringify(await response.json(), undefined, 2))
}

/** The services for one run. */
export const servicesOf = (run: Run) =>
  servicesFor(EmbeddedCatalog, run, { baseUrl: Client.ServiceProfile.default.baseUrl, options: live })

/** The modules for one run. */
export const modulesFor = (run: Run, { fetchOf, reach, serve, toWebHandler } = servicesOf(run)): ReplacedModules => {
  const createCatalog: typeof Client.createCatalog = (options) =>
    Client.createCatalog(options?.dispatcher === undefined ? { ...options, fetch: options?.fetch ?? reach } : options)
  return {
    "catalog-client": { ...Client, createCatalog },
    "catalog-client/testing": {
      ...Testing,
      EmbeddedCatalog: { ...EmbeddedCatalog, toWebHandler, fetch: fetchOf },
      serve
    }
  }
}
