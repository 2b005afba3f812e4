import { isForbidden } from "catalog-client"

export const hasNoKey = (error: unknown) => isForbidden(error) && error.credentialSent === false
