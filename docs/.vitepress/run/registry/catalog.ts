// What a changed program can import, if it imports the client alone.
import * as core from "@catalog-client/core"
import type { Registry } from "../edited.js"
import { modulesFor } from "../modules.js"

export const registry: Registry = (run) => {
  const { effect: _, ...modules } = modulesFor(run)
  return { ...modules, "@catalog-client/core": core }
}
