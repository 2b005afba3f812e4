// What a changed program can import, if it imports packages for Effect.
import * as core from "@catalog-client/core"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import type { Registry } from "../edited.js"
import { modulesFor } from "../effectModules.js"
import * as effect from "./names.js"

export const registry: Registry = (run) => {
  const modules = modulesFor(run)
  return {
    ...modules,
    "@catalog-client/core": core,
    "@effect/platform": { HttpClient, HttpClientRequest, HttpClientResponse },
    effect: { ...effect, ...modules.effect }
  }
}
