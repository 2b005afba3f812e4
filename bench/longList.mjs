import { animeListOf, generatedAnime, sample, serve } from "catalog-client/testing"

/**
 * The embedded service on a port, with a long list of invented anime of its first user.
 *
 * @param {number} count
 */
export const serveLongList = async (count) => {
  const data = sample()
  const invented = generatedAnime(count)
  const [owner, ...others] = data.users
  if (owner === undefined) {
    throw new Error("the sample data has no user")
  }
  const users = [{ ...owner, animeList: animeListOf(invented, 1) }, ...others]
  const service = await serve({ dataset: { ...data, anime: [...data.anime, ...invented], users } })
  return { service, owner: owner.name }
}
