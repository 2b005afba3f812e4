/**
 * Every operation as an RPC, with the names and the handlers of the tools, and a whole list as a stream that a caller can continue.
 */
import { CatalogClient, ClientError } from "@catalog-client/core"
import { AnimeListPage, operations } from "@catalog-client/core/schemas"
import { Rpc, RpcGroup } from "@effect/rpc"
import { Effect, Schema } from "effect"
import { handlersOf } from "./tools.js"

const rpc = <const Name extends string, Inputs extends Schema.Struct.Fields, Reply extends Schema.Schema.Any>(
  name: Name,
  { inputs, reply }: { readonly inputs: Schema.Struct<Inputs>; readonly reply: Reply }
) => Rpc.make(name, { payload: inputs, success: reply, error: ClientError })

const { anime, forum, manga, user } = operations

/** A position in a list: the page to continue after. It can be stored, and sent. */
export const Position = AnimeListPage.pick("paging")

export class Rpcs extends RpcGroup.make(
  rpc("anime_get", anime.get),
  rpc("anime_search", anime.search),
  rpc("anime_seasonal", anime.seasonal),
  rpc("anime_ranking", anime.ranking),
  rpc("anime_suggestions", anime.suggestions),
  rpc("anime_update", anime.updateMyListStatus),
  rpc("anime_delete", anime.deleteFromList),
  rpc("manga_get", manga.get),
  rpc("manga_search", manga.search),
  rpc("manga_ranking", manga.ranking),
  rpc("manga_update", manga.updateMyListStatus),
  rpc("manga_delete", manga.deleteFromList),
  rpc("user_me", user.me),
  rpc("user_get", user.get),
  rpc("user_anime_list", user.animeList),
  rpc("user_manga_list", user.mangaList),
  rpc("forum_boards", forum.boards),
  rpc("forum_topics", forum.topics),
  rpc("forum_topic", forum.topic),
  Rpc.make("user_anime_list_pages", {
    payload: { ...user.animeList.inputs.fields, after: Schema.optional(Position) },
    success: user.animeList.reply,
    error: ClientError,
    stream: true
  })
) {}

export const RpcsLive = Rpcs.toLayer(
  Effect.map(CatalogClient, (client) =>
    Rpcs.of({
      ...handlersOf(client),
      user_anime_list_pages: ({ after, fields, nsfw, ...params }) =>
        client.user.animeList.pages(params, { after, fields, nsfw })
    })
  )
)
