// What a changed program can import, if it imports Effect.
import { HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import type { Registry } from "../edited.js"
import { modulesFor } from "../modules.js"
import { registry as catalog } from "./catalog.js"
import * as effect from "./names.js"

export const registry: Registry = (run) => ({
  ...catalog(run),
  "@effect/platform": { HttpClient, HttpClientRequest, HttpClientResponse },
  effect: { ...effect, ...modulesFor(run).effect }
})
