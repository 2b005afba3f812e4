/**
 * A service with many users and nothing else.
 */
import type { Dataset } from "@catalog-client/core/testing"

export const users = Array.from({ length: 20 }, (_, nth) => `user-${nth}`)
export const usersData: Dataset = {
  anime: [],
  manga: [],
  categories: [],
  topics: [],
  users: users.map((name, nth) => ({
    id: 1000 + nth,
    name,
    location: "",
    joined_at: "2014-05-11T16:02:33+00:00",
    animeList: [],
    mangaList: []
  }))
}
