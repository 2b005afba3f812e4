import { createSession, sessionTokenStore } from "catalog-client/oauth"

export const session = createSession({ clientId: "my-client-id", store: sessionTokenStore() })
