import { describe, type Plan } from "catalog-client/sync"

export const print = (changes: Plan) => console.log(describe(changes))
