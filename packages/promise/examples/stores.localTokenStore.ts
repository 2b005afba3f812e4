import { createSession, localTokenStore } from "catalog-client/oauth"

export const session = createSession({ clientId: "my-client-id", store: localTokenStore() })
