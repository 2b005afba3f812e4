/**
 * What each operation takes and returns, as Schemas for your own interfaces: an `HttpApi`, a group of RPCs, a form, the
 * tools of a language model, a property test. Written by `npm run api` from the types of the client, and compared by `npm test`.
 *
 * Each has the doc comments of its type as descriptions, and plausible samples. Inputs have ranges and refuse what is out of
 * them. Words and replies are open, as the service is: the known words are examples. Decoding takes an update that changes
 * nothing, which the client refuses; with Effect 4, decoding refuses it too.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import type * as core from "./index.js"
import * as formats from "./internal/schemas/formats.js"
import {
  checkedNumber,
  checkedText,
  either,
  flag,
  inputsOf,
  list,
  maybe,
  number,
  optional,
  required,
  struct,
  text,
  update,
  words
} from "./internal/schemas/parts.js"
import * as models from "./model/index.js"

/** Other titles of an item. */
export const AlternativeTitles = /*#__PURE__*/ struct("AlternativeTitles", "Other titles of an item.", () => ({
  synonyms: optional(list(text(formats.name), "Titles by which it is also known.")),
  en: optional(text(formats.name, 'The English title; `""` if there is none.')),
  ja: optional(text(formats.name, 'The Japanese title; `""` if there is none.'))
}))
export type AlternativeTitles = models.AlternativeTitles

/** Two sizes of one image. */
export const Picture = /*#__PURE__*/ struct("Picture", "Two sizes of one image.", () => ({
  medium: optional(text(formats.url, "URL.")),
  large: optional(text(formats.url, "URL."))
}))
export type Picture = models.Picture

/** A genre or a theme. */
export const Genre = /*#__PURE__*/ struct("Genre", "A genre or a theme.", () => ({
  id: optional(number(formats.id, "The genre's id.")),
  name: optional(text(formats.name, "For example `Award Winning`."))
}))
export type Genre = models.Genre

/** A season of a year. */
export const AnimeSeason = /*#__PURE__*/ struct("AnimeSeason", "A season of a year.", () => ({
  year: optional(number(formats.year, "For example `2017`.")),
  season: optional(words(models.Season, "The season of the year."))
}))
export type AnimeSeason = models.AnimeSeason

/** When an anime is broadcast, in Japan time (JST). */
export const Broadcast = /*#__PURE__*/ struct("Broadcast", "When an anime is broadcast, in Japan time (JST).", () => ({
  day_of_the_week: optional(words(models.DayOfTheWeek, "The day of the week, in Japan time (JST).")),
  start_time: optional(text(formats.time, "`HH:MM`, in Japan time (JST)."))
}))
export type Broadcast = models.Broadcast

/** A studio that made an anime. */
export const Studio = /*#__PURE__*/ struct("Studio", "A studio that made an anime.", () => ({
  id: optional(number(formats.id, "The studio's id.")),
  name: optional(text(formats.name, "For example `Sunrise`."))
}))
export type Studio = models.Studio

/** An anime on a user's list. A write calls the progress `num_watched_episodes`; a reply calls it `num_episodes_watched`. */
export const AnimeListStatus = /*#__PURE__*/ struct(
  "AnimeListStatus",
  "An anime on a user's list. A write calls the progress `num_watched_episodes`; a reply calls it `num_episodes_watched`.",
  () => ({
    status: optional(words(models.AnimeListStatusValue, "Where the user is with it.")),
    num_episodes_watched: optional(
      number(formats.count, "How many episodes were watched. A write calls it `num_watched_episodes`.")
    ),
    score: optional(number(formats.score, "Out of 10; 0 means no score.")),
    start_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
    finish_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
    comments: optional(text(formats.prose, "The user's notes.")),
    is_rewatching: optional(flag("Whether the anime is being watched again.")),
    num_times_rewatched: optional(number(formats.count, "How many times the anime has been rewatched.")),
    rewatch_value: optional(number(formats.repeatValue, "How much it is worth watching again: 0 to 5.")),
    priority: optional(number(formats.priority, "0 low, 1 medium, 2 high.")),
    tags: optional(list(text(formats.word), "The user's own tags.")),
    updated_at: optional(text(formats.timestamp, "ISO 8601; set by the service."))
  })
)
export type AnimeListStatus = models.AnimeListStatus

/** A song that opens or closes an anime. */
export const Theme = /*#__PURE__*/ struct("Theme", "A song that opens or closes an anime.", () => ({
  id: optional(number(formats.id, "The theme's id.")),
  anime_id: optional(number(formats.id, "The anime's id.")),
  text: optional(text(formats.prose, "Title and artist, as one string."))
}))
export type Theme = models.Theme

/** A trailer or another clip. */
export const Video = /*#__PURE__*/ struct("Video", "A trailer or another clip.", () => ({
  id: optional(number(formats.id, "The video's id.")),
  title: optional(text(formats.name, "The video's title.")),
  url: optional(text(formats.url, "URL of the video.")),
  thumbnail: optional(text(formats.url, "URL of a still.")),
  created_at: optional(
    number(formats.milliseconds, "Milliseconds since 1970, in the one recorded reply that has videos.")
  ),
  updated_at: optional(number(formats.milliseconds, "Milliseconds since 1970, like `created_at`."))
}))
export type Video = models.Video

