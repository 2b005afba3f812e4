import { describe, plan, undo } from "catalog-client/sync"

const changes = plan({
  kind: "anime",
  current: new Map([[30230, { id: 30230, status: "plan_to_watch" }]]),
  wanted: [{ id: 30230, status: "watching" }]
})

// apply(catalog, undo(changes)) takes them back.
console.log(describe(undo(changes)))
