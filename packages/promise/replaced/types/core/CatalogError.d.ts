/** Any of the four errors. */
export type ClientError = ClientAuthError | ClientNetworkError | ClientRestError | ClientValidationError
