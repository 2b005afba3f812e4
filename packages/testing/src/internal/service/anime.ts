/** The members, rankings and form fields of anime. */
import type { AnimeListRecord, AnimeRecord } from "../../Dataset.js"
import { itemDetails, itemMembers, stored } from "./fields.js"
import { best, byPopularity, commonRankings, type Kind, listSorts, ofType } from "./kind.js"
import * as FormValues from "./formValues.js"
import { animeListStatuses } from "./listStatuses.js"
import { narrow } from "./selector.js"

/** The share of each status among the users who list an anime: the live service counts them, here only their sum is known. */
const shares = { watching: 0.08, completed: 0.6, on_hold: 0.06, dropped: 0.05 }

const statistics = ({ num_list_users }: AnimeRecord): unknown => {
  const counts = Object.entries(shares).map(([status, share]) => [status, Math.floor(num_list_users * share)] as const)
  const rest = num_list_users - counts.reduce((sum, [, count]) => sum + count, 0)
  const status = Object.fromEntries([...counts, ["plan_to_watch", rest] as const].map(([name, n]) => [name, String(n)]))
  return { num_list_users, status }
}

const themes = ({ id: anime_id }: AnimeRecord, songs: AnimeRecord["opening_themes"]): unknown =>
  songs?.map(({ id, text }) => ({ id, anime_id, text }))

const keeping = FormValues.keeping<AnimeListRecord>()

export const anime: Kind<AnimeRecord, AnimeListRecord> = {
  name: "anime",
  shelf: (store) => store.anime,
  list: (account) => account.anime,
  members: new Map([
    ...itemMembers<AnimeRecord>(),
    ...stored<AnimeRecord>(
      "num_episodes",
      "start_season",
      "broadcast",
      "source",
      "average_episode_duration",
      "rating",
      "studios"
    )
  ]),
  details: new Map([
    ...itemDetails<AnimeRecord>("anime"),
    ["statistics", (item, selection) => narrow(statistics(item), selection)],
    ["opening_themes", (item, selection) => narrow(themes(item, item.opening_themes), selection)],
    ["ending_themes", (item, selection) => narrow(themes(item, item.ending_themes), selection)],
    ...stored<AnimeRecord>("videos")
  ]),
  statusMembers: [
    "status",
    "score",
    "num_episodes_watched",
    "is_rewatching",
    "updated_at",
    "start_date",
    "finish_date"
  ],
  statusExtras: ["priority", "num_times_rewatched", "rewatch_value", "tags", "comments"],
  statuses: animeListStatuses,
  isRepeated: (entry) => entry.is_rewatching,
  rankings: new Map([
    ...commonRankings,
    ["airing", { has: (item) => item.status === "currently_airing", order: best }],
    ["upcoming", { has: (item) => item.status === "not_yet_aired", order: byPopularity }],
    ["tv", ofType("tv")],
    ["ova", ofType("ova")],
    ["movie", ofType("movie")],
    ["special", ofType("special", "tv_special")]
  ]),
  sorts: listSorts("anime"),
  form: new Map([
    keeping("status", FormValues.word(animeListStatuses)),
    keeping("score", FormValues.rounded(10)),
    // The name in forms differs from the name in replies.
    FormValues.progress(
      "num_watched_episodes",
      (item: AnimeRecord) => item.num_episodes,
      (num_episodes_watched): Partial<AnimeListRecord> => ({ num_episodes_watched })
    ),
    keeping("is_rewatching", FormValues.flag),
    keeping("num_times_rewatched", FormValues.whole()),
    keeping("rewatch_value", FormValues.whole(5)),
    keeping("priority", FormValues.whole(2)),
    keeping("tags", FormValues.tags),
    keeping("comments", FormValues.text),
    FormValues.date("start_date"),
    FormValues.date("finish_date")
  ]),
  blank: (id) => ({
    id,
    status: "",
    score: 0,
    num_episodes_watched: 0,
    is_rewatching: false,
    num_times_rewatched: 0,
    rewatch_value: 0,
    priority: 0,
    tags: [],
    comments: "",
    updated_at: ""
  }),
  firstStatus: (entry) => (entry.num_episodes_watched > 0 ? "watching" : "plan_to_watch")
}