/** An anime as lists, relations and recommendations contain it: without the members that only `anime.get` returns. */
export const AnimeNode = /*#__PURE__*/ struct(
  "AnimeNode",
  "An anime as lists, relations and recommendations contain it: without the members that only `anime.get` returns.",
  () => ({
    id: number(formats.id, "The id. Anime and manga are numbered separately: there is an anime 1 and a manga 1."),
    title: text(formats.name, "The canonical title."),
    main_picture: optional<models.Picture>(Picture, "The cover, in two sizes."),
    alternative_titles: optional<models.AlternativeTitles>(
      AlternativeTitles,
      "Other titles, also in English and Japanese."
    ),
    start_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
    end_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
    synopsis: optional(text(formats.prose, "A summary of the plot.")),
    mean: optional(number(formats.mean, "The average score, out of 10.")),
    rank: optional(number(formats.id, "The place by score, from 1.")),
    popularity: optional(number(formats.id, "The place by number of users, from 1.")),
    num_list_users: optional(number(formats.people, "How many users have it on their lists.")),
    num_scoring_users: optional(number(formats.people, "How many users have scored it.")),
    num_favorites: optional(number(formats.people, "How many users have it among their favorites.")),
    nsfw: optional(words(models.Nsfw, "Whether it is safe for work: `white` is, `gray` may not be, `black` is not.")),
    genres: optional<ReadonlyArray<models.Genre>>(list<models.Genre>(Genre, "Genres and themes.")),
    created_at: optional(text(formats.timestamp, "ISO 8601.")),
    updated_at: optional(text(formats.timestamp, "ISO 8601.")),
    media_type: optional(words(models.AnimeMediaType, "Its kind.")),
    status: optional(words(models.AnimeStatus, "Whether it is airing.")),
    num_episodes: optional(number(formats.count, "0 means unknown.")),
    start_season: optional<models.AnimeSeason>(AnimeSeason, "The season in which it began."),
    broadcast: optional<models.Broadcast>(Broadcast, "When it is broadcast, in Japan time (JST)."),
    source: optional(words(models.Source, "What it was made from.")),
    average_episode_duration: optional(number(formats.count, "Seconds.")),
    rating: optional(
      words(
        models.Rating,
        "The age rating: `g` for all ages, `pg` for children, `pg_13` from 13, `r` from 17 (violence, profanity), `r+` for mild nudity, `rx` for adults (hentai)."
      )
    ),
    studios: optional<ReadonlyArray<models.Studio>>(list<models.Studio>(Studio, "The studios that made it.")),
    my_list_status: optional<models.AnimeListStatus>(
      AnimeListStatus,
      "The caller's own entry; needs an access token. Missing if the title is not on the caller's list."
    ),
    opening_themes: optional<ReadonlyArray<models.Theme>>(list<models.Theme>(Theme, "The songs that open it.")),
    ending_themes: optional<ReadonlyArray<models.Theme>>(list<models.Theme>(Theme, "The songs that end it.")),
    videos: optional<ReadonlyArray<models.Video>>(list<models.Video>(Video, "Trailers and other clips."))
  })
)
export type AnimeNode = models.AnimeNode

/** An anime that is related to an item, for example its sequel. */
export const RelatedAnime = /*#__PURE__*/ struct(
  "RelatedAnime",
  "An anime that is related to an item, for example its sequel.",
  () => ({
    node: optional<models.AnimeNode>(AnimeNode, "The related anime."),
    relation_type: optional(words(models.RelationType, "How it is related.")),
    relation_type_formatted: optional(text(formats.word, "The type for people to read, for example `Side story`."))
  })
)
export type RelatedAnime = models.RelatedAnime

/** A person's name. Its parts are there only when they are selected: `authors{first_name,last_name}`. */
export const Person = /*#__PURE__*/ struct(
  "Person",
  "A person's name. Its parts are there only when they are selected: `authors{first_name,last_name}`.",
  () => ({
    id: optional(number(formats.id, "The person's id.")),
    first_name: optional(text(formats.name, "The given name.")),
    last_name: optional(text(formats.name, "The family name."))
  })
)
export type Person = models.Person

/** A person who made a manga. */
export const Author = /*#__PURE__*/ struct("Author", "A person who made a manga.", () => ({
  node: optional<models.Person>(Person, "The person."),
  role: optional(text(formats.word, "For example `Story & Art`."))
}))
export type Author = models.Author

/** A manga on a user's list. */
export const MangaListStatus = /*#__PURE__*/ struct("MangaListStatus", "A manga on a user's list.", () => ({
  status: optional(words(models.MangaListStatusValue, "Where the user is with it.")),
  num_chapters_read: optional(number(formats.count, "How many chapters were read.")),
  num_volumes_read: optional(number(formats.count, "How many volumes were read.")),
  score: optional(number(formats.score, "Out of 10; 0 means no score.")),
  start_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
  finish_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
  comments: optional(text(formats.prose, "The user's notes.")),
  is_rereading: optional(flag("Whether the manga is being read again.")),
  num_times_reread: optional(number(formats.count, "How many times the manga has been reread.")),
  reread_value: optional(number(formats.repeatValue, "How much it is worth reading again: 0 to 5.")),
  priority: optional(number(formats.priority, "0 low, 1 medium, 2 high.")),
  tags: optional(list(text(formats.word), "The user's own tags.")),
  updated_at: optional(text(formats.timestamp, "ISO 8601; set by the service."))
}))
export type MangaListStatus = models.MangaListStatus

/** A manga as lists, relations and recommendations contain it: without the members that only `manga.get` returns. */
export const MangaNode = /*#__PURE__*/ struct(
  "MangaNode",
  "A manga as lists, relations and recommendations contain it: without the members that only `manga.get` returns.",
  () => ({
    id: number(formats.id, "The id. Anime and manga are numbered separately: there is an anime 1 and a manga 1."),
    title: text(formats.name, "The canonical title."),
    main_picture: optional<models.Picture>(Picture, "The cover, in two sizes."),
    alternative_titles: optional<models.AlternativeTitles>(
      AlternativeTitles,
      "Other titles, also in English and Japanese."
    ),
    start_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
    end_date: optional(text(formats.date, "ISO 8601, possibly partial (`YYYY-MM` or `YYYY`).")),
    synopsis: optional(text(formats.prose, "A summary of the plot.")),
    mean: optional(number(formats.mean, "The average score, out of 10.")),
    rank: optional(number(formats.id, "The place by score, from 1.")),
    popularity: optional(number(formats.id, "The place by number of users, from 1.")),
    num_list_users: optional(number(formats.people, "How many users have it on their lists.")),
    num_scoring_users: optional(number(formats.people, "How many users have scored it.")),
    num_favorites: optional(number(formats.people, "How many users have it among their favorites.")),
    nsfw: optional(words(models.Nsfw, "Whether it is safe for work: `white` is, `gray` may not be, `black` is not.")),
    genres: optional<ReadonlyArray<models.Genre>>(list<models.Genre>(Genre, "Genres and themes.")),
    created_at: optional(text(formats.timestamp, "ISO 8601.")),
    updated_at: optional(text(formats.timestamp, "ISO 8601.")),
    media_type: optional(words(models.MangaMediaType, "Its kind.")),
    status: optional(words(models.MangaStatus, "Whether it is being published.")),
    num_volumes: optional(number(formats.count, "0 means unknown.")),
    num_chapters: optional(number(formats.count, "0 means unknown.")),
    authors: optional<ReadonlyArray<models.Author>>(list<models.Author>(Author, "The people who made it.")),
    my_list_status: optional<models.MangaListStatus>(
      MangaListStatus,
      "The caller's own entry; needs an access token. Missing if the title is not on the caller's list."
    )
  })
)
export type MangaNode = models.MangaNode

/** A manga that is related to an item, for example the one that it was adapted from. */
export const RelatedManga = /*#__PURE__*/ struct(
  "RelatedManga",
  "A manga that is related to an item, for example the one that it was adapted from.",
  () => ({
    node: optional<models.MangaNode>(MangaNode, "The related manga."),
    relation_type: optional(words(models.RelationType, "How it is related.")),
    relation_type_formatted: optional(text(formats.word, "The type for people to read, for example `Side story`."))
  })
)
export type RelatedManga = models.RelatedManga

