import { isUnauthorized } from "catalog-client"

export const explain = (error: unknown) =>
  isUnauthorized(error) ? (error.credentialSent ? "sign in again" : "sign in") : "something else"
