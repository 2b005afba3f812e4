import { isSignInRequired } from "catalog-client"

export const statusFor = (error: unknown) => (isSignInRequired(error) ? 401 : 502)