/** An anime that people recommend to those who liked another one. */
export const AnimeRecommendation = /*#__PURE__*/ struct(
  "AnimeRecommendation",
  "An anime that people recommend to those who liked another one.",
  () => ({
    node: optional<models.AnimeNode>(AnimeNode, "The recommended anime."),
    num_recommendations: optional(number(formats.count, "How many people recommended it."))
  })
)
export type AnimeRecommendation = models.AnimeRecommendation

/** How many people have an anime on their lists, by status. The live service sends the counts as strings of digits. */
export const AnimeStatusCounts = /*#__PURE__*/ struct(
  "AnimeStatusCounts",
  "How many people have an anime on their lists, by status. The live service sends the counts as strings of digits.",
  () => ({
    watching: optional(either(text(formats.digits), number(formats.count), "How many users are watching it.")),
    completed: optional(either(text(formats.digits), number(formats.count), "How many users have completed it.")),
    on_hold: optional(either(text(formats.digits), number(formats.count), "How many users have paused it.")),
    dropped: optional(either(text(formats.digits), number(formats.count), "How many users have dropped it.")),
    plan_to_watch: optional(either(text(formats.digits), number(formats.count), "How many users plan to watch it."))
  })
)
export type AnimeStatusCounts = models.AnimeStatusCounts

/** How many people have an anime on their lists. */
export const AnimeStatistics = /*#__PURE__*/ struct(
  "AnimeStatistics",
  "How many people have an anime on their lists.",
  () => ({
    num_list_users: optional(number(formats.people, "How many users have it on their lists.")),
    status: optional<models.AnimeStatusCounts>(AnimeStatusCounts, "How many users, by what they do with it.")
  })
)
export type AnimeStatistics = models.AnimeStatistics

/** An anime. It always has `id` and `title`, and every other member when it was requested and the service has it. */
export const Anime = /*#__PURE__*/ struct(
  "Anime",
  "An anime. It always has `id` and `title`, and every other member when it was requested and the service has it.",
  () => ({
    ...AnimeNode.fields,
    pictures: optional<ReadonlyArray<models.Picture>>(
      list<models.Picture>(Picture, "Only when a single item is read.")
    ),
    background: optional(text(formats.prose, "Only when a single item is read.")),
    related_anime: optional<ReadonlyArray<models.RelatedAnime>>(
      list<models.RelatedAnime>(RelatedAnime, "Only when a single item is read.")
    ),
    related_manga: optional<ReadonlyArray<models.RelatedManga>>(
      list<models.RelatedManga>(RelatedManga, "Only when a single item is read.")
    ),
    recommendations: optional<ReadonlyArray<models.AnimeRecommendation>>(
      list<models.AnimeRecommendation>(AnimeRecommendation, "Only when a single item is read.")
    ),
    statistics: optional<models.AnimeStatistics>(AnimeStatistics, "Only when a single item is read.")
  })
)
export type Anime = models.Anime

/** An anime as an entry of a search, of a season or of the suggestions. */
export const AnimeEntry = /*#__PURE__*/ struct(
  "AnimeEntry",
  "An anime as an entry of a search, of a season or of the suggestions.",
  () => ({ node: required<models.AnimeNode>(AnimeNode) })
)
export type AnimeEntry = models.AnimeEntry

/** An entry of a user's anime list, with `list_status` if requested. */
export const AnimeListEntry = /*#__PURE__*/ struct(
  "AnimeListEntry",
  "An entry of a user's anime list, with `list_status` if requested.",
  () => ({
    node: required<models.AnimeNode>(AnimeNode),
    list_status: optional<models.AnimeListStatus>(AnimeListStatus, "Where it stands on the list.")
  })
)
export type AnimeListEntry = models.AnimeListEntry

/** Links to the pages around this one. A list ends at the page that has no `next`. */
export const Paging = /*#__PURE__*/ struct(
  "Paging",
  "Links to the pages around this one. A list ends at the page that has no `next`.",
  () => ({
    next: optional(text(formats.url, "URL of the next page.")),
    previous: optional(
      text(formats.url, "URL of the page before, on user lists, forum topics and the posts of a topic.")
    )
  })
)
export type Paging = models.Paging

/** A page of a user's anime list. */
export const AnimeListPage = /*#__PURE__*/ struct("AnimeListPage", "A page of a user's anime list.", () => ({
  data: list<models.AnimeListEntry>(AnimeListEntry),
  paging: optional<models.Paging>(
    Paging,
    "Links to the pages around this one. A list ends at the page that has no `next`."
  )
}))
export type AnimeListPage = models.AnimeListPage

/** A page of anime: the reply of a search and of the suggestions. */
export const AnimePage = /*#__PURE__*/ struct(
  "AnimePage",
  "A page of anime: the reply of a search and of the suggestions.",
  () => ({
    data: list<models.AnimeEntry>(AnimeEntry),
    paging: optional<models.Paging>(
      Paging,
      "Links to the pages around this one. A list ends at the page that has no `next`."
    )
  })
)
export type AnimePage = models.AnimePage

/** A place in a ranking. */
export const Ranking = /*#__PURE__*/ struct("Ranking", "A place in a ranking.", () => ({
  rank: number(formats.id, "From 1."),
  previous_rank: optional(number(formats.id, "The place before, from 1. The live service has never sent it."))
}))
export type Ranking = models.Ranking

/** An anime with its place in a ranking. */
export const AnimeRankingEntry = /*#__PURE__*/ struct(
  "AnimeRankingEntry",
  "An anime with its place in a ranking.",
  () => ({ node: required<models.AnimeNode>(AnimeNode), ranking: required<models.Ranking>(Ranking) })
)
export type AnimeRankingEntry = models.AnimeRankingEntry

/** A page of a ranking of anime. */
export const AnimeRankingPage = /*#__PURE__*/ struct("AnimeRankingPage", "A page of a ranking of anime.", () => ({
  data: list<models.AnimeRankingEntry>(AnimeRankingEntry),
  paging: optional<models.Paging>(
    Paging,
    "Links to the pages around this one. A list ends at the page that has no `next`."
  )
}))
export type AnimeRankingPage = models.AnimeRankingPage

/** A user who wrote in the forum. */
export const ForumAuthor = /*#__PURE__*/ struct("ForumAuthor", "A user who wrote in the forum.", () => ({
  id: optional(number(formats.id, "The user's id.")),
  name: optional(text(formats.name, "The user's name.")),
  forum_avator: optional(text(formats.url, "URL of a picture; the spelling is the service's.")),
  forum_title: optional(text(formats.word, 'What the user is in the forum, in a post; `""` if nothing special.'))
}))
export type ForumAuthor = models.ForumAuthor

