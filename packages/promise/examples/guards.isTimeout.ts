import { isTimeout } from "catalog-client"

export const explain = (error: unknown) =>
  isTimeout(error) ? `no response within ${error.timeoutMs} ms` : "something else"
