// Addresses as the site shows and makes them.

/** The path and the query of a URL as they are sent, and as messages and the operations' pages have them. */
export const targetOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** A URL, or a text with one, with a selector as it is written: `fields=id,genres{name}`. */
export const readable = (text: string): string => text.replaceAll(/%(?:2C|7B|7D)/g, decodeURIComponent)

/** The last part of a short address of an error, as messages have one: `missing`. */
const errorNameOf = (address: string): string | undefined =>
  /^https:\/\/[^/]+\.github\.io\/[^/]+\/e\/([\w-]+)$/.exec(address)?.[1]

/** Errors that share a page, by the last parts of their short addresses. The others have a page of that name. */
export const sharedPages: Readonly<Record<string, string>> = {
  "status-401": "access-token#status-401-the-access-token-is-invalid-or-has-expired",
  missing: "access-token#missing-no-access-token-is-configured",
  unusable: "access-token#unusable-the-token-cannot-be-sent-in-a-header",
  signedout: "access-token#signedout-the-session-has-no-user",
  denied: "sign-in#denied-the-user-denied-access",
  state: "sign-in#state-the-redirect-belongs-to-no-pending-sign-in",
  callback: "sign-in#callback-the-redirect-has-no-code",
  "sign-in-refused": "sign-in#sign-in-refused-the-service-does-not-accept-the-code",
  emptykeyword: "was-not-sent#emptykeyword-there-is-nothing-to-search-for",
  nothingtochange: "was-not-sent#nothingtochange-no-list-status-field-is-set",
  emptyusername: "was-not-sent#emptyusername-no-user-is-named",
  "status-405": "other-statuses#status-405-the-method-is-refused",
  "status-3xx": "other-statuses#status-3xx-redirects-are-not-followed",
  "status-4xx": "other-statuses#other-4xx-the-request-is-refused",
  "status-5xx": "other-statuses#status-5xx-the-service-is-failing",
  timeout: "too-late#timeout-it-took-too-long",
  cancelled: "too-late#cancelled-this-operation-was-aborted",
  "circuit-open": "was-not-sent#circuitopen-a-circuit-breaker",
  circuitopen: "was-not-sent#circuitopen-a-circuit-breaker",
  credentialsunavailable: "access-token#credentialsunavailable-the-credentials-could-not-be-obtained",
  policy: "was-not-sent#policy-a-policy-of-the-program",
  "service-not-found": "typeerror#service-not-found-catalog-clientcorecredentials",
  "read-only": "typeerror#cannot-assign-to-read-only-property",
  invalidbody: "no-response#invalidbody-the-body-is-not-the-operations-reply",
  transport: "no-response#transport-the-connection-failed",
  responsetoolarge: "no-response#responsetoolarge-the-body-is-too-large",
  ratelimitstore: "was-not-sent#ratelimitstore-the-store-of-a-rate-limit"
}

/** Where the site explains an error. */
export const errorAddressOf = (name: string): string => `/errors/${sharedPages[name] ?? name}`

/** The anchor of a heading, as GitHub makes it, so that a link is right in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-")

/** The anchor of a table's row that documents one name, by its first cell: `anime-media_type` for "`media_type?`" below Anime. */
export const rowAnchorOf = (section: string, cell: string): string | undefined => {
  const [, name] = /^(?:option )?`(\w+)\??`$/.exec(cell) ?? []
  return name === undefined ? undefined : `${section}-${name.toLowerCase()}`
}

/** Where the site explains an operation. */
export const operationAddressOf = (name: string): string => `/operations/${name.split(".")[0]}#${anchorOf(name)}`

/** Where the link at the end of a message leads: to the page of an error, or to an operation. */
export const addressOfLink = (link: string): string | undefined => {
  const error = errorNameOf(link)
  const [, operation] = /\.github\.io\/[^/]+\/operations\/(\w+\.\w+)$/.exec(link) ?? []
  return error !== undefined ? errorAddressOf(error) : operation && operationAddressOf(operation)
}

/** The view of Explore that calls each operation, and the choices in it; the operation too, if the view calls another one first. */
export const placesInExplore = {
  "anime.search": "view=search&kind=anime",
  "anime.get": "view=title&kind=anime&id=30230",
  "anime.ranking": "view=rankings&from=anime",
  "anime.seasonal": "view=season",
  "anime.suggestions": "view=rankings&from=suggestions",
  "anime.updateMyListStatus": "view=list&kind=anime&operation=anime.updateMyListStatus",
  "anime.deleteFromList": "view=list&kind=anime&operation=anime.deleteFromList",
  "manga.search": "view=search&kind=manga",
  "manga.get": "view=title&kind=manga&id=2",
  "manga.ranking": "view=rankings&from=manga",
  "manga.updateMyListStatus": "view=list&kind=manga&operation=manga.updateMyListStatus",
  "manga.deleteFromList": "view=list&kind=manga&operation=manga.deleteFromList",
  "user.me": "view=list&operation=user.me",
  "user.get": "view=profile",
  "user.animeList": "view=list&kind=anime",
  "user.mangaList": "view=list&kind=manga",
  "forum.boards": "view=forum",
  "forum.topics": "view=forum&topic=&words=&board=4",
  "forum.topic": "view=forum&topic=2000009"
}
