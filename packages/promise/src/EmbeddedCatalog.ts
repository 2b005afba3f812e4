/**
 * The embedded service, a fake MyAnimeList for tests and demonstrations: it keeps lists, validates requests and responds in
 * the live service's own form, with the same errors and habits.
 */
export { ConnectionDropped, credentials, fetch, oauthUrls, profile, toWebHandler } from "#testing/EmbeddedCatalog.js"
