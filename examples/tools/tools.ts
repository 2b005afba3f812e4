/**
 * Every operation as a tool of a language model: a tool has the description, the inputs and the reply of its operation.
 */
import { CatalogClient, ClientError } from "@catalog-client/core"
import { operations } from "@catalog-client/core/schemas"
import { Tool, Toolkit } from "@effect/ai"
import { Effect, type Schema } from "effect"

interface Described<Inputs extends Schema.Struct.Fields, Reply> {
  readonly description: string
  readonly inputs: Schema.Struct<Inputs>
  readonly reply: Reply
}

const tool = <const Name extends string, Inputs extends Schema.Struct.Fields, Reply extends Schema.Schema.Any>(
  name: Name,
  { description, inputs, reply }: Described<Inputs, Reply>
) => Tool.make(name, { description, success: reply, failure: ClientError }).setParameters(inputs)

const { anime, forum, manga, user } = operations

export const toolkit = Toolkit.make(
  tool("anime_get", anime.get),
  tool("anime_search", anime.search),
  tool("anime_seasonal", anime.seasonal),
  tool("anime_ranking", anime.ranking),
  tool("anime_suggestions", anime.suggestions),
  tool("anime_update", anime.updateMyListStatus),
  tool("anime_delete", anime.deleteFromList),
  tool("manga_get", manga.get),
  tool("manga_search", manga.search),
  tool("manga_ranking", manga.ranking),
  tool("manga_update", manga.updateMyListStatus),
  tool("manga_delete", manga.deleteFromList),
  tool("user_me", user.me),
  tool("user_get", user.get),
  tool("user_anime_list", user.animeList),
  tool("user_manga_list", user.mangaList),
  tool("forum_boards", forum.boards),
  tool("forum_topics", forum.topics),
  tool("forum_topic", forum.topic)
)

/** What runs them: an operation takes its params, and `fields` and `nsfw` as options. */
export const handlersOf = ({ anime, forum, manga, user }: typeof CatalogClient.Service) =>
  toolkit.of({
    anime_get: ({ fields, ...params }) => anime.get(params, { fields }),
    anime_search: ({ fields, nsfw, ...params }) => anime.search(params, { fields, nsfw }),
    anime_seasonal: ({ fields, nsfw, ...params }) => anime.seasonal(params, { fields, nsfw }),
    anime_ranking: ({ fields, nsfw, ...params }) => anime.ranking(params, { fields, nsfw }),
    anime_suggestions: (options) => anime.suggestions(options),
    anime_update: ({ fields, ...params }) => anime.updateMyListStatus(params, { fields }),
    anime_delete: (params) => anime.deleteFromList(params),
    manga_get: ({ fields, ...params }) => manga.get(params, { fields }),
    manga_search: ({ fields, nsfw, ...params }) => manga.search(params, { fields, nsfw }),
    manga_ranking: ({ fields, nsfw, ...params }) => manga.ranking(params, { fields, nsfw }),
    manga_update: ({ fields, ...params }) => manga.updateMyListStatus(params, { fields }),
    manga_delete: (params) => manga.deleteFromList(params),
    user_me: (options) => user.me(options),
    user_get: ({ fields, ...params }) => user.get(params, { fields }),
    user_anime_list: ({ fields, nsfw, ...params }) => user.animeList(params, { fields, nsfw }),
    user_manga_list: ({ fields, nsfw, ...params }) => user.mangaList(params, { fields, nsfw }),
    forum_boards: () => forum.boards(),
    forum_topics: (params) => forum.topics(params),
    forum_topic: (params) => forum.topic(params)
  })

/** The tools over a client. */
export const ToolsLive = toolkit.toLayer(Effect.map(CatalogClient, handlersOf))
