// The profile and the lists of a user.
import { computed, reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type CardItem, type Explore, makeLatest, watchAccount } from "../explore.js"

/** Users of the service, each with some property. */
export const users = {
  "@me": "you",
  paper_lantern: "long lists that all may read",
  quiet_shelf: "private lists",
  first_day: "empty lists"
} as const

/** Entries of each list that are shown. */
const limit = 6

interface State {
  username: string
  /** Name and value of each fact of the profile. */
  facts: ReadonlyArray<readonly [name: string, value: string]>
  anime: ReadonlyArray<CardItem>
  manga: ReadonlyArray<CardItem>
}

export const useProfile = (explore: Explore) => {
  const { keep, session } = explore
  const profile = makeLatest(session)
  const anime = makeLatest(session)
  const manga = makeLatest(session)
  const state = reactive<State>({
    username: "@me",
    facts: [],
    anime: [],
    manga: []
  })
  /** The user that is shown: the one that is chosen, once the form is sent. */
  const shown = reactive({ username: state.username })
  keep("profile", [memberOf(shown, "username", { choices: Object.keys(users) })])

  const read = (): void => {
    const { username } = shown
    state.username = username
    Object.assign(state, { facts: [], anime: [], manga: [] })
    void profile.run("user.get", [{ username }], ({ joined_at, location, name }) => {
      const since = joined_at?.slice(0, 10) ?? ""
      state.facts = [
        ["name", name],
        ["location", location ?? ""],
        ["since", since]
      ]
    })
    void anime.run("user.animeList", [{ username, sort: "list_score", limit }, { fields: ["mean"] }], ({ data }) => {
      state.anime = data.map(({ node }) => node)
    })
    void manga.run("user.mangaList", [{ username, sort: "list_score", limit }, { fields: ["mean"] }], ({ data }) => {
      state.manga = data.map(({ node }) => node)
    })
  }

  const show = (): void => {
    if (shown.username === state.username) {
      read()
    }
    shown.username = state.username
  }

  watch(() => shown.username, read)
  watchAccount(explore, "profile", read)
  read()
  const lists = { anime: anime.state, manga: manga.state }
  const parts = [profile.state, anime.state, manga.state]
  const notice = computed(() =>
    parts.some(({ isLoading }) => isLoading)
      ? "Loading…"
      : anime.state.error || manga.state.error
        ? ""
        : `${state.anime.length} anime and ${state.manga.length} manga of ${shown.username} shown.`
  )
  return { state, profile: profile.state, lists, notice, show }
}
