// What a changed program can import, if it imports packages for Effect.
import * as core from "@catalog-client/core"
import * as oauth from "@catalog-client/oauth"
import * as sync from "@catalog-client/sync"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import type { Registry } from "../../site/run/edited.js"
import { modulesFor } from "./modules.js"
import * as effect from "./names.js"

export const registry: Registry = (run) => {
  const modules = modulesFor(run)
  return {
    ...modules,
    "@catalog-client/core": core,
    "@catalog-client/oauth": oauth,
    "@catalog-client/sync": sync,
    "effect/http": { HttpClient, HttpClientRequest, HttpClientResponse },
    effect: { ...effect, ...modules.effect }
  }
}