/** A board below another board. */
export const ForumSubboard = /*#__PURE__*/ struct("ForumSubboard", "A board below another board.", () => ({
  id: optional(number(formats.id, "The board's id, which `forum.topics` takes as `subboardId`.")),
  title: optional(text(formats.name, "The board's title."))
}))
export type ForumSubboard = models.ForumSubboard

/** A board. */
export const ForumBoard = /*#__PURE__*/ struct("ForumBoard", "A board.", () => ({
  id: optional(number(formats.id, "The board's id, which `forum.topics` takes as `boardId`.")),
  title: optional(text(formats.name, "The board's title.")),
  description: optional(text(formats.prose, "What the board is for.")),
  subboards: optional<ReadonlyArray<models.ForumSubboard>>(
    list<models.ForumSubboard>(ForumSubboard, "The boards below it.")
  )
}))
export type ForumBoard = models.ForumBoard

/** Boards under one heading. */
export const ForumCategory = /*#__PURE__*/ struct("ForumCategory", "Boards under one heading.", () => ({
  title: optional(text(formats.name, "The heading.")),
  boards: optional<ReadonlyArray<models.ForumBoard>>(
    list<models.ForumBoard>(ForumBoard, "The boards under the heading.")
  )
}))
export type ForumCategory = models.ForumCategory

/** All boards. */
export const ForumBoards = /*#__PURE__*/ struct("ForumBoards", "All boards.", () => ({
  categories: list<models.ForumCategory>(ForumCategory, "The boards, by heading.")
}))
export type ForumBoards = models.ForumBoards

/** One answer that a poll offers. */
export const ForumPollOption = /*#__PURE__*/ struct("ForumPollOption", "One answer that a poll offers.", () => ({
  id: optional(number(formats.id, "The answer's id.")),
  text: optional(text(formats.prose, "The answer.")),
  votes: optional(number(formats.people, "How many users chose it."))
}))
export type ForumPollOption = models.ForumPollOption

/** A poll. The live service says with `closed` whether it is over; the service's reference calls that member `close`. */
export const ForumPoll = /*#__PURE__*/ struct(
  "ForumPoll",
  "A poll. The live service says with `closed` whether it is over; the service's reference calls that member `close`.",
  () => ({
    id: optional(number(formats.id, "The poll's id.")),
    question: optional(text(formats.prose, "What the poll asks.")),
    closed: optional(flag("Whether the poll is over.")),
    close: optional(flag("The same, by its name in the reference of the service.")),
    options: optional<ReadonlyArray<models.ForumPollOption>>(
      list<models.ForumPollOption>(ForumPollOption, "The answers that it offers.")
    )
  })
)
export type ForumPoll = models.ForumPoll

/** One post of a topic. */
export const ForumPost = /*#__PURE__*/ struct("ForumPost", "One post of a topic.", () => ({
  id: optional(number(formats.id, "The post's id.")),
  number: optional(number(formats.id, "The place in the topic, from 1.")),
  created_at: optional(text(formats.timestamp, "ISO 8601.")),
  created_by: optional<models.ForumAuthor>(ForumAuthor, "Who wrote the post."),
  body: optional(
    text(
      formats.prose,
      "BBCode, with `<br />` and entities of HTML such as `&quot;`. Other users wrote it, so never put it into a page unchanged."
    )
  ),
  signature: optional(text(formats.prose, "BBCode."))
}))
export type ForumPost = models.ForumPost

/** A topic with a page of its posts. The live service sends the poll as an object; the service's reference has an array. */
export const ForumTopicDetail = /*#__PURE__*/ struct(
  "ForumTopicDetail",
  "A topic with a page of its posts. The live service sends the poll as an object; the service's reference has an array.",
  () => ({
    title: optional(text(formats.name, "The topic's title.")),
    posts: list<models.ForumPost>(ForumPost, "The posts of this page."),
    poll: optional(
      either<models.ForumPoll, ReadonlyArray<models.ForumPoll>>(
        ForumPoll,
        list<models.ForumPoll>(ForumPoll),
        "The topic's poll, if it has one."
      )
    )
  })
)
export type ForumTopicDetail = models.ForumTopicDetail

/** One topic; `paging` leads through its posts. */
export const ForumTopicPage = /*#__PURE__*/ struct(
  "ForumTopicPage",
  "One topic; `paging` leads through its posts.",
  () => ({
    data: required<models.ForumTopicDetail>(ForumTopicDetail),
    paging: optional<models.Paging>(Paging, "Links to the pages of posts around this one.")
  })
)
export type ForumTopicPage = models.ForumTopicPage

/** A topic in a list of topics. */
export const ForumTopicSummary = /*#__PURE__*/ struct("ForumTopicSummary", "A topic in a list of topics.", () => ({
  id: optional(number(formats.id, "The topic's id, which `forum.topic` takes.")),
  title: optional(text(formats.name, "The topic's title.")),
  created_at: optional(text(formats.timestamp, "ISO 8601.")),
  created_by: optional<models.ForumAuthor>(ForumAuthor, "Who began the topic."),
  number_of_posts: optional(number(formats.count, "How many posts the topic has.")),
  last_post_created_at: optional(text(formats.timestamp, "ISO 8601.")),
  last_post_created_by: optional<models.ForumAuthor>(ForumAuthor, "Who wrote the last post."),
  is_locked: optional(flag("Whether the topic takes no new posts."))
}))
export type ForumTopicSummary = models.ForumTopicSummary

/** A page of topics. */
export const ForumTopicsPage = /*#__PURE__*/ struct("ForumTopicsPage", "A page of topics.", () => ({
  data: list<models.ForumTopicSummary>(ForumTopicSummary, "The topics of this page."),
  paging: optional<models.Paging>(
    Paging,
    "Links to the pages around this one. A list ends at the page that has no `next`."
  )
}))
export type ForumTopicsPage = models.ForumTopicsPage

/** A magazine. */
export const Magazine = /*#__PURE__*/ struct("Magazine", "A magazine.", () => ({
  id: optional(number(formats.id, "The magazine's id.")),
  name: optional(text(formats.name, "The magazine's name."))
}))
export type Magazine = models.Magazine

/** A manga that people recommend to those who liked another one. */
export const MangaRecommendation = /*#__PURE__*/ struct(
  "MangaRecommendation",
  "A manga that people recommend to those who liked another one.",
  () => ({
    node: optional<models.MangaNode>(MangaNode, "The recommended manga."),
    num_recommendations: optional(number(formats.count, "How many people recommended it."))
  })
)
export type MangaRecommendation = models.MangaRecommendation

