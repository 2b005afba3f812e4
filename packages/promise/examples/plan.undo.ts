import type { Catalog } from "catalog-client"
import { apply, type Plan, undo } from "catalog-client/sync"

export const takeBack = (catalog: Catalog, done: Plan) => apply(catalog, undo(done))
