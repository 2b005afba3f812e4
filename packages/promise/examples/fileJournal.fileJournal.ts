import type { Catalog } from "catalog-client"
import { apply, fileJournal, type Plan } from "catalog-client/sync"

export const run = (catalog: Catalog, plan: Plan) => apply(catalog, plan, { journal: fileJournal("import.journal") })