/** A magazine that a manga appeared in. */
export const Serialization = /*#__PURE__*/ struct("Serialization", "A magazine that a manga appeared in.", () => ({
  node: optional<models.Magazine>(Magazine, "The magazine."),
  role: optional(text(formats.word, "What the magazine was for the manga."))
}))
export type Serialization = models.Serialization

/** A manga. It always has `id` and `title`, and every other member when it was requested and the service has it. */
export const Manga = /*#__PURE__*/ struct(
  "Manga",
  "A manga. It always has `id` and `title`, and every other member when it was requested and the service has it.",
  () => ({
    ...MangaNode.fields,
    pictures: optional<ReadonlyArray<models.Picture>>(
      list<models.Picture>(Picture, "Only when a single item is read.")
    ),
    background: optional(text(formats.prose, "Only when a single item is read.")),
    related_anime: optional<ReadonlyArray<models.RelatedAnime>>(
      list<models.RelatedAnime>(RelatedAnime, "Only when a single item is read.")
    ),
    related_manga: optional<ReadonlyArray<models.RelatedManga>>(
      list<models.RelatedManga>(RelatedManga, "Only when a single item is read.")
    ),
    recommendations: optional<ReadonlyArray<models.MangaRecommendation>>(
      list<models.MangaRecommendation>(MangaRecommendation, "Only when a single item is read.")
    ),
    serialization: optional<ReadonlyArray<models.Serialization>>(
      list<models.Serialization>(Serialization, "Only when a single item is read.")
    )
  })
)
export type Manga = models.Manga

/** A manga as an entry of a search. */
export const MangaEntry = /*#__PURE__*/ struct("MangaEntry", "A manga as an entry of a search.", () => ({
  node: required<models.MangaNode>(MangaNode)
}))
export type MangaEntry = models.MangaEntry

/** An entry of a user's manga list, with `list_status` if requested. */
export const MangaListEntry = /*#__PURE__*/ struct(
  "MangaListEntry",
  "An entry of a user's manga list, with `list_status` if requested.",
  () => ({
    node: required<models.MangaNode>(MangaNode),
    list_status: optional<models.MangaListStatus>(MangaListStatus, "Where it stands on the list.")
  })
)
export type MangaListEntry = models.MangaListEntry

/** A page of a user's manga list. */
export const MangaListPage = /*#__PURE__*/ struct("MangaListPage", "A page of a user's manga list.", () => ({
  data: list<models.MangaListEntry>(MangaListEntry),
  paging: optional<models.Paging>(
    Paging,
    "Links to the pages around this one. A list ends at the page that has no `next`."
  )
}))
export type MangaListPage = models.MangaListPage

/** A page of manga: the reply of a search. */
export const MangaPage = /*#__PURE__*/ struct("MangaPage", "A page of manga: the reply of a search.", () => ({
  data: list<models.MangaEntry>(MangaEntry),
  paging: optional<models.Paging>(
    Paging,
    "Links to the pages around this one. A list ends at the page that has no `next`."
  )
}))
export type MangaPage = models.MangaPage

/** A manga with its place in a ranking. */
export const MangaRankingEntry = /*#__PURE__*/ struct(
  "MangaRankingEntry",
  "A manga with its place in a ranking.",
  () => ({ node: required<models.MangaNode>(MangaNode), ranking: required<models.Ranking>(Ranking) })
)
export type MangaRankingEntry = models.MangaRankingEntry

/** A page of a ranking of manga. */
export const MangaRankingPage = /*#__PURE__*/ struct("MangaRankingPage", "A page of a ranking of manga.", () => ({
  data: list<models.MangaRankingEntry>(MangaRankingEntry),
  paging: optional<models.Paging>(
    Paging,
    "Links to the pages around this one. A list ends at the page that has no `next`."
  )
}))
export type MangaRankingPage = models.MangaRankingPage

/** A page of a season's anime. */
export const SeasonalPage = /*#__PURE__*/ struct("SeasonalPage", "A page of a season's anime.", () => ({
  data: list<models.AnimeEntry>(AnimeEntry),
  paging: optional<models.Paging>(
    Paging,
    "Links to the pages around this one. A list ends at the page that has no `next`."
  ),
  season: optional<models.AnimeSeason>(AnimeSeason, "The season of the page.")
}))
export type SeasonalPage = models.SeasonalPage

/** Totals of what a user has watched. */
export const UserAnimeStatistics = /*#__PURE__*/ struct(
  "UserAnimeStatistics",
  "Totals of what a user has watched.",
  () => ({
    num_items_watching: optional(number(formats.count, "How many anime the user is watching.")),
    num_items_completed: optional(number(formats.count, "How many anime the user has completed.")),
    num_items_on_hold: optional(number(formats.count, "How many anime the user has paused.")),
    num_items_dropped: optional(number(formats.count, "How many anime the user has dropped.")),
    num_items_plan_to_watch: optional(number(formats.count, "How many anime the user plans to watch.")),
    num_items: optional(number(formats.count, "How many anime are on the list.")),
    num_days_watched: optional(number(formats.days, "Days spent watching, with decimals.")),
    num_days_watching: optional(number(formats.days, "Days spent on anime with the status `watching`.")),
    num_days_completed: optional(number(formats.days, "Days spent on completed anime.")),
    num_days_on_hold: optional(number(formats.days, "Days spent on paused anime.")),
    num_days_dropped: optional(number(formats.days, "Days spent on dropped anime.")),
    num_days: optional(number(formats.days, "Days spent on all anime of the list.")),
    num_episodes: optional(number(formats.count, "How many episodes the user has watched.")),
    num_times_rewatched: optional(number(formats.count, "How many times the user has rewatched an anime.")),
    mean_score: optional(number(formats.mean, "Out of 10."))
  })
)
export type UserAnimeStatistics = models.UserAnimeStatistics

/** A user's profile. It always has `id` and `name`. */
export const User = /*#__PURE__*/ struct("User", "A user's profile. It always has `id` and `name`.", () => ({
  id: number(formats.id, "The user's id."),
  name: text(formats.name, "The user's name, as in `username`."),
  location: optional(text(formats.name, "As the user wrote it.")),
  joined_at: optional(text(formats.timestamp, "ISO 8601.")),
  picture: optional(text(formats.url, "URL.")),
  gender: optional(text(formats.word, "For example `female` or `non_binary`.")),
  birthday: optional(text(formats.day, "ISO 8601.")),
  time_zone: optional(text(formats.word, "For example `Asia/Tokyo`.")),
  is_supporter: optional(flag("Whether the user pays to support the service.")),
  anime_statistics: optional<models.UserAnimeStatistics>(UserAnimeStatistics, "Totals of what the user has watched.")
}))
export type User = models.User

