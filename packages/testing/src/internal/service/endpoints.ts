/** The endpoints of the service, by domain and name. */
import { forumEndpoints } from "./forum.js"
import { animeEndpoints, mangaEndpoints } from "./items.js"
import { userEndpoints } from "./users.js"

export const endpoints = {
  anime: animeEndpoints,
  manga: mangaEndpoints,
  user: userEndpoints,
  forum: forumEndpoints
}
