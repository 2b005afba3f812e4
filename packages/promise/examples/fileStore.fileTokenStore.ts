import { createSession, fileTokenStore } from "catalog-client/oauth"

export const session = createSession({ clientId: "my-client-id", store: fileTokenStore() })