/** Parameters of operations on one anime. */
export const AnimeParams = /*#__PURE__*/ struct("AnimeParams", "Parameters of operations on one anime.", () => ({
  id: checkedNumber(formats.id, "The anime's id.")
}))
export type AnimeParams = core.AnimeParams

/** Parameters of `anime.search` and `manga.search`. */
export const SearchParams = /*#__PURE__*/ struct(
  "SearchParams",
  "Parameters of `anime.search` and `manga.search`.",
  () => ({
    q: checkedText(formats.keyword, "A keyword; not blank. The service takes 3 to 64 characters."),
    limit: maybe(checkedNumber(formats.whole(1, 100), "Entries per page: 100 by default, at most 100.")),
    offset: maybe(checkedNumber(formats.anyCount, "Entries to skip: 0 by default."))
  })
)
export type SearchParams = core.SearchParams

/** Parameters of `anime.seasonal`. */
export const SeasonalParams = /*#__PURE__*/ struct("SeasonalParams", "Parameters of `anime.seasonal`.", () => ({
  year: checkedNumber(formats.year, "For example 2017."),
  season: words(
    models.Season,
    "`winter`, `spring`, `summer` or `fall`. Other values are sent unchanged; the service decides."
  ),
  sort: maybe(
    words(
      models.SeasonalSort,
      "Sort order; the service's own by default. With `anime_score` the live service sorts by popularity, as reports say."
    )
  ),
  limit: maybe(
    checkedNumber(formats.whole(1, 500), "Entries per page: 100 by default, at most 500. Whole lists request 500.")
  ),
  offset: maybe(checkedNumber(formats.anyCount, "Entries to skip: 0 by default."))
}))
export type SeasonalParams = core.SeasonalParams

/** Parameters of `anime.ranking`. */
export const AnimeRankingParams = /*#__PURE__*/ struct("AnimeRankingParams", "Parameters of `anime.ranking`.", () => ({
  rankingType: words(
    models.AnimeRankingType,
    "What to rank: `all`, `airing`, `upcoming`, `tv`, `ova`, `movie`, `special`, `bypopularity` or `favorite`. Other values are sent unchanged; the service decides."
  ),
  limit: maybe(
    checkedNumber(formats.whole(1, 500), "Entries per page: 100 by default, at most 500. Whole lists request 500.")
  ),
  offset: maybe(checkedNumber(formats.anyCount, "Entries to skip: 0 by default."))
}))
export type AnimeRankingParams = core.AnimeRankingParams

/** An anime, and the fields to change in its entry on the caller's own list: at least one. */
export const AnimeListUpdateParams = /*#__PURE__*/ update(
  /*#__PURE__*/ struct(
    "AnimeListUpdateParams",
    "An anime, and the fields to change in its entry on the caller's own list: at least one.",
    () => ({
      status: maybe(
        words(
          models.AnimeListStatusValue,
          "The status of the anime on the list: `watching`, `completed`, `on_hold`, `dropped` or `plan_to_watch`. Other values are sent unchanged; the service decides."
        )
      ),
      num_watched_episodes: maybe(
        checkedNumber(
          formats.anyCount,
          "How many episodes were watched. Replies call it `num_episodes_watched`; a write rejects that name."
        )
      ),
      score: maybe(checkedNumber(formats.score, "A whole number from 0 to 10. 0 removes the score.")),
      comments: maybe(checkedText(formats.prose, "Free-form notes; an empty string removes them.")),
      is_rewatching: maybe(flag("Whether the anime is being watched again.")),
      num_times_rewatched: maybe(checkedNumber(formats.anyCount, "How many times the anime has been rewatched.")),
      rewatch_value: maybe(checkedNumber(formats.repeatValue, "How much the anime is worth watching again: 0 to 5.")),
      priority: maybe(checkedNumber(formats.priority, "0 low, 1 medium, 2 high.")),
      tags: maybe(
        list(
          text(formats.word),
          "Tags are joined with commas, so a tag with a comma becomes two. An empty array removes all tags."
        )
      ),
      start_date: maybe(
        checkedText(formats.writtenDate, "ISO 8601, possibly partial; an empty string removes the date.")
      ),
      finish_date: maybe(
        checkedText(formats.writtenDate, "ISO 8601, possibly partial; an empty string removes the date.")
      ),
      id: checkedNumber(formats.id, "The anime's id.")
    })
  )
)
export type AnimeListUpdateParams = core.AnimeListUpdateParams

/** Parameters of operations on one manga. */
export const MangaParams = /*#__PURE__*/ struct("MangaParams", "Parameters of operations on one manga.", () => ({
  id: checkedNumber(formats.id, "The manga's id.")
}))
export type MangaParams = core.MangaParams

/** Parameters of `manga.ranking`. */
export const MangaRankingParams = /*#__PURE__*/ struct("MangaRankingParams", "Parameters of `manga.ranking`.", () => ({
  rankingType: words(
    models.MangaRankingType,
    "What to rank: `all`, `manga`, `novels`, `oneshots`, `doujin`, `manhwa`, `manhua`, `bypopularity` or `favorite`. Other values are sent unchanged; the service decides."
  ),
  limit: maybe(
    checkedNumber(formats.whole(1, 500), "Entries per page: 100 by default, at most 500. Whole lists request 500.")
  ),
  offset: maybe(checkedNumber(formats.anyCount, "Entries to skip: 0 by default."))
}))
export type MangaRankingParams = core.MangaRankingParams

/** A manga, and the fields to change in its entry on the caller's own list: at least one. */
export const MangaListUpdateParams = /*#__PURE__*/ update(
  /*#__PURE__*/ struct(
    "MangaListUpdateParams",
    "A manga, and the fields to change in its entry on the caller's own list: at least one.",
    () => ({
      status: maybe(
        words(
          models.MangaListStatusValue,
          "The status of the manga on the list: `reading`, `completed`, `on_hold`, `dropped` or `plan_to_read`. Other values are sent unchanged; the service decides."
        )
      ),
      num_chapters_read: maybe(checkedNumber(formats.anyCount, "How many chapters were read.")),
      num_volumes_read: maybe(checkedNumber(formats.anyCount, "How many volumes were read.")),
      score: maybe(checkedNumber(formats.score, "A whole number from 0 to 10. 0 removes the score.")),
      comments: maybe(checkedText(formats.prose, "Free-form notes; an empty string removes them.")),
      is_rereading: maybe(flag("Whether the manga is being read again.")),
      num_times_reread: maybe(checkedNumber(formats.anyCount, "How many times the manga has been reread.")),
      reread_value: maybe(checkedNumber(formats.repeatValue, "How much the manga is worth reading again: 0 to 5.")),
      priority: maybe(checkedNumber(formats.priority, "0 low, 1 medium, 2 high.")),
      tags: maybe(
        list(
          text(formats.word),
          "Tags are joined with commas, so a tag with a comma becomes two. An empty array removes all tags."
        )
      ),
      start_date: maybe(
        checkedText(formats.writtenDate, "ISO 8601, possibly partial; an empty string removes the date.")
      ),
      finish_date: maybe(
        checkedText(formats.writtenDate, "ISO 8601, possibly partial; an empty string removes the date.")
      ),
      id: checkedNumber(formats.id, "The manga's id.")
    })
  )
)
export type MangaListUpdateParams = core.MangaListUpdateParams

