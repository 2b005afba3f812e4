/** The credentials of a session. A program does not read them. */
export interface CredentialsService {
  readonly renew?: unknown
}
