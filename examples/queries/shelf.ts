/**
 * What a page does with TanStack Query, without a framework: each reply is read once, and a change makes what shows it stale.
 */
import { MutationObserver, QueryClient, queryOptions } from "@tanstack/react-query"
import type { Catalog } from "catalog-client"
import { createQueries } from "catalog-client/queries"

/** `scope` says whose replies these are: an id, never a token. */
export const shelfOf = (catalog: Catalog, scope: string) => {
  const { anime, keys, user } = createQueries(catalog, { scope })
  // The catalog knows which calls to repeat.
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const watching = queryOptions(
    user.animeList({ username: "@me", status: "watching" }, { fields: ["list_status{num_episodes_watched}"] })
  )

  return {
    client,
    watching: () => client.fetchQuery(watching),
    /** The best titles, page after page. */
    best: async (pages: number): Promise<ReadonlyArray<string>> => {
      const ranking = anime.ranking.pages({ rankingType: "all", limit: 5 })
      const { pages: read } = await client.fetchInfiniteQuery({ ...ranking, pages })
      return read.flatMap(({ data }) => data.map(({ node }) => node.title))
    },
    watched: async (id: number, num_watched_episodes: number) => {
      await new MutationObserver(client, anime.updateMyListStatus()).mutate({ id, num_watched_episodes })
      await Promise.all(keys.changedBy("anime", id).map((queryKey) => client.invalidateQueries({ queryKey })))
    }
  }
}