/** Parameters of `user.get`. */
export const UserParams = /*#__PURE__*/ struct("UserParams", "Parameters of `user.get`.", () => ({
  username: checkedText(
    formats.username,
    "`@me`, the owner of the access token: for every other name, the service responds with 404. Not blank."
  )
}))
export type UserParams = core.UserParams

/** Parameters of `user.animeList`. */
export const AnimeListParams = /*#__PURE__*/ struct("AnimeListParams", "Parameters of `user.animeList`.", () => ({
  status: maybe(
    words(models.AnimeListStatusValue, "Only entries with this status; entries of every status by default.")
  ),
  sort: maybe(words(models.AnimeListSort, "Sort order; the service's own by default.")),
  username: checkedText(
    formats.username,
    "A user's name, or `@me` for the owner of the access token. Not blank. Any public list can be read. `@me` ignores case and surrounding spaces."
  ),
  limit: maybe(
    checkedNumber(formats.whole(1, 1000), "Entries per page: 100 by default, at most 1000. Whole lists request 1000.")
  ),
  offset: maybe(checkedNumber(formats.anyCount, "Entries to skip: 0 by default."))
}))
export type AnimeListParams = core.AnimeListParams

/** Parameters of `user.mangaList`. */
export const MangaListParams = /*#__PURE__*/ struct("MangaListParams", "Parameters of `user.mangaList`.", () => ({
  status: maybe(
    words(models.MangaListStatusValue, "Only entries with this status; entries of every status by default.")
  ),
  sort: maybe(words(models.MangaListSort, "Sort order; the service's own by default.")),
  username: checkedText(
    formats.username,
    "A user's name, or `@me` for the owner of the access token. Not blank. Any public list can be read. `@me` ignores case and surrounding spaces."
  ),
  limit: maybe(
    checkedNumber(formats.whole(1, 1000), "Entries per page: 100 by default, at most 1000. Whole lists request 1000.")
  ),
  offset: maybe(checkedNumber(formats.anyCount, "Entries to skip: 0 by default."))
}))
export type MangaListParams = core.MangaListParams

/** Parameters of `forum.topics`. The live service needs a board or `q`, and responds with 504 after a while otherwise. */
export const TopicsParams = /*#__PURE__*/ struct(
  "TopicsParams",
  "Parameters of `forum.topics`. The live service needs a board or `q`, and responds with 504 after a while otherwise.",
  () => ({
    boardId: maybe(checkedNumber(formats.id, "Only topics of this board.")),
    subboardId: maybe(checkedNumber(formats.id, "Only topics of this subboard.")),
    q: maybe(checkedText(formats.keyword, "A keyword in the title.")),
    topicUserName: maybe(checkedText(formats.username, "The name of the user who began the topic.")),
    userName: maybe(checkedText(formats.username, "The name of a user who wrote in the topic.")),
    sort: maybe(words(models.TopicSort, "The order, for example `recent`.")),
    limit: maybe(checkedNumber(formats.whole(1, 100), "Topics per page: 100 by default, at most 100.")),
    offset: maybe(checkedNumber(formats.anyCount, "Topics to skip: 0 by default."))
  })
)
export type TopicsParams = core.TopicsParams

/** Parameters of `forum.topic`. */
export const TopicParams = /*#__PURE__*/ struct("TopicParams", "Parameters of `forum.topic`.", () => ({
  id: checkedNumber(formats.id, "The topic's id."),
  limit: maybe(checkedNumber(formats.whole(1, 100), "Posts per page: 100 by default, at most 100.")),
  offset: maybe(checkedNumber(formats.anyCount, "Posts to skip: 0 by default."))
}))
export type TopicParams = core.TopicParams

const fields = /*#__PURE__*/ (() =>
  maybe(
    list(
      text(formats.field),
      "A selector: what the reply contains besides `id` and `title` (`id` and `name` of a user). Without it, an item also contains `main_picture`."
    )
  ))()

const nsfw = /*#__PURE__*/ (() =>
  maybe(flag("Include works marked gray or black. Off by default, even for your own list.")))()

/** An operation, described for interfaces of your own. */
export interface DescribedOperation<Inputs, Reply> {
  /** What it does. */
  readonly description: string
  /** What it takes: its params, and `fields` and `nsfw` if it has these options. */
  readonly inputs: Inputs
  /** What it returns. */
  readonly reply: Reply
}

const operation = <Inputs, Reply>(
  description: string,
  inputs: Inputs,
  reply: Reply
): DescribedOperation<Inputs, Reply> => ({
  description,
  inputs,
  reply
})

/**
 * The operations by domain and name, as `Catalog` has them.
 *
 * @example
 * ```ts
 * import { operations } from "@catalog-client/core/schemas"
 * import { Schema } from "effect"
 *
 * const { description, inputs } = operations.anime.search
 *
 * export const help = `${description} It takes ${Object.keys(inputs.fields).join(", ")}.`
 *
 * // Throws for a blank q and for a limit of 5000.
 * export const parse = Schema.decodeUnknownSync(inputs)
 * ```
 */
export const operations = /*#__PURE__*/ (() => ({
  anime: {
    /** Reads one anime. By default, the reply has `id`, `title` and `main_picture`. An access token is needed only for the caller's own entry, `my_list_status`. */
    get: operation(
      "Reads one anime. By default, the reply has `id`, `title` and `main_picture`. An access token is needed only for the caller's own entry, `my_list_status`.",
      inputsOf("anime.get", { ...AnimeParams.fields, fields }),
      Anime
    ),
    /** Searches anime by a keyword and reads one page of the results. An access token is needed only for the caller's own entry of each title, `my_list_status`. */
    search: operation(
      "Searches anime by a keyword and reads one page of the results. An access token is needed only for the caller's own entry of each title, `my_list_status`.",
      inputsOf("anime.search", { ...SearchParams.fields, fields, nsfw }),
      AnimePage
    ),
    /** Reads one page of the anime of a season. An access token is needed only for the caller's own entry of each title, `my_list_status`. */
    seasonal: operation(
      "Reads one page of the anime of a season. An access token is needed only for the caller's own entry of each title, `my_list_status`.",
      inputsOf("anime.seasonal", { ...SeasonalParams.fields, fields, nsfw }),
      SeasonalPage
    ),
    /** Reads one page of a ranking of anime. An access token is needed only for the caller's own entry of each title, `my_list_status`. */
    ranking: operation(
      "Reads one page of a ranking of anime. An access token is needed only for the caller's own entry of each title, `my_list_status`.",
      inputsOf("anime.ranking", { ...AnimeRankingParams.fields, fields, nsfw }),
      AnimeRankingPage
    ),
    /** Reads one page of the service's suggestions for the signed-in user. */
    suggestions: operation(
      "Reads one page of the service's suggestions for the signed-in user.",
      inputsOf("anime.suggestions", {
        limit: maybe(checkedNumber(formats.whole(1, 100), "Entries per page: 100 by default, at most 100.")),
        offset: maybe(checkedNumber(formats.anyCount, "Entries to skip: 0 by default.")),
        fields,
        nsfw
      }),
      AnimePage
    ),
    /** Changes the caller's own entry of an anime, or creates it, and returns the whole entry. Only the fields that are set are sent. The reply shows what the service stored: it rounds scores, and caps the episode count (limit undocumented). */
    updateMyListStatus: operation(
      "Changes the caller's own entry of an anime, or creates it, and returns the whole entry. Only the fields that are set are sent. The reply shows what the service stored: it rounds scores, and caps the episode count (limit undocumented).",
      update(inputsOf("anime.updateMyListStatus", { ...AnimeListUpdateParams.fields, fields })),
      AnimeListStatus
    ),
    /** Removes an anime from the caller's own list. */
    deleteFromList: operation(
      "Removes an anime from the caller's own list.",
      inputsOf("anime.deleteFromList", { ...AnimeParams.fields }),
      Schema.Void
    )
  },
  manga: {
    /** Reads one manga. By default, the reply has `id`, `title` and `main_picture`. An access token is needed only for the caller's own entry, `my_list_status`. */
    get: operation(
      "Reads one manga. By default, the reply has `id`, `title` and `main_picture`. An access token is needed only for the caller's own entry, `my_list_status`.",
      inputsOf("manga.get", { ...MangaParams.fields, fields }),
      Manga
    ),
    /** Searches manga by a keyword and reads one page of the results. An access token is needed only for the caller's own entry of each title, `my_list_status`. */
    search: operation(
      "Searches manga by a keyword and reads one page of the results. An access token is needed only for the caller's own entry of each title, `my_list_status`.",
      inputsOf("manga.search", { ...SearchParams.fields, fields, nsfw }),
      MangaPage
    ),
    /** Reads one page of a ranking of manga. An access token is needed only for the caller's own entry of each title, `my_list_status`. */
    ranking: operation(
      "Reads one page of a ranking of manga. An access token is needed only for the caller's own entry of each title, `my_list_status`.",
      inputsOf("manga.ranking", { ...MangaRankingParams.fields, fields, nsfw }),
      MangaRankingPage
    ),
    /** Changes the caller's own entry of a manga, or creates it, and returns the whole entry. Only the fields that are set are sent. The reply shows what the service stored: it rounds scores, and caps the progress (limit undocumented). */
    updateMyListStatus: operation(
      "Changes the caller's own entry of a manga, or creates it, and returns the whole entry. Only the fields that are set are sent. The reply shows what the service stored: it rounds scores, and caps the progress (limit undocumented).",
      update(inputsOf("manga.updateMyListStatus", { ...MangaListUpdateParams.fields, fields })),
      MangaListStatus
    ),
    /** Removes a manga from the caller's own list. */
    deleteFromList: operation(
      "Removes a manga from the caller's own list.",
      inputsOf("manga.deleteFromList", { ...MangaParams.fields }),
      Schema.Void
    )
  },
  user: {
    /** Reads the profile of the owner of the access token. */
    me: operation("Reads the profile of the owner of the access token.", inputsOf("user.me", { fields }), User),
    /** Reads the profile of `@me`. The service responds with 404 to every other name. */
    get: operation(
      "Reads the profile of `@me`. The service responds with 404 to every other name.",
      inputsOf("user.get", { ...UserParams.fields, fields }),
      User
    ),
    /** Reads one page of a user's anime list. An entry contains the item's list status if `fields` names `list_status`. `@me` needs an access token; another user's public list needs an access token or a client identifier. Fails with `ClientValidationError` (rule 4: `username` is blank), `ClientAuthError` (`@me` without an access token), `ClientRestError` (403: the list is private; 404: there is no such user) and `ClientNetworkError`. */
    animeList: operation(
      "Reads one page of a user's anime list. An entry contains the item's list status if `fields` names `list_status`. `@me` needs an access token; another user's public list needs an access token or a client identifier. Fails with `ClientValidationError` (rule 4: `username` is blank), `ClientAuthError` (`@me` without an access token), `ClientRestError` (403: the list is private; 404: there is no such user) and `ClientNetworkError`.",
      inputsOf("user.animeList", { ...AnimeListParams.fields, fields, nsfw }),
      AnimeListPage
    ),
    /** Reads one page of a user's manga list. An entry contains the item's list status if `fields` names `list_status`. `@me` needs an access token; another user's public list needs an access token or a client identifier. Fails with `ClientValidationError` (rule 4: `username` is blank), `ClientAuthError` (`@me` without an access token), `ClientRestError` (403: the list is private; 404: there is no such user) and `ClientNetworkError`. */
    mangaList: operation(
      "Reads one page of a user's manga list. An entry contains the item's list status if `fields` names `list_status`. `@me` needs an access token; another user's public list needs an access token or a client identifier. Fails with `ClientValidationError` (rule 4: `username` is blank), `ClientAuthError` (`@me` without an access token), `ClientRestError` (403: the list is private; 404: there is no such user) and `ClientNetworkError`.",
      inputsOf("user.mangaList", { ...MangaListParams.fields, fields, nsfw }),
      MangaListPage
    )
  },
  forum: {
    /** Reads all boards, by category. */
    boards: operation("Reads all boards, by category.", inputsOf("forum.boards", {}), ForumBoards),
    /** Reads one page of topics. Pass a board or `q`: live, a call without them times out. */
    topics: operation(
      "Reads one page of topics. Pass a board or `q`: live, a call without them times out.",
      inputsOf("forum.topics", { ...TopicsParams.fields }),
      ForumTopicsPage
    ),
    /** Reads one topic with one page of its posts, and its poll if it has one. */
    topic: operation(
      "Reads one topic with one page of its posts, and its poll if it has one.",
      inputsOf("forum.topic", { ...TopicParams.fields }),
      ForumTopicPage
    )
  }
}))()
